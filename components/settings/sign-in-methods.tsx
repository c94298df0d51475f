import { Button } from "@/components/ui/button";
import type { Account } from "@/lib/schemas/account";
import { PostButton } from "./post-button";

interface Props {
  account: Account;
  /** Services that could be added, by id and name. */
  providers: readonly { id: string; label: string }[];
  canMail: boolean;
}

/** The account's sign-in methods, and those that can be added. */
export function SignInMethods({ account, providers, canMail }: Props) {
  const linked = account.identities.map((id) => ({
    id,
    label: providers.find((provider) => provider.id === id)?.label ?? id,
  }));
  const open = providers.filter(({ id }) => !account.identities.includes(id));
  return (
    <ul className="rows">
      <Method name="Password" state={account.has_password ? "Set" : "None yet"}>
        {!account.has_password && canMail && (
          <PostButton
            path="/api/account/password-reset"
            body={{ email: account.email }}
            done="Link sent. Use it to set a password."
            small
          >
            Email me a link to set one
          </PostButton>
        )}
      </Method>
      {canMail && <Method name="Email link" state={`Sent to ${account.email} on request at sign-in`} />}
      {linked.map(({ id, label }) => (
        <Method key={id} name={label} state="Added" />
      ))}
      {open.map(({ id, label }) => (
        <Method key={id} name={label} state="Not added">
          <form method="post" action={`/api/auth/signin/${id}`}>
            <input type="hidden" name="callbackUrl" value="/settings/account" />
            <Button type="submit" small>
              Add {label}
            </Button>
          </form>
        </Method>
      ))}
    </ul>
  );
}

function Method({ name, state, children }: { name: string; state: string; children?: React.ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="min-w-0">
        <p className="font-medium">{name}</p>
        <p className="mt-0.5 break-words text-muted text-xs">{state}</p>
      </div>
      {children}
    </li>
  );
}
