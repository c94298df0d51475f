import type { CodeLanguage } from "@/lib/describe/code-language";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import type { Column } from "@/lib/schemas/column";
import type { DatasetEntry, TableEntry } from "@/lib/schemas/dataset";
import { requestCode } from "./request-code";
import { type Json, shellWord, sqlName, sqlText } from "./snippet-text";

export interface Snippet {
  id: string;
  /** The tab's label. */
  tab: string;
  /** What it does, and whether it needs a key. */
  note: string;
  language: CodeLanguage;
  code: string;
}

export type QueryBody = { readonly [key: string]: Json };
type SnippetTable = Pick<TableEntry, "name" | "slug" | "query_url" | "current_url"> &
  Pick<DatasetEntry, "markdown_url"> & {
    /** URL of all current tables in one file; absent for older versions. */
    archive_url?: string | undefined;
  };
type SnippetColumn = Pick<Column, "name" | "type" | "operators" | "profile">;

const COLUMNS_SHOWN = 4;
const FILTER_VALUE_MAX = 60;

/** The query route that needs no key. */
export const anonymousQueryUrl = (table: Pick<TableEntry, "query_url">): string =>
  table.query_url.replace("/api/v2/public/", "/api/public/");

/**
 * A query of the table that returns rows: its first columns, filtered by the most frequent value of a string column.
 */
export function exampleQuery(columns: readonly SnippetColumn[]): QueryBody {
  const filtered = columns.find((column) => commonValue(column) !== undefined);
  const names = columns.slice(0, COLUMNS_SHOWN).map((column) => column.name);
  if (!filtered) return { columns: names, limit: 5 };
  const shown = names.includes(filtered.name) ? names : [...names.slice(0, COLUMNS_SHOWN - 1), filtered.name];
  const value = commonValue(filtered) ?? "";
  return { columns: shown, filters: [{ column: filtered.name, operator: "eq", value }], limit: 5 };
}

function commonValue(column: SnippetColumn): string | undefined {
  const top = column.profile.top_values?.[0];
  const usable =
    columnTypeOf(column).family === "text" && column.operators.includes("eq") && typeof top?.value === "string";
  if (!usable || top.count < 2) return undefined;
  const value = top.value as string;
  return value !== "" && value.length <= FILTER_VALUE_MAX ? value : undefined;
}

interface SnippetOptions {
  /** Pins an immutable version. */
  versionId?: string | undefined;
  /** Only what reads with a key: a private table is not found without one of its workspace. */
  isPrivate?: boolean;
}

/** Code to read one table, ready to paste. Keys are read from the variable PARQUETRY_KEY. */
export function tableSnippets(
  given: SnippetTable,
  columns: readonly SnippetColumn[],
  { versionId, isPrivate = false }: SnippetOptions = {},
): Snippet[] {
  const example = exampleQuery(columns);
  const query: QueryBody = versionId ? { ...example, version_id: versionId } : example;
  const table = versionId ? { ...given, current_url: `${given.current_url}?version_id=${versionId}` } : given;
  const names = example.columns as readonly string[];
  const open = anonymousQueryUrl(table);
  const request = { url: isPrivate ? table.query_url : open, body: query, reply: "rows" as const, ...keyOf(isPrivate) };
  const needs = (otherwise: string) => (isPrivate ? KEY_REQUIRED : otherwise);
  return [
    ...(isPrivate ? [] : [keylessCurl(open, query)]),
    {
      id: "curl-key",
      tab: "curl with key",
      note: "With a use key (your API key): up to 10,000 rows per page, all pages.",
      language: "shellscript",
      code: curlQuery(table.query_url, query, true),
    },
    {
      id: "download",
      tab: "Download",
      note: `The whole table as one Parquet file. ${KEY_REQUIRED}`,
      language: "shellscript",
      code: curlDownload(table.current_url, `${table.slug}.parquet`),
    },
    ...archiveSnippet(table),
    {
      id: "python",
      tab: "Python",
      note: needs("No key or package required."),
      language: "python",
      code: requestCode("python", request),
    },
    {
      id: "pandas",
      tab: "pandas",
      note: `The whole table as a data frame. ${KEY_REQUIRED}`,
      language: "python",
      code: pandas(table, names),
    },
    {
      id: "polars",
      tab: "Polars",
      note: `The whole table as a data frame. ${KEY_REQUIRED}`,
      language: "python",
      code: polars(table, names),
    },
    {
      id: "duckdb",
      tab: "DuckDB",
      note: `Reads only the columns and row groups it needs. ${KEY_REQUIRED}`,
      language: "sql",
      code: duckdb(table, names),
    },
    {
      id: "javascript",
      tab: "JavaScript",
      note: `${needs("No key required.")} Runs in ${isPrivate ? "" : "browsers, "}Node and Deno.`,
      language: "javascript",
      code: requestCode("javascript", request),
    },
    {
      id: "r",
      tab: "R",
      note: `${needs("No key required.")} Needs R 4.1 or newer and the package httr2.`,
      language: "r",
      code: requestCode("r", request),
    },
    ...(isPrivate ? [] : [agentSnippet(table, open, query)]),
  ];
}

