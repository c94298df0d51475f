import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import { membershipOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { connectionQuotas, keyQuotas, personQuotas } from "@/lib/access/quotas";
import { datasetPage } from "@/lib/describe/links";
import type { Left } from "@/lib/limits/rate-limit";
import type { WindowState } from "@/lib/limits/window";
import { operation } from "@/lib/operations/operation";
import { type Connections, connectionsSchema, type Usage, type UsageKind, usageSchema } from "@/lib/schemas/usage";
import { workspacePathSchema } from "@/lib/schemas/workspace";
import type { Reader } from "@/lib/store/datasets/readable";
import { listConnections } from "@/lib/store/people/agent-connections";
import { listDevices } from "@/lib/store/people/devices";
import { listKeys, type StoredKey } from "@/lib/store/people/keys";
import { listConnected } from "@/lib/store/usage/readings";
import { type UsageReport, type UsageSums, usageOf } from "@/lib/store/usage/usage-report";

const DAY_MS = 86_400_000;
const querySchema = z.strictObject({
  days: z.coerce.number().int().min(1).max(92).default(31).describe("Number of days, including today: 1 to 92."),
});

/** GET what the workspace's keys and agents read, and what remains of their quotas. */
export const getUsage = operation({
  name: "get_usage",
  summary: "Get a workspace's usage",
  description:
    "Queries, downloads, rows and bytes by day, table and key or connected agent, and today's quota use of each " +
    "active key, agent and device. Members see the numbers for all keys, but names and quotas only for their own.",
  access: "member",
  quota: "account",
  http: { method: "GET", path: "/api/account/workspaces/{workspace_id}/usage" },
  input: { path: workspacePathSchema, query: querySchema },
  output: usageSchema,
  async run({ query }, ctx): Promise<Usage> {
    const to = ctx.now();
    const { workspaceId, userId, role } = membershipOf(ctx);
    const span = { from: dayOf(new Date(to.getTime() - (query.days - 1) * DAY_MS)), to: dayOf(to) };
    const [report, keys] = await Promise.all([usageOf(workspaceId, span), listKeys({ workspaceId })]);
    const own = keys.filter((key) => role === "owner" || key.userId === userId);
    const isSeen = (holder: string | null) => role === "owner" || holder === null || holder === userId;
    const limits = [
      ...(await keyLimits(own, ctx)),
      ...(await connectionLimits(workspaceId, role === "owner" ? undefined : userId, ctx)),
      ...(await browserLimits(userId, ctx)),
    ];
    return { schema_version: "service-usage.v1", ...span, ...presentReport(report, isSeen), limits };
  },
});

const isUsageKind = (kind: string | null): kind is UsageKind =>
  kind === "agent" || kind === "device" || kind === "browser";

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

type Limit = Usage["limits"][number];

async function keyLimits(own: readonly StoredKey[], ctx: Context): Promise<Limit[]> {
  const keys = own.filter(
    ({ kind, revokedAt, expiresAt }) => kind === "use" && !revokedAt && !(expiresAt && expiresAt <= ctx.now()),
  );
  const quotas = await keyQuotas(
    keys.map(({ id }) => id),
    ctx,
  );
  return keys.flatMap((key, at) => {
    const quota = quotas[at];
    if (!quota) return [];
    const { query, download } = quota;
    return [
      {
        key_id: key.id,
        kind: "key" as const,
        name: key.name,
        ends: endsOf(key),
        ...queriesOf(query),
        downloads_day: usedOf(download.day),
      },
    ];
  });
}

/** `userId`: only this person's agents and devices; everybody's if absent. */
async function connectionLimits(workspaceId: string, userId: string | undefined, ctx: Context): Promise<Limit[]> {
  const [agents, devices] = await Promise.all([
    listConnections(workspaceId, userId),
    listDevices(workspaceId, ctx.now(), userId),
  ]);
  const all = [
    ...agents.map(({ id, clientName }) => ({ key_id: id, kind: "agent" as const, name: clientName, ends: null })),
    ...devices.map(({ id, name, first4, last4 }) => ({
      key_id: id,
      kind: "device" as const,
      name,
      ends: endsOf({ kind: "cli", first4, last4 }),
    })),
  ];
  const quotas = await connectionQuotas(
    all.map(({ key_id }) => key_id),
    ctx,
  );
  return all.flatMap((one, at) =>
    quotas.slice(at, at + 1).map((left) => ({ ...one, ...queriesOf(left), downloads_day: null })),
  );
}

/** For the caller's own browser: what a person reads counts for that person, whatever the workspace. */
async function browserLimits(userId: string, ctx: Context): Promise<Limit[]> {
  const quotas = await personQuotas([userId], ctx);
  return quotas.map(({ query, download }) => ({
    key_id: userId,
    kind: "browser",
    name: "Your own browser",
    ends: null,
    ...queriesOf(query),
    downloads_day: usedOf(download.day),
  }));
}

const queriesOf = ({ minute, day }: Left) => ({ queries_minute: usedOf(minute), queries_day: usedOf(day) });

const usedOf = ({ limit, remaining, startAt, lengthSeconds }: WindowState) => ({
  limit,
  used: limit - (remaining ?? limit),
  resets_at: new Date(startAt.getTime() + lengthSeconds * 1000).toISOString(),
});

const endsOf = ({
  kind,
  first4,
  last4,
}: {
  kind: string | null;
  first4: string | null;
  last4: string | null;
}): string => `svc_${kind}_${first4}…${last4}`;

const withToday = ({ lastDay, ...counts }: UsageSums) => ({ ...counts, today: lastDay });

/** `isSeen`: whether the caller may know this person's keys and agents by name. */
function presentReport(
  { total, days, tables, keys }: UsageReport,
  isSeen: (holder: string | null) => boolean,
): Pick<Usage, "total" | "days" | "tables" | "keys"> {
  return {
    total: withToday(total),
    days,
    tables: tables.map(({ tableId, tableName, tableSlug, datasetSlug, datasetTitle, ...sums }) => ({
      table_id: tableId,
      name: tableName,
      slug: tableSlug,
      dataset: datasetSlug && datasetTitle ? { slug: datasetSlug, title: datasetTitle } : null,
      ...withToday(sums),
    })),
    keys: keys.map(({ keyId, kind, name, first4, last4, userId, revokedAt, ...sums }) => ({
      key_id: keyId,
      kind: isUsageKind(kind) ? kind : "key",
      name: isSeen(userId) ? name : null,
      ends: first4 && isSeen(userId) ? endsOf({ kind, first4, last4 }) : null,
      revoked: revokedAt !== null,
      ...withToday(sums),
    })),
  };
}

/** GET the datasets that the workspace's keys and agents read. */
export const listConnectedDatasets = operation({
  name: "list_connected_datasets",
  summary: "List connected datasets",
  description:
    "Public datasets read or connected by one of the workspace's keys or agents, newest first. The catalogue never " +
    "reveals who reads what.",
  access: "member",
  quota: "account",
  http: { method: "GET", path: "/api/account/workspaces/{workspace_id}/datasets" },
  input: { path: workspacePathSchema },
  output: connectionsSchema,
  run: ({ path }, ctx): Promise<Connections> => connectionsOf(readerOf(ctx) ?? { workspaceId: path.workspace_id }, ctx),
  mcp: {
    access: "connector_read",
    description:
      "The datasets connected to the credential's workspace, newest first, with the date of the last read: what this " +
      "person has worked with before. Requires a use key or a connection.",
  },
});

/** The datasets connected to the reader's workspace. */
async function connectionsOf(reader: Reader, ctx: Context): Promise<Connections> {
  const connected = await listConnected(reader);
  return {
    schema_version: "service-connections.v1",
    datasets: connected.map(({ slug, title, connectedAt, lastReadOn }) => ({
      slug,
      title,
      url: slug === null ? null : datasetPage(ctx.baseUrl, slug),
      connected_at: connectedAt.toISOString(),
      last_read: lastReadOn,
    })),
  };
}
