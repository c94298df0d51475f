import type { Metadata } from "next";
import type { ReactNode } from "react";
import { findDatasets, readSchema } from "@/app/catalogue";
import { Missing } from "@/app/missing";
import type { SearchParams } from "@/app/search-params";
import { type SettingsContext, settingsContext } from "@/app/settings/settings-context";
import { ConnectedAgents, ConnectedDatasets, SignedInDevices } from "@/components/settings/connections";
import type { QueryExample } from "@/components/settings/key-forms";
import { LiveKeys, UseKeys } from "@/components/settings/key-list";
import { LimitMeters } from "@/components/settings/limit-meters";
import { LiveRefresh } from "@/components/settings/live-refresh";
import { SettingsSection, SettingsShell } from "@/components/settings/settings-shell";
import { UsageReport } from "@/components/settings/usage-report";
import type { Context } from "@/lib/access/context";
import { exampleQuery } from "@/lib/describe/snippets";
import { env } from "@/lib/kernel/env";
import { execute } from "@/lib/operations/execute";
import { openedBy } from "@/lib/operations/hosted/live-key";
import { listAgents } from "@/lib/operations/workspace/agents";
import { listDevices } from "@/lib/operations/workspace/devices";
import { listKeys } from "@/lib/operations/workspace/keys";
import { getUsage, listConnectedDatasets } from "@/lib/operations/workspace/usage";

export const metadata: Metadata = { title: "Access" };

const SPANS = [31, 92] as const;

export default async function AccessPage({ searchParams }: { searchParams: SearchParams }) {
  const settings = await settingsContext("access", searchParams);
  if (!settings) return <Missing />;
  const { ctx, account, workspace, plain } = settings;
  const { days: wanted } = await searchParams;
  const days = SPANS.find((span) => String(span) === wanted) ?? SPANS[0];
  const now = ctx.now();
  const path = { workspace_id: workspace.id };
  const [{ keys }, usage, { datasets }, { agents }, { devices }, example] = await Promise.all([
    execute(listKeys, { path, query: {} }, ctx),
    execute(getUsage, { path, query: { days } }, ctx),
    execute(listConnectedDatasets, { path, query: {} }, ctx),
    execute(listAgents, { path, query: {} }, ctx),
    execute(listDevices, { path, query: {} }, ctx),
    queryExample(ctx),
  ]);
  const api = `/api/account/workspaces/${workspace.id}`;
  const readers = { path: api, service: ctx.baseUrl, shared: workspace.members > 1, now };
  const live = keys.filter(({ kind }) => kind === "live");
  return (
    <SettingsShell
      page="access"
      account={account}
      workspace={workspace}
      plain={plain}
      intro="API keys, connected apps and usage for this workspace."
    >
      <SettingsSection id="keys" title="Use keys" intro={keysIntro(workspace)}>
        <UseKeys
          keys={keys.filter(({ kind }) => kind === "use")}
          path={api}
          limits={usage.limits}
          example={example}
          shared={workspace.members > 1}
          rows={{ key: env().ROWS_KEY, anonymous: env().ROWS_ANONYMOUS }}
          now={now}
        />
      </SettingsSection>
      <SettingsSection id="agents" title="Connected agents" intro="Apps connected through MCP.">
        <ConnectedAgents agents={agents} {...readers} />
      </SettingsSection>
      <SettingsSection
        id="devices"
        title="Devices"
        intro={
          "Computers whose command line reads for " +
          `${workspace.personal ? "your personal workspace" : `“${workspace.name}”`}.`
        }
      >
        <SignedInDevices devices={devices} {...readers} />
      </SettingsSection>
      <SettingsSection
        id="usage"
        title="Usage"
        intro="Reads by the workspace’s keys, agents and devices, in UTC days."
        action={<LiveRefresh at={`${now.toISOString().slice(11, 19)} UTC`} />}
      >
        <UsageReport
          usage={usage}
          spans={SPANS.map((span) => ({ days: span, href: spanUrl(workspace, span), current: span === days }))}
        />
      </SettingsSection>
      {usage.limits.length > 0 && (
        <SettingsSection id="limits" title="Limits">
          <LimitMeters limits={usage.limits} now={now} />
        </SettingsSection>
      )}
      <SettingsSection
        id="datasets"
        title="Connected datasets"
        intro={
          "A public dataset is connected when one of the workspace’s keys, agents or devices first reads it. " +
          "This is visible only within the workspace."
        }
      >
        <ConnectedDatasets datasets={datasets} now={now} />
      </SettingsSection>
      {(live.length > 0 || workspace.plan === "paid") && (
        <SettingsSection id="live-keys" title="Live keys">
          <LiveKeys
            keys={live}
            opens={await openedBy({ workspaceId: workspace.id })}
            path={api}
            workspace={workspace}
            now={now}
          />
        </SettingsSection>
      )}
    </SettingsShell>
  );
}

type Workspace = SettingsContext["workspace"];

function keysIntro({ role, members }: Workspace): ReactNode {
  const seen =
    members === 1
      ? ""
      : role === "owner"
        ? " As an owner you see all of them."
        : " You see your own. Owners see all of them.";
  return (
    <>
      A program sends its use key (your API key) in the header <Code>x-api-key</Code> to query and download, or as{" "}
      <Code>Authorization: Bearer</Code> to the agent connector.{seen}
    </>
  );
}

const Code = ({ children }: { children: string }) => (
  <code className="whitespace-nowrap font-mono text-ink text-xs">{children}</code>
);

function spanUrl({ id, personal }: Workspace, days: number): string {
  const search = new URLSearchParams({
    ...(!personal && { workspace: id }),
    ...(days !== SPANS[0] && { days: String(days) }),
  }).toString();
  return `/settings/access${search && `?${search}`}#usage`;
}

/**
 * A query of the newest table in the catalogue, to try a key. Undefined if there is none, or if it cannot be read, for
 * example because it was withdrawn a moment ago: the page is complete without it.
 */
async function queryExample(ctx: Context): Promise<QueryExample | undefined> {
  try {
    const [dataset] = (await findDatasets({ limit: 1 }, ctx)).datasets;
    const table = dataset?.tables[0];
    if (!dataset || !table) return undefined;
    const { columns } = await readSchema(table.tableId, ctx);
    return { url: table.query_url, title: dataset.title, body: exampleQuery(columns) };
  } catch (error) {
    ctx.onBackgroundError(error);
    return undefined;
  }
}
