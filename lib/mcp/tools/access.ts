import { z } from "zod";
import type { CredentialKind } from "@/lib/access/access-table";
import { readerOf } from "@/lib/access/actor";
import { credentialOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { tableRoute } from "@/lib/describe/links";
import { VERSION_HELP, versionNameSchema } from "@/lib/engine/grammar/version-choice";
import { PARQUET_MEDIA } from "@/lib/formats/parquet-media";
import { env } from "@/lib/kernel/env";
import { formatBinaryBytes, formatCount, formatPlural } from "@/lib/kernel/format";
import { rejectionOf } from "@/lib/mcp/rejection";
import { type Tool, tool } from "@/lib/mcp/tool";
import { locateChosen, locateNamed, locateTable } from "@/lib/operations/reading/locate-table";
import { tableIdOf } from "@/lib/operations/reading/names";
import { READING, type ToolAccess } from "@/lib/operations/tool-part";
import { citationLine } from "@/lib/operations/views/cited-read";
import type { TableVersion } from "@/lib/store/datasets/tables";
import type { StoredKey } from "@/lib/store/people/keys";

const inputSchema = z.strictObject({
  table_id: z.string().describe("A table_id, or dataset/table."),
  version_id: versionNameSchema.optional().describe(VERSION_HELP),
  as_of: versionNameSchema.optional().describe("Instead of version_id: a date or UTC timestamp."),
  since: versionNameSchema.optional().describe("A version you have: adds how to get its changes."),
});

const outputSchema = z.strictObject({
  url: z.string(),
  header: z.string(),
  media_type: z.string(),
  bytes: z.int(),
  rows: z.int(),
  content_digest: z.string(),
  filename: z.string(),
  examples: z.strictObject({ curl: z.string(), duckdb: z.string(), polars: z.string(), pandas: z.string() }),
  changes: z.string().optional(),
  citation: z.string(),
});

export const getDownloadInstructionsTool = tool({
  name: "get_download_instructions",
  title: "How to download a table",
  description:
    "How to download a whole table as one Parquet file: URL, required header, size, SHA-256, and commands for " +
    "curl, DuckDB, Polars and pandas. The download requires a person's use key (their API key), which is never " +
    "part of the reply. Use it when a question needs more rows than query_table returns per page.",
  access: "connector_open",
  takes: "request",
  hints: READING,
  input: inputSchema,
  output: outputSchema,
  async call({ table_id, since, ...choice }, ctx) {
    const table = await locateTable(await tableIdOf(table_id, ctx), readerOf(ctx));
    const version = await locateChosen(table, choice, "/", ctx.now());
    const current = tableRoute(ctx.baseUrl, version.tableId, "current");
    const url = choice.version_id || choice.as_of ? `${current}?version_id=${version.versionId}` : current;
    const filename = `${version.datasetSlug}-${version.tableSlug}-${version.versionId.slice(0, 8)}.parquet`;
    const citation = citationLine(version, ctx);
    const changes =
      since === undefined ? undefined : changesSince(await locateNamed(table, since, "/since"), version, ctx);
    const structured = {
      url,
      header: "x-api-key: svc_use_… (a use key)",
      media_type: PARQUET_MEDIA,
      bytes: version.bytes,
      rows: version.rows,
      content_digest: `sha256:${version.digest}`,
      filename,
      examples: examples(url, filename),
      ...(changes && { changes }),
      citation,
    };
    const text = [
      `GET ${url}`,
      `Header: ${structured.header}`,
      `Parquet, ${formatCount(version.bytes)} bytes, ${formatCount(version.rows)} rows, sha256 ${version.digest}`,
      ...Object.values(structured.examples),
      ...(changes ? [changes] : []),
      citation,
    ].join("\n");
    const link = {
      type: "resource_link" as const,
      uri: url,
      name: filename,
      mimeType: structured.media_type,
      size: version.bytes,
    };
    return { structured, text, links: [link] };
  },
});

/** How to read what changed between two versions: page by page, or into a copy in SQLite. */
function changesSince(since: TableVersion, until: TableVersion, { baseUrl }: Context): string {
  const between = new URLSearchParams({ since: since.versionId, until: until.versionId });
  const url = `${tableRoute(baseUrl, until.tableId, "changes")}?${between}`;
  return (
    `curl -fsS -H "x-api-key: $PARQUETRY_KEY" '${url}' # or: ` +
    `parquetry sync ${until.datasetSlug}/${until.tableSlug} ${until.tableSlug}.sqlite`
  );
}

/** The key comes from the environment: an agent neither sees nor writes it. */
const examples = (url: string, filename: string) => ({
  curl: `curl -fsS -H "x-api-key: $PARQUETRY_KEY" -o ${filename} '${url}'`,
  duckdb:
    `CREATE SECRET (TYPE http, SCOPE '${new URL(url).origin}', EXTRA_HTTP_HEADERS MAP {'x-api-key': ` +
    `getenv('PARQUETRY_KEY')}); SELECT * FROM read_parquet('${url}') LIMIT 10;`,
  polars:
    "import io, os, polars as pl, urllib.request as r; df = " +
    `pl.read_parquet(io.BytesIO(r.urlopen(r.Request('${url}', headers={'x-api-key': ` +
    "os.environ['PARQUETRY_KEY']})).read()))",
  pandas:
    `import os, pandas as pd; df = pd.read_parquet('${url}', storage_options={'x-api-key': ` +
    "os.environ['PARQUETRY_KEY']})",
});

/** Says what the caller may call, and how a person gives access to the rest, step by step. */
export const accessInstructionsTool = (tools: () => readonly Tool[]) =>
  tool({
    name: "get_access_instructions",
    title: "How to get access",
    description:
      "Which tools you can call now, how a person signs in or gets a use key (their API key) for the others, step " +
      "by step, and the limits. Call it when a tool requires a credential, or to explain to a person how to connect.",
    access: "connector_open",
    takes: "request",
    hints: READING,
    input: z.strictObject({}),
    output: z.strictObject({ text: z.string(), sign_up_url: z.string(), keys_url: z.string(), docs_url: z.string() }),
    async call(_args, ctx) {
      const { baseUrl } = ctx;
      const text = accessText(tools(), ctx);
      return {
        structured: {
          text,
          sign_up_url: `${baseUrl}/sign-up`,
          keys_url: `${baseUrl}/settings/access`,
          docs_url: `${baseUrl}/docs/connect`,
        },
        text,
      };
    },
  });

/** What a key is limited to, as the end of a sentence about it. */
const limitsOf = ({ permissions, datasetIds }: StoredKey): string =>
  [
    ...(permissions.includes("read") ? [] : [", which may not query"]),
    ...(permissions.includes("download") ? [] : [", which may not download"]),
    ...(datasetIds.length === 0 ? [] : [`, which reads ${formatPlural(datasetIds.length, "dataset")} only`]),
  ].join("");

/** The caller's credential, in words. */
function credentialText({ actor }: Context): string {
  const withScopes = (how: string) =>
    "grant" in actor ? `${how} with the scopes ${actor.grant.scopes.join(", ")}` : how;
  const kinds: Readonly<Partial<Record<CredentialKind, string>>> = {
    use_key: actor.kind === "key" ? `with a use key${limitsOf(actor.key)}` : "with a use key",
    connection: withScopes("through an OAuth connection"),
    device: withScopes("from a signed-in terminal"),
  };
  return kinds[credentialOf(actor)] ?? "without a credential";
}

function accessText(tools: readonly Tool[], ctx: Context): string {
  const { baseUrl: base } = ctx;
  const settings = env();
  const namesOf = (access: ToolAccess) => namesWhere((tool) => tool.access === access);
  const namesWhere = (wanted: (tool: Tool) => boolean) => sentence(tools.filter(wanted).map(({ name }) => name));
  const others = namesWhere((tool) => rejectionOf(tool, ctx) !== undefined);
  const accessPage = `${base}/settings/access`;
  const key = settings.CONNECTOR_ACCEPT_USE_KEYS
    ? `With a use key: ${namesOf("connector_read")} as well, and the private tables of its workspace; nothing that ` +
      `changes a workspace. 1. The person signs up or in at ${base}/sign-up. 2. They create the key at ` +
      `${accessPage}, where it is shown once. 3. They enter it in the client's settings of this connector as the ` +
      `header "Authorization: Bearer svc_use_…", never in the conversation. 4. They connect the client again.`
    : "This connector does not accept use keys.";
  return [
    `You call ${credentialText(ctx)}.`,
    `You can call: ${namesWhere((tool) => rejectionOf(tool, ctx) === undefined)}.`,
    others === "" ? "There are no other tools." : `You cannot call yet: ${others}.`,
    `By signing in (OAuth): every tool that reads, ${namesOf("connector_change")}, and the private tables of the ` +
      `chosen workspace. 1. Call a tool that requires it, such as query_table: the client opens ${base} in a ` +
      `browser. 2. The person signs in or up, chooses the workspace and approves. 3. Call the tool again. A client ` +
      `that does not offer to sign in is given the URL ${base}/api/mcp/account instead. ${accessPage} lists ` +
      "connections and ends them.",
    `To build datasets: sign in as above with the scope datasets:build, which the client requests when a tool such ` +
      `as create_dataset requires it, for a workspace on a paid plan (${base}/settings/workspace). Get the list of ` +
      "tools again afterwards.",
    key,
    `From a terminal: "parquetry login --url ${base}" shows a code, which the person enters at ${base}/device; ` +
      `"parquetry call" can then call all tools.`,
    `Outside the connector: POST ${base}/api/public/tables/{table_id}/query answers queries without a key ` +
      `(${formatCount(settings.ROWS_ANONYMOUS)} rows per page); with header x-api-key, ` +
      `${base}/api/v2/public/tables/{table_id}/query returns ${formatCount(settings.ROWS_KEY)} rows and ` +
      `${formatBinaryBytes(settings.BYTES_KEY)} per page, and …/current the whole file.`,
    `Limits: queries (${namesWhere((tool) => tool.takes === "query")}) ` +
      `${formatCount(settings.LIMIT_ADDRESS_MINUTE)} per minute and ${formatCount(settings.LIMIT_ADDRESS_DAY)} per ` +
      `day per IP address without a credential, ${formatCount(settings.LIMIT_KEY_MINUTE)} and ` +
      `${formatCount(settings.LIMIT_KEY_DAY)} per key or connection. All other calls have their own ` +
      `${formatCount(settings.LIMIT_CATALOGUE_MINUTE)} per minute.`,
  ].join("\n");
}

/** `a, b and c`. */
const sentence = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
