import { Button } from "@/components/ui/button";

interface Provider {
  id: string;
  label: string;
}

interface Props {
  providers: readonly Provider[];
  callbackUrl: string;
  /** Whether they are the only sign-in methods. */
  only?: boolean;
}

/** Sign-in through other services: plain forms, which work without JavaScript. */
export function ProviderForms({ providers, callbackUrl, only = false }: Props) {
  if (providers.length === 0) return null;
  return (
    <div className={only ? "" : "mt-6"}>
      {!only && (
        <p
          className={
            "flex items-center gap-3 text-faint text-xs before:h-px before:flex-1 before:bg-line after:h-px " +
            "after:flex-1 after:bg-line"
          }
        >
          or
        </p>
      )}
      <div className={only ? "grid gap-3" : "mt-5 grid gap-3"}>
        {providers.map(({ id, label }) => (
          <form key={id} method="post" action={`/api/auth/signin/${id}`} className="grid">
            <input type="hidden" name="callbackUrl" value={callbackUrl} />
            <Button type="submit">Continue with {label}</Button>
          </form>
        ))}
      </div>
    </div>
  );
}
