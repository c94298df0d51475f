import { isLosslessNumber, stringify } from "lossless-json";
import type { CodeLanguage } from "@/lib/describe/code-language";
import { shellWord } from "@/lib/describe/snippet-text";
import { parseExact } from "@/lib/engine/types/exact-number";
import { queryText, type View, type ViewQuery } from "@/lib/view/view";
import { type SqlColumn, viewSql } from "./view-sql";

/** A table's names and URLs. */
export interface SnippetTable {
  slug: string;
  /** Accepts queries with a key. */
  queryUrl: string;
  anonymousUrl: string;
  currentUrl: string;
}

export interface ViewSnippet {
  id: string;
  tab: string;
  note: string;
  language: CodeLanguage;
  code: string;
}

export interface SnippetInput {
  table: SnippetTable;
  view: View;
  columns: readonly SqlColumn[];
  query: ViewQuery;
  /** Whether a use key is sent, from the variable PARQUETRY_KEY. */
  keyed: boolean;
}

/** The view in each language, ready to paste. */
export function viewSnippets(input: SnippetInput): ViewSnippet[] {
  const { keyed } = input;
  const tier = keyed ? "Uses the use key in PARQUETRY_KEY." : "No key needed.";
  return [
    { id: "curl", tab: "curl", note: tier, language: "shellscript", code: curl(input) },
    {
      id: "javascript",
      tab: "JavaScript",
      note: `${tier} Runs in Node, Deno${keyed ? "" : " and browsers"}.`,
      language: "javascript",
      code: javascript(input),
    },
    {
      id: "python",
      tab: "Python",
      note: `${tier} Uses only the standard library.`,
      language: "python",
      code: python(input, false),
    },
    {
      id: "pandas",
      tab: "pandas",
      note: `${tier} Returns a data frame.`,
      language: "python",
      code: python(input, true),
    },
    { id: "r", tab: "R", note: `${tier} Uses httr2 and jsonlite.`, language: "text", code: r(input) },
    {
      id: "duckdb",
      tab: "DuckDB",
      note: "Reads the Parquet file in place. Uses the use key in PARQUETRY_KEY.",
      language: "sql",
      code: viewSql(input),
    },
    {
      id: "json",
      tab: "JSON",
      note: `The body of POST ${urlOf(input)}`,
      language: "json",
      code: jsonLines(input.query),
    },
  ];
}

const urlOf = ({ table, keyed }: SnippetInput): string => (keyed ? table.queryUrl : table.anonymousUrl);

function curl(input: SnippetInput): string {
  const key = input.keyed ? `  -H "x-api-key: $PARQUETRY_KEY" \\\n` : "";
  return (
    `curl -s ${shellWord(urlOf(input))} \\\n${key}  -H 'content-type: application/json' \\\n` +
    `  -d ${shellWord(jsonLines(input.query, "  "))}`
  );
}

function javascript(input: SnippetInput): string {
  const body = isExactInDoubles(input.query)
    ? `JSON.stringify(${jsonLines(input.query, "  ")})`
    : JSON.stringify(queryText(input.query));
  const key = input.keyed ? ', "x-api-key": process.env.PARQUETRY_KEY' : "";
  return [
    `const response = await fetch(${JSON.stringify(urlOf(input))}, {`,
    '  method: "POST",',
    `  headers: { "content-type": "application/json"${key} },`,
    `  body: ${body},`,
    "});",
    "const page = await response.json();",
    "console.table(page.rows);",
  ].join("\n");
}

function python(input: SnippetInput, frame: boolean): string {
  const isExact = isExactInDoubles(input.query);
  return [
    `import json, ${input.keyed ? "os, " : ""}urllib.request`,
    ...(frame ? ["import pandas as pd"] : []),
    "",
    isExact ? `query = ${pythonLines(input.query)}` : `query = ${JSON.stringify(queryText(input.query))}`,
    "request = urllib.request.Request(",
    `    ${JSON.stringify(urlOf(input))},`,
    `    data=${isExact ? "json.dumps(query)" : "query"}.encode(),`,
    `    headers={"content-type": ` +
      `"application/json"${input.keyed ? ', "x-api-key": os.environ["PARQUETRY_KEY"]' : ""}},`,
    ")",
    "with urllib.request.urlopen(request) as response:",
    "    page = json.load(response)",
    ...(frame ? ['df = pd.DataFrame(page["rows"])', "print(df)"] : ['for row in page["rows"]:', "    print(row)"]),
  ].join("\n");
}

function r(input: SnippetInput): string {
  const key = input.keyed ? ['  req_headers(`x-api-key` = Sys.getenv("PARQUETRY_KEY")) |>'] : [];
  return [
    "library(httr2)",
    "",
    `query <- ${JSON.stringify(queryText(input.query))}`,
    `page <- request(${JSON.stringify(urlOf(input))}) |>`,
    ...key,
    '  req_body_raw(query, type = "application/json") |>',
    "  req_perform() |>",
    "  resp_body_string() |>",
    "  jsonlite::fromJSON()",
    "page$rows",
  ].join("\n");
}

/** Whether every number of the query survives conversion to a double. */
function isExactInDoubles(value: unknown): boolean {
  if (isLosslessNumber(value)) return isSameNumber(value.value, String(Number(value.value)));
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isExactInDoubles);
}

function isSameNumber(a: string, b: string): boolean {
  const [x, y] = [parseExact(a), parseExact(b)];
  return x !== undefined && y !== undefined && x.coefficient === y.coefficient && x.exponent === y.exponent;
}

/** JSON with a space after each comma and colon, one key of the body per line. */
function jsonLines(query: ViewQuery, indent = ""): string {
  const lines = Object.entries(query).map(
    ([key, item]) => `${indent}  ${JSON.stringify(key)}: ${spaced(item, JSON_WORDS)}`,
  );
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

function pythonLines(query: ViewQuery): string {
  const lines = Object.entries(query).map(
    ([key, item]) => `    ${JSON.stringify(key)}: ${spaced(item, PYTHON_WORDS)},`,
  );
  return `{\n${lines.join("\n")}\n}`;
}

const JSON_WORDS: Readonly<Record<string, string>> = {};
const PYTHON_WORDS: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };

function spaced(value: unknown, words: Readonly<Record<string, string>>): string {
  if (Array.isArray(value)) return `[${value.map((item) => spaced(item, words)).join(", ")}]`;
  if (typeof value === "object" && value !== null && !isLosslessNumber(value)) {
    const parts = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${spaced(item, words)}`);
    return `{${parts.join(", ")}}`;
  }
  const text = stringify(value) ?? "null";
  return words[text] ?? text;
}
