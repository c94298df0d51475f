import { z } from "zod";
import { workspaceOf } from "@/lib/access/actor";
import { tableRoute } from "@/lib/describe/links";
import { VERSION_HELP, versionNameSchema } from "@/lib/engine/grammar/version-choice";
import { PARQUET_MEDIA } from "@/lib/formats/parquet-media";
import { env } from "@/lib/kernel/env";
import { formatBinaryBytes, formatCount } from "@/lib/kernel/format";
import { type Tool, tool } from "@/lib/mcp/tool";
import { locateChosen, locateTable } from "@/lib/operations/reading/locate-table";
import { tableIdOf } from "@/lib/operations/reading/names";
import { READING, type ToolAccess } from "@/lib/operations/tool-part";
import { citationLine } from "@/lib/operations/views/cited-read";

const inputSchema = z.strictObject({
  table_id: z.string().describe("A table_id, or dataset/table."),
  version_id: versionNameSchema.optional().describe(VERSION_HELP),
  as_of: versionNameSchema.optional().describe("Instead of version_id: a date or UTC timestamp."),
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
  async call({ table_id, ...choice }, ctx) {
    const table = await locateTable(await tableIdOf(table_id, ctx), workspaceOf(ctx));
    const version = await locateChosen(table, choice, "/", ctx.now());
    const current = tableRoute(ctx.baseUrl, version.tableId, "current");
    const url = choice.version_id || choice.as_of ? `${current}?version_id=${version.versionId}` : current;
    const filename = `${version.datasetSlug}-${version.tableSlug}-${version.versionId.slice(0, 8)}.parquet`;
    const citation = citationLine(version, ctx);
    const structured = {
      url,
      header: "x-api-key: svc_use_… (a use key)",
      media_type: PARQUET_MEDIA,
      bytes: version.bytes,
      rows: version.rows,
      content_digest: `sha256:${version.digest}`,
      filename,
      examples: examples(url, filename),
      citation,
    };
    const text = [
      `GET ${url}`,
      `Header: ${structured.header}`,
      `Parquet, ${formatCount(version.bytes)} bytes, ${formatCount(version.rows)} rows, sha256 ${version.digest}`,
      ...Object.values(structured.examples),
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

/** Names what each credential allows, of all tools. */
export const accessInstructionsTool = (tools: () => readonly Tool[]) =>
  tool({
    name: "get_access_instructions",
    title: "How to get access",
    description:
      "What works without a credential, what requires one, how a person gets a use key (their API key), and the " +
      "limits. Call it when a tool requires a credential, or to explain to a person how to connect.",
    access: "connector_open",
    takes: "request",
    hints: READING,
    input: z.strictObject({}),
    output: z.strictObject({ text: z.string(), sign_up_url: z.string(), keys_url: z.string(), docs_url: z.string() }),
    async call(_args, { baseUrl }) {
      const text = accessText(baseUrl, (access) =>
        tools().flatMap((each) => (each.access === access ? [each.name] : [])),
      );
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

function accessText(base: string, namesOf: (access: ToolAccess) => readonly string[]): string {
  const {
    LIMIT_ADDRESS_MINUTE,
    LIMIT_ADDRESS_DAY,
    LIMIT_CATALOGUE_MINUTE,
    LIMIT_KEY_MINUTE,
    LIMIT_KEY_DAY,
    ROWS_ANONYMOUS,
    ROWS_KEY,
    BYTES_KEY,
    CONNECTOR_ACCEPT_USE_KEYS,
  } = env();
  const key = CONNECTOR_ACCEPT_USE_KEYS
    ? `With a use key as "Authorization: Bearer svc_use_…" in the client's settings of this connector: ` +
      `${sentence(namesOf("connector_read"))} as well, and the private tables of the key's workspace.`
    : "This connector does not accept use keys.";
  return [
    `Without a credential: ${namesOf("connector_open").join(", ")}.`,
    `With an OAuth connection: all tools, and the private tables of the chosen workspace. The client signs them in ` +
      `when a tool requires it. Clients that sign in only when the connector itself requires it use ` +
      `${base}/api/mcp/account. Connections are listed and revoked at ${base}/settings/access.`,
    `From a terminal: "parquetry login --url ${base}" shows a code to enter at ${base}/device; "parquetry call" ` +
      `can then call all tools.`,
    key,
    `To get a use key, sign up at ${base}/sign-up and create the key at ${base}/settings/access, where it is shown ` +
      `once. Ask the person to enter it in the client's settings, never in the conversation.`,
    `${sentence(namesOf("connector_change"))} requires an OAuth connection or a signed-in terminal, not a use key. ` +
      "The first query_table call on a dataset also connects it.",
    `Outside the connector: POST ${base}/api/public/tables/{table_id}/query answers queries without a key ` +
      `(${formatCount(ROWS_ANONYMOUS)} rows per page); with header x-api-key, ` +
      `${base}/api/v2/public/tables/{table_id}/query returns ${formatCount(ROWS_KEY)} rows and ` +
      `${formatBinaryBytes(BYTES_KEY)} per page, and …/current the whole file.`,
    `Limits of queries (query_table, compare_versions): ${formatCount(LIMIT_ADDRESS_MINUTE)} per minute and ` +
      `${formatCount(LIMIT_ADDRESS_DAY)} per day per IP address without a credential, ` +
      `${formatCount(LIMIT_KEY_MINUTE)} and ${formatCount(LIMIT_KEY_DAY)} per key or connection. Other calls: ` +
      `${formatCount(LIMIT_CATALOGUE_MINUTE)} per minute, separately.`,
  ].join("\n");
}

/** `a, b and c`. */
const sentence = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
