import type { Metadata } from "next";
import { Missing } from "@/app/missing";
import type { SearchParams } from "@/app/search-params";
import { settingsContext } from "@/app/settings/settings-context";
import { NewSecret } from "@/components/settings/secret-forms";
import { SecretList } from "@/components/settings/secret-list";
import { SettingsSection, SettingsShell } from "@/components/settings/settings-shell";
import { execute } from "@/lib/operations/execute";
import { listSecrets } from "@/lib/operations/workspace/secrets";

export const metadata: Metadata = { title: "Secrets" };

export default async function SecretsPage({ searchParams }: { searchParams: SearchParams }) {
  const settings = await settingsContext("secrets", searchParams);
  if (!settings) return <Missing />;
  const { ctx, account, workspace, plain } = settings;
  const { secrets } = await execute(listSecrets, { path: { workspace_id: workspace.id } }, ctx);
  const path = `/api/account/workspaces/${workspace.id}`;
  return (
    <SettingsShell
      page="secrets"
      account={account}
      workspace={workspace}
      plain={plain}
      intro="Credentials for the sources that recipes read. Each is sent only to the hosts listed for it."
    >
      <SettingsSection
        id="secrets"
        title="Source credentials"
        intro={who(workspace)}
        action={<NewSecret path={path} />}
      >
        <SecretList secrets={secrets} path={path} canDelete={workspace.role === "owner"} now={ctx.now()} />
      </SettingsSection>
    </SettingsShell>
  );
}

const who = ({ role, members }: { role: string; members: number }): string =>
  members === 1
    ? "Values can’t be viewed after saving, only replaced or deleted."
    : `All members can add and replace them. Only owners${role === "owner" ? " like you" : ""} can delete them. ` +
      "Values can’t be viewed after saving.";
