import type { CodeLanguage } from "@/lib/describe/code-language";
import { type Json, jsonLines, pythonLines, shellWord } from "./snippet-text";

/** A request to the API, and what is done with its reply. */
export interface CodeRequest {
  url: string;
  /** Sent as JSON, by POST. */
  body?: { readonly [key: string]: Json };
  /** The environment variable of the key that is sent. */
  key?: string;
  /** Prints the complete JSON, prints only a page's rows, or saves a file under the given name. */
  reply: "json" | "rows" | { file: string };
}

export type RequestLanguageId = "curl" | "python" | "javascript" | "r";

interface RequestLanguage {
  id: RequestLanguageId;
  /** The tab's label. */
  tab: string;
  language: Extract<CodeLanguage, "shellscript" | "python" | "javascript" | "r">;
  code(request: CodeRequest): string;
}

/** THE languages that requests are written in, each using only its standard library (R: the package httr2). */
export const REQUEST_LANGUAGES: readonly RequestLanguage[] = [
  { id: "curl", tab: "curl", language: "shellscript", code: curl },
  { id: "python", tab: "Python", language: "python", code: python },
  { id: "javascript", tab: "JavaScript", language: "javascript", code: javascript },
  { id: "r", tab: "R", language: "r", code: r },
];

/** The request in one of them. */
export const requestCode = (id: RequestLanguageId, request: CodeRequest): string =>
  REQUEST_LANGUAGES.find((language) => language.id === id)?.code(request) ?? "";

function curl({ url, body, key, reply }: CodeRequest): string {
  const words = [
    `curl -${body ? "s" : "sf"} ${shellWord(url)}`,
    ...(key ? [`-H "x-api-key: $${key}"`] : []),
    ...(body ? ["-H 'content-type: application/json'", `-d ${shellWord(jsonLines(body, "  "))}`] : []),
    ...(typeof reply === "string" ? [] : [`-o ${shellWord(reply.file)}`]),
  ];
  return words.join(" \\\n  ");
}

function python({ url, body, key, reply }: CodeRequest): string {
  const isFile = typeof reply !== "string";
  const packages = [...(isFile ? [] : ["json"]), ...(key ? ["os"] : []), ...(isFile ? ["shutil"] : [])];
  const headers = [
    ...(body ? ['"content-type": "application/json"'] : []),
    ...(key ? [`"x-api-key": os.environ["${key}"]`] : []),
  ];
  return [
    `import ${[...packages, "urllib.request"].join(", ")}`,
    "",
    ...(body ? [`query = ${pythonLines(body)}`] : []),
    "request = urllib.request.Request(",
    `    ${JSON.stringify(url)},`,
    ...(body ? ["    data=json.dumps(query).encode(),"] : []),
    ...(headers.length > 0 ? [`    headers={${headers.join(", ")}},`] : []),
    ")",
    "with urllib.request.urlopen(request) as response:",
    ...pythonReply(reply),
  ].join("\n");
}

function pythonReply(reply: CodeRequest["reply"]): readonly string[] {
  if (reply === "rows") return ["    page = json.load(response)", 'for row in page["rows"]:', "    print(row)"];
  if (reply === "json") return ["    print(json.dumps(json.load(response), indent=2))"];
  return [`    with open(${JSON.stringify(reply.file)}, "wb") as file:`, "        shutil.copyfileobj(response, file)"];
}

function javascript({ url, body, key, reply }: CodeRequest): string {
  const headers = [
    ...(body ? ['"content-type": "application/json"'] : []),
    ...(key ? [`"x-api-key": process.env.${key}`] : []),
  ].join(", ");
  const options = [
    ...(body ? ['  method: "POST",'] : []),
    ...(headers ? [`  headers: { ${headers} },`] : []),
    ...(body ? [`  body: JSON.stringify(${jsonLines(body, "  ")}),`] : []),
  ];
  const given = options.length > 0 ? `, {\n${options.join("\n")}\n}` : "";
  return [
    ...(typeof reply === "string" ? [] : ['import { writeFile } from "node:fs/promises";', ""]),
    `const response = await fetch(${JSON.stringify(url)}${given});`,
    ...javascriptReply(reply),
  ].join("\n");
}

function javascriptReply(reply: CodeRequest["reply"]): readonly string[] {
  if (reply === "rows") return ["const page = await response.json();", "console.table(page.rows);"];
  if (reply === "json") return ["console.log(await response.json());"];
  return [
    `if (!response.ok) throw new Error(\`HTTP \${response.status}\`);`,
    `await writeFile(${JSON.stringify(reply.file)}, response.body);`,
  ];
}

function r({ url, body, key, reply }: CodeRequest): string {
  const isFile = typeof reply !== "string";
  const steps = [
    `request(${JSON.stringify(url)})`,
    ...(key ? [`req_headers("x-api-key" = Sys.getenv("${key}"))`] : []),
    ...(body ? [`req_body_raw(${rawString(jsonLines(body, "  "))}, type = "application/json")`] : []),
    isFile ? `req_perform(path = ${JSON.stringify(reply.file)})` : "req_perform()",
    ...(isFile ? [] : [`resp_body_json(${reply === "rows" ? "simplifyVector = TRUE" : ""})`]),
  ];
  const name = reply === "rows" ? "page" : "reply";
  const shown = reply === "rows" ? ["print(page$rows)"] : isFile ? [] : ["str(reply)"];
  return ["library(httr2)", "", `${isFile ? "" : `${name} <- `}${steps.join(" |>\n  ")}`, ...shown].join("\n");
}

/** A raw string of R, with more dashes at its ends than the text has in a row. */
function rawString(text: string): string {
  const dashes = "-".repeat(Math.max(5, ...(text.match(/-+/g) ?? []).map(({ length }) => length + 1)));
  return `r"${dashes}(${text})${dashes}"`;
}
