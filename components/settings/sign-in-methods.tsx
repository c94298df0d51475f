import { ActionButton } from "@/components/form/action-button";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmailAddress } from "@/components/ui/email-address";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Account, Sessions } from "@/lib/schemas/account";
import { OwnList } from "./own-list";

interface Props {
  account: Account;
  canMail: boolean;
}

/** An account's email address, and whether it is confirmed. */
export const EmailState = ({ account: { email, email_verified: verified }, canMail }: Props) => (
  <div className="mt-6 max-w-md text-sm">
    <p className="font-medium">Email</p>
    <p className="mt-1 break-words">
      <EmailAddress text={email} />{" "}
      <Badge tone={verified ? "ok" : "neutral"}>{verified ? "confirmed" : "not confirmed"}</Badge>
    </p>
    {!verified && canMail && (
      <div className="mt-3">
        <ActionButton
          method="POST"
          path="/api/account/verification-mail"
          json={{ email }}
          label="Email me a confirmation link"
          done="Confirmation email sent."
        />
      </div>
    )}
    {!verified && !canMail && (
      <p className="mt-1.5 text-muted text-xs">Email isn’t set up here. You don’t need to confirm your address.</p>
    )}
  </div>
);

interface MethodProps extends Props {
  /** Services that could be added, by id and name. */
  providers: readonly Provider[];
  /** Whether people may sign in with passwords and emailed links. */
  byPassword: boolean;
}

/** The account's sign-in methods, and those that can be added. */
export function SignInMethods({ account, providers, canMail, byPassword }: MethodProps) {
  const { email, has_password: hasPassword, identities } = account;
  const methods: readonly Method[] = [
    ...(byPassword
      ? [
          {
            name: "Password",
            state: hasPassword ? "Set" : "None yet",
            ...(!hasPassword && canMail && { sends: email }),
          },
        ]
      : []),
    ...(byPassword && canMail ? [{ name: "Email link", state: `Sent to ${email} on request at sign-in` }] : []),
    ...identities.map((id) => ({ name: providers.find((each) => each.id === id)?.label ?? id, state: "Added" })),
    ...providers
      .filter(({ id }) => !identities.includes(id))
      .map((adds) => ({ name: adds.label, state: "Not added", adds })),
  ];
  return (
    <OwnList
      rows={methods}
      keyOf={({ name }) => name}
      name={({ name }) => name}
      note={({ state }) => state}
      aside={({ sends, adds }) => (
        <>
          {sends && (
            <ActionButton
              method="POST"
              path="/api/account/password-reset"
              json={{ email: sends }}
              label="Email me a link to set one"
              done="Link sent. Use it to set a password."
            />
          )}
          {adds && (
            <form method="post" action={`/api/auth/signin/${adds.id}`}>
              <input type="hidden" name="callbackUrl" value="/settings/account" />
              <Button type="submit" small>
                Add {adds.label}
              </Button>
            </form>
          )}
        </>
      )}
    />
  );
}

interface Provider {
  id: string;
  label: string;
}

interface Method {
  name: string;
  state: string;
  /** The address for a link that sets it. */
  sends?: string;
  /** The service that can be added. */
  adds?: Provider;
}

/** The browsers that are signed in. */
export const SessionList = ({ sessions, now }: Pick<Sessions, "sessions"> & { now: Date }) => (
  <OwnList
    rows={sessions}
    keyOf={({ id }) => id}
    name={({ browser, current }) => (
      <>
        {browser} {current && <Badge tone="accent">this one</Badge>}
      </>
    )}
    note={({ created_at: since, last_seen_at: seen }) => (
      <>
        Signed in <RelativeTime at={since} now={now} />, last seen <RelativeTime at={seen} now={now} />
      </>
    )}
    aside={({ id, browser, current }) =>
      !current && (
        <ActionButton
          method="DELETE"
          path={`/api/account/sessions/${id}`}
          label="Sign out"
          describes={browser}
          title={`Sign out ${browser}?`}
          done={`${browser} is signed out.`}
          focusAfter="sessions"
        >
          <p>That browser has to sign in again. Unsaved input there is lost.</p>
        </ActionButton>
      )
    }
  />
);