const KEY_REQUIRED = "Requires a use key (your API key).";

const keyOf = (isKeyed: boolean) => (isKeyed ? { key: "PARQUETRY_KEY" } : {});

const keylessCurl = (url: string, query: QueryBody): Snippet => ({
  id: "curl",
  tab: "curl",
  note: "No key required. Up to 100 rows per page.",
  language: "shellscript",
  code: curlQuery(url, query),
});

const agentSnippet = (table: SnippetTable, url: string, query: QueryBody): Snippet => ({
  id: "agent",
  tab: "Agent",
  note: "A prompt for any agent that can browse the web and send requests.",
  language: "text",
  code: agentPrompt(table, url, query),
});

/** A query with curl; the key is that of the variable PARQUETRY_KEY. */
export const curlQuery = (url: string, query: QueryBody, keyed = false): string =>
  requestCode("curl", { url, body: query, ...keyOf(keyed), reply: "json" });

const curlDownload = (url: string, file: string): string =>
  `curl -f ${shellWord(url)} \\\n  -H "x-api-key: $PARQUETRY_KEY" \\\n  -o ${shellWord(file)}`;

function archiveSnippet({ archive_url: url }: SnippetTable): Snippet[] {
  if (url === undefined) return [];
  const note =
    "All tables of the dataset with their schemas, licence and citation as one .zip file, as CSV with ?format=csv. " +
    KEY_REQUIRED;
  return [{ id: "zip", tab: "Zip", note, language: "text", code: curlDownload(url, "dataset.zip") }];
}

const duckdb = (table: SnippetTable, names: readonly string[]): string =>
  [
    "INSTALL httpfs; LOAD httpfs;",
    "CREATE SECRET parquetry (",
    `  TYPE http, SCOPE ${sqlText(new URL(table.current_url).origin)},`,
    "  EXTRA_HTTP_HEADERS MAP {'x-api-key': getenv('PARQUETRY_KEY')}",
    ");",
    `SELECT ${names.map(sqlName).join(", ")}`,
    `FROM read_parquet(${sqlText(table.current_url)})`,
    "LIMIT 5;",
  ].join("\n");

const pandas = (table: SnippetTable, names: readonly string[]): string =>
  [
    "import os",
    "import pandas as pd  # with pyarrow",
    "",
    "df = pd.read_parquet(",
    `    ${JSON.stringify(table.current_url)},`,
    `    columns=${listText(names)},`,
    '    storage_options={"x-api-key": os.environ["PARQUETRY_KEY"]},',
    ")",
    "print(df.head())",
  ].join("\n");

const polars = (table: SnippetTable, names: readonly string[]): string =>
  [
    "import io, os, urllib.request",
    "import polars as pl",
    "",
    "request = urllib.request.Request(",
    `    ${JSON.stringify(table.current_url)},`,
    '    headers={"x-api-key": os.environ["PARQUETRY_KEY"]},',
    ")",
    "with urllib.request.urlopen(request) as response:",
    `    df = pl.read_parquet(io.BytesIO(response.read()), columns=${listText(names)})`,
    "print(df.head())",
  ].join("\n");

const agentPrompt = (table: SnippetTable, url: string, query: QueryBody): string =>
  [
    `Read ${table.markdown_url}: it describes the dataset, its tables and their columns.`,
    `Answer my questions from the table "${table.name}" by sending POST ${url}`,
    'with a JSON body such as {"columns": […], "filters": […], "group_by": […], "aggregates": […], "limit": ' +
      "100}; no key is required.",
    `The whole grammar is in ${new URL("/api/v2/public/openapi.json", url).href}.`,
    ...(query.version_id === undefined
      ? []
      : [`Send "version_id": ${JSON.stringify(query.version_id)} with each request to pin the version.`]),
    "Cite the version_id and content_digest of each answer.",
  ].join("\n");

const listText = (names: readonly string[]): string => JSON.stringify(names).replaceAll('","', '", "');
