import { LockKeyhole } from "lucide-react";
import type { Metadata } from "next";
import { Missing } from "@/app/missing";
import type { SearchParams } from "@/app/search-params";
import { settingsContext } from "@/app/settings/settings-context";
import { NewSecret } from "@/components/settings/new-secret";
import { SecretTable } from "@/components/settings/secret-table";
import { SettingsSection } from "@/components/settings/settings-section";
import { SettingsShell } from "@/components/settings/settings-shell";
import { EmptyState } from "@/components/ui/empty-state";
import { execute } from "@/lib/operations/execute";
import { listSecrets } from "@/lib/operations/workspace/secrets";

export const metadata: Metadata = { title: "Secrets" };

export default async function SecretsPage({ searchParams }: { searchParams: SearchParams }) {
  const settings = await settingsContext("secrets", searchParams);
  if (!settings) return <Missing />;
  const { ctx, account, workspace } = settings;
  const { secrets } = await execute(listSecrets, { path: { workspace_id: workspace.id } }, ctx);
  const path = `/api/account/workspaces/${workspace.id}`;
  return (
    <SettingsShell
      page="secrets"
      account={account}
      workspace={workspace}
      intro="Credentials for the sources that the workspace’s recipes read from."
    >
      <SettingsSection
        id="secrets"
        title="Source credentials"
        intro={who(workspace)}
        action={<NewSecret path={path} />}
      >
        {secrets.length > 0 ? (
          <SecretTable secrets={secrets} path={path} canDelete={workspace.role === "owner"} now={ctx.now()} />
        ) : (
          <NoSecrets />
        )}
      </SettingsSection>
    </SettingsShell>
  );
}

const who = ({ role, members }: { role: string; members: number }): string =>
  members === 1
    ? "Nobody can read a value back, you included: it is replaced or deleted."
    : `Every member adds and replaces them, ${role === "owner" ? "owners like you" : "owners"} delete them. ` +
      "Nobody can read a value back.";

function NoSecrets() {
  return (
    <EmptyState icon={LockKeyhole} title="Nothing is stored yet">
      <p>
        Where a source asks for a key, a token or a password, it is stored here under a name, and a recipe says only
        that name: recipes, their logs and the agents that write them never hold the value.
      </p>
      <p>
        A value is sealed with AES-256-GCM under a key that is not in the database, and opened only for the request to
        the source. The audit log tells each change and each use.
      </p>
      <p>This service runs no recipes yet: what is stored now waits for them.</p>
    </EmptyState>
  );
}
