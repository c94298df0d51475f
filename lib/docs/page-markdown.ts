import MarkdownIt, { type Token } from "markdown-it";
import type { CodeLanguage } from "@/lib/describe/code-language";
import type { Block, DocContext, Include, TableRow } from "./doc";

/** A page as it is written: blocks in which includes still have their names. */
export interface PageTemplate {
  file: string;
  parts: readonly Part[];
  includes: readonly { line: number; name: string }[];
}

interface Part {
  line: number;
  block: Block;
}

interface Source {
  file: string;
  lines: readonly string[];
}

/** A construct of Markdown, with the tokens between its beginning and its end. */
interface Construct {
  token: Token;
  inner: Token[];
}

type Includes = Readonly<Record<string, Include>>;

const LANGUAGES: readonly CodeLanguage[] = ["shellscript", "python", "javascript", "sql", "json", "r", "text"];
const INLINE = /^(?:text|softbreak|code_inline|(?:strong|em|link)_(?:open|close))$/;
const ID = / \{#([\w-]+)\}$/;
const INCLUDE = /\{\{([^{}]*)\}\}/g;
const INCLUDE_ALONE = /^\{\{([^{}]*)\}\}$/;
const LABEL = "Table: ";

const MARKDOWN = new MarkdownIt({ html: true }); // HTML is parsed in order to be rejected
MARKDOWN.disable("reference");

/** Reads a page. Rejects, by file and line, whatever no block stands for. Pure. */
export function parsePage(file: string, text: string): PageTemplate {
  const source = { file, lines: text.split("\n") };
  const tokens = MARKDOWN.parse(text, {});
  let line = 1;
  for (const token of tokens) {
    line = token.map ? token.map[0] + 1 : line; // cells have no line of their own, but their row has
    rejectUnknown(source, line, token);
  }
  const parts: Part[] = [];
  for (const construct of constructs(tokens)) {
    const label = construct.token.type === "table_open" ? parts.pop()?.block : undefined;
    parts.push({ line: lineOf(construct.token), block: blockOf(source, construct, label) });
  }
  for (const { line, block } of parts)
    if (block.kind === "text" && block.text.startsWith(LABEL)) reject(source, line, "a label without a table");
  return { file, parts, includes: includesIn(source) };
}

function reject({ file }: Pick<Source, "file">, line: number, what: string): never {
  throw new Error(`${file}:${line}: ${what}`);
}

const lineOf = ({ map }: Token): number => (map?.[0] ?? 0) + 1;
const nameOf = ({ type }: Token): string => type.replace(/_open$/, "").replaceAll("_", " ");

function rejectUnknown(source: Source, line: number, token: Token): void {
  const [attribute] = token.attrs ?? [];
  if (attribute) reject(source, line, `${nameOf(token)} with ${attribute[0]} is not supported`);
  const unknown = token.children?.find(({ type, info }) => !INLINE.test(type) || info === "auto");
  if (unknown) reject(source, line, `${unknown.info === "auto" ? "autolink" : nameOf(unknown)} is not supported`);
}

function constructs(tokens: readonly Token[]): Construct[] {
  const found: Construct[] = [];
  for (const token of tokens) {
    if (token.level > (tokens[0]?.level ?? 0)) found.at(-1)?.inner.push(token);
    else if (token.nesting >= 0) found.push({ token, inner: [] });
  }
  return found;
}

function blockOf(source: Source, construct: Construct, label: Block | undefined): Block {
  const { token, inner } = construct;
  switch (token.type) {
    case "heading_open":
      return headingOf(source, construct);
    case "paragraph_open":
      return { kind: "text", text: textOf(inner) };
    case "blockquote_open":
      return { kind: "note", text: paragraphOf(source, construct) };
    case "bullet_list_open":
      return { kind: "list", items: constructs(inner).map((item) => paragraphOf(source, item)) };
    case "ordered_list_open":
      return { kind: "list", items: constructs(inner).map((item) => paragraphOf(source, item)), ordered: true };
    case "table_open":
      return tableOf(source, construct, label);
    case "fence":
      return codeOf(source, token);
    default:
      return reject(source, lineOf(token), `${nameOf(token)} is not supported`);
  }
}

/** Its lines in one. */
const textOf = ([inline]: readonly Token[]): string => {
  const lines = (inline?.content ?? "").split("\n");
  return lines.map((line) => line.trim()).join(" ");
};

/** The text of what may only contain one paragraph. */
function paragraphOf(source: Source, { token, inner }: Construct): string {
  const [first, ...others] = constructs(inner);
  if (first?.token.type !== "paragraph_open" || others.length > 0)
    return reject(source, lineOf(token), `${nameOf(token)} takes exactly one paragraph`);
  return textOf(first.inner);
}

function headingOf(source: Source, { token, inner }: Construct): Block {
  const [title, id] = splitId(textOf(inner));
  const level = token.markup.length;
  if (id === undefined || !token.markup.startsWith("#") || (level !== 2 && level !== 3))
    return reject(source, lineOf(token), "a heading is written as ## Title {#id} or ### Title {#id}");
  return { kind: "heading", id, level, title };
}

function splitId(text: string): [text: string, id: string | undefined] {
  return [text.replace(ID, ""), ID.exec(text)?.[1]];
}

function codeOf(source: Source, token: Token): Block {
  const [, word, label] = /^(\w+) (.+)$/.exec(token.info.trim()) ?? [];
  const language = LANGUAGES.find((each) => each === word);
  if (language === undefined || label === undefined)
    return reject(
      source,
      lineOf(token),
      `code begins with \`\`\` and a language (${LANGUAGES.join(", ")}) and a label`,
    );
  return { kind: "code", label, language, code: token.content.replace(/\n$/, "") };
}

function tableOf(source: Source, { token, inner }: Construct, label: Block | undefined): Block {
  if (label?.kind !== "text" || !label.text.startsWith(LABEL))
    return reject(source, lineOf(token), "a table follows a paragraph “Table: label”");
  const [head = [], ...rows] = constructs(inner).flatMap((part) => constructs(part.inner).map((row) => cellsOf(row)));
  for (const [at, line] of source.lines.slice(...(token.map ?? [])).entries())
    if (line.split(/(?<!\\)\|/).length !== head.length + 2)
      reject(source, lineOf(token) + at, `a row of this table is ${head.length} cells between | and |`);
  return { kind: "table", label: label.text.slice(LABEL.length), head, rows: rows.map(rowOf) };
}

const cellsOf = ({ inner }: Construct): string[] => constructs(inner).map((cell) => textOf(cell.inner));

function rowOf([first = "", ...others]: readonly string[]): TableRow {
  const [text, id] = splitId(first);
  return { ...(id !== undefined && { id }), cells: [text, ...others] };
}

const callOf = (call: string): [name: string, argument: string] => {
  const [name = "", ...argument] = call.split(" ");
  return [name, argument.join(" ")];
};

function includesIn(source: Source): PageTemplate["includes"] {
  return source.lines.flatMap((text, at) => {
    if (/\{\{(?![^{}]*\}\})/.test(text)) reject(source, at + 1, "an include is written as {{name}}, on one line");
    return [...text.matchAll(INCLUDE)].map(([, call = ""]) => ({ line: at + 1, name: callOf(call)[0] }));
  });
}

/** Rejects includes that do not exist, and those that no page has. Pure. */
export function checkIncludes(pages: readonly PageTemplate[], includes: Includes): void {
  for (const page of pages)
    for (const { line, name } of page.includes)
      if (!Object.hasOwn(includes, name)) reject(page, line, `unknown include ${name}`);
  const used = new Set(pages.flatMap((page) => page.includes.map(({ name }) => name)));
  const unused = Object.keys(includes).filter((name) => !used.has(name));
  if (unused.length > 0) throw new Error(`no page has the include ${unused.join(", ")}`);
}

/** The blocks of a page for one service: includes have their text or blocks. */
export function fillPage(page: PageTemplate, includes: Includes, at: DocContext): Block[] {
  const made = (call: string) => {
    const [name, argument] = callOf(call);
    const include = includes[name];
    if (!include) throw new Error(`unknown include ${name}`);
    return include(at, argument);
  };
  return page.parts.flatMap(({ line, block }) => {
    try {
      return filled(block, made);
    } catch (error) {
      return reject(page, line, error instanceof Error ? error.message : String(error));
    }
  });
}

function filled(block: Block, made: (call: string) => ReturnType<Include>): readonly Block[] {
  const alone = block.kind === "text" ? INCLUDE_ALONE.exec(block.text)?.[1] : undefined;
  const blocks = alone === undefined ? "" : made(alone);
  if (typeof blocks !== "string") return blocks;
  const words = (_: string, call: string) => {
    const text = made(call);
    if (typeof text !== "string") throw new Error(`${call} makes blocks, so it needs a line of its own`);
    return text;
  };
  const whole = JSON.parse(JSON.stringify(block), (_, value: unknown) =>
    typeof value === "string" ? value.replace(INCLUDE, words) : value,
  ) as Block;
  if (whole.kind === "list") return [{ ...whole, items: whole.items.filter((item) => item !== "") }];
  return (whole.kind === "text" || whole.kind === "note") && whole.text === "" ? [] : [whole];
}
