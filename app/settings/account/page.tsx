import type { Metadata } from "next";
import { Missing } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { auditPage } from "@/app/settings/audit-page";
import { settingsContext } from "@/app/settings/settings-context";
import { ActionButton } from "@/components/form/action-button";
import { AddressForm, DeleteForm, NameForm, PasswordForm } from "@/components/settings/account-forms";
import { AuditList, PLACES_EXPLAINED } from "@/components/settings/audit-list";
import { PasskeyList } from "@/components/settings/passkey-list";
import { SettingsSection, SettingsShell } from "@/components/settings/settings-shell";
import { EmailState, SessionList, SignInMethods } from "@/components/settings/sign-in-methods";
import { signInProblem } from "@/components/sign-in/sign-in-problem";
import { Notice } from "@/components/ui/notice";
import { identityProviders } from "@/lib/auth/identity-providers";
import { canPasskey } from "@/lib/auth/passkey";
import { env } from "@/lib/kernel/env";
import { canMail } from "@/lib/mail/mailer";
import { listPasskeys } from "@/lib/operations/account/passkeys";
import { listSessions } from "@/lib/operations/account/sessions";
import { execute } from "@/lib/operations/execute";
import { listAccountEvents } from "@/lib/operations/workspace/audit-log";

export const metadata: Metadata = { title: "Account" };

export default async function AccountPage({ searchParams }: { searchParams: SearchParams }) {
  const { error, provider, before } = await singleValues(searchParams);
  const settings = await settingsContext("account", searchParams);
  if (!settings) return <Missing />;
  const { ctx, account, workspace, plain } = settings;
  const [{ sessions }, keys, log] = await Promise.all([
    execute(listSessions, {}, ctx),
    execute(listPasskeys, {}, ctx),
    auditPage(before, "/settings/account", (query) => execute(listAccountEvents, { query }, ctx)),
  ]);
  const providers = identityProviders().filter(({ id }) => id !== "email");
  const problem = signInProblem(error, { service: providers.find(({ id }) => id === provider)?.label });
  const byPassword = !env().SIGN_IN_PROVIDERS_ONLY;
  return (
    <SettingsShell
      page="account"
      account={account}
      workspace={workspace}
      plain={plain}
      intro="Sign-in methods, signed-in browsers and the account log."
    >
      {problem && (
        <div className="mt-6">
          <Notice tone="danger">{problem}</Notice>
        </div>
      )}
      <SettingsSection id="profile" title="Profile">
        <NameForm
          method="PATCH"
          path="/api/account"
          body="optional_name"
          done="Name saved."
          label="Name"
          defaultValue={account.name ?? ""}
          hint="Shown to members of your workspaces."
          autoComplete="name"
          submit="Save"
        />
        <EmailState account={account} canMail={canMail()} />
        {byPassword && account.has_password && <AddressForm canMail={canMail()} />}
        {byPassword && !account.has_password && (
          <p className="mt-3 text-muted text-sm">To change your email address, set a password first.</p>
        )}
      </SettingsSection>
      <SettingsSection id="ways" title="Sign-in methods">
        <SignInMethods account={account} providers={providers} canMail={canMail()} byPassword={byPassword} />
      </SettingsSection>
      {byPassword && account.has_password && (
        <SettingsSection id="password" title="Change password" intro="All other browsers are signed out.">
          <PasswordForm email={account.email} />
        </SettingsSection>
      )}
      <SettingsSection
        id="passkeys"
        title="Passkeys"
        intro="A second step: with a passkey, signing in also needs your phone, computer or security key."
      >
        <PasskeyList
          passkeys={keys.passkeys}
          codesLeft={keys.recovery_codes_left}
          mayChange={keys.recently_proved}
          hasPassword={byPassword && account.has_password}
          canAdd={canPasskey()}
          now={ctx.now()}
        />
      </SettingsSection>
      <SettingsSection
        id="sessions"
        title="Signed-in browsers"
        intro="A browser stays signed in for 30 days, or until you sign it out."
        action={
          <ActionButton
            method="DELETE"
            path="/api/account/sessions"
            label="Sign out everywhere"
            title="Sign out everywhere?"
            leadsTo="/sign-in?after=everywhere"
          >
            <p>All browsers, including this one, have to sign in again. Unsaved input is lost.</p>
            <p>Use keys keep working. Revoke them under Access.</p>
          </ActionButton>
        }
      >
        <SessionList sessions={sessions} now={ctx.now()} />
      </SettingsSection>
      <SettingsSection id="log" title="Account log" intro={`Changes to your account. ${PLACES_EXPLAINED}`}>
        <AuditList
          log={log}
          viewer={account.email}
          now={ctx.now()}
          page="/settings/account"
          paged={before !== undefined}
        />
      </SettingsSection>
      <SettingsSection
        id="delete"
        title="Delete account"
        intro="Also deletes its sessions, keys, connections, and workspaces without other members. This is final."
      >
        <DeleteForm
          method="POST"
          path="/api/account/delete"
          body="account"
          leadsTo="/sign-in?after=deleted"
          field={{ name: "email", type: "email", label: "Email address" }}
          typed={account.email}
          asksPassword={account.has_password}
          submit="Delete account"
        />
      </SettingsSection>
    </SettingsShell>
  );
}
