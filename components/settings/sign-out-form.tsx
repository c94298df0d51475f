import { Button } from "@/components/ui/button";

/** Ends this browser's session. A plain form: it works without script. */
export function SignOutForm() {
  return (
    <form method="post" action="/api/auth/signout">
      <input type="hidden" name="callbackUrl" value="/" />
      <Button type="submit" small>
        Sign out
      </Button>
    </form>
  );
}
