import { ActionButton } from "@/components/form/action-button";
import { ApiForm } from "@/components/form/api-form";
import { PasswordField } from "@/components/form/password-field";
import { SubmitButton } from "@/components/form/submit-button";
import { LinkButton } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Passkeys } from "@/lib/schemas/passkey";
import { OwnList } from "./own-list";
import { AddPasskey, ReplaceCodes } from "./passkey-forms";

interface Props extends Pick<Passkeys, "passkeys"> {
  codesLeft: number;
  /** Whether this session may change them: it proved who the person is a moment ago. */
  mayChange: boolean;
  /** Whether the person can prove it with a password. */
  hasPassword: boolean;
  /** Whether browsers offer passkeys to this service. */
  canAdd: boolean;
  now: Date;
}

/** A person's passkeys and recovery codes; what can be done with them follows a proof of who they are. */
export function PasskeyList({ passkeys, codesLeft, mayChange, hasPassword, canAdd, now }: Props) {
  return (
    <>
      <OwnList
        label="Passkeys"
        rows={passkeys}
        keyOf={({ id }) => id}
        name={({ name }) => name}
        note={({ created_at: added, last_used_at: used }) => (
          <>
            Added <RelativeTime at={added} now={now} />,{" "}
            {used ? (
              <>
                last used <RelativeTime at={used} now={now} />
              </>
            ) : (
              "never used"
            )}
          </>
        )}
        aside={({ id, name }) =>
          mayChange && (
            <ActionButton
              method="DELETE"
              path={`/api/account/passkeys/${id}`}
              label="Remove"
              describes={name}
              title={`Remove “${name}”?`}
              done={`“${name}” was removed.`}
              focusAfter="passkeys"
            >
              {passkeys.length > 1 ? (
                <p>It no longer confirms your sign-ins. Your other passkeys do.</p>
              ) : (
                <p>It is your only passkey: signing in has one step again, and your recovery codes stop working.</p>
              )}
            </ActionButton>
          )
        }
        empty="No passkeys yet."
      />
      {passkeys.length > 0 && (
        <p className="mt-4 text-muted text-sm">
          {codesLeft === 1 ? "1 recovery code" : `${codesLeft} recovery codes`} left, for when you have lost your
          passkeys.
        </p>
      )}
      <div className="mt-5 space-y-5">
        {!mayChange && <Proof hasPasskey={passkeys.length > 0} hasPassword={hasPassword} />}
        {mayChange && canAdd && <AddPasskey />}
        {mayChange && passkeys.length > 0 && <ReplaceCodes />}
        {!canAdd && (
          <p className="text-muted text-sm">
            Passkeys need an https address, which this service does not have. Ask its administrator.
          </p>
        )}
      </div>
    </>
  );
}

const AGAIN = "/sign-in/passkey?callbackUrl=%2Fsettings%2Faccount%23passkeys";

function Proof({ hasPasskey, hasPassword }: { hasPasskey: boolean; hasPassword: boolean }) {
  if (hasPasskey) return <LinkButton href={AGAIN}>Confirm it’s you to change passkeys</LinkButton>;
  if (!hasPassword) return <p className="text-muted text-sm">To add a passkey, sign out and sign in again first.</p>;
  return (
    <ApiForm method="POST" path="/api/account/proof" body="proof" className="max-w-md space-y-4">
      <PasswordField name="password" label="Your password, to add a passkey" autoComplete="current-password" />
      <SubmitButton look="plain">Continue</SubmitButton>
    </ApiForm>
  );
}
