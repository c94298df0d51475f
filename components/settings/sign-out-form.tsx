import { Button } from "@/components/ui/button";

/** Ends this browser's session. A plain form, which works without JavaScript. */
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
