import type { CodeLanguage } from "@/lib/describe/code-language";
import type { Settings } from "@/lib/kernel/env";
import type { Sample, SamplePlace } from "./samples/sample";
import type { TryCall } from "./try-call";

/**
 * A block of a docs page. Texts are inline Markdown: `code`, **strong**, [links](/docs/query). Pages and their Markdown
 * versions are rendered from it.
 */
export type Block =
  | { kind: "heading"; id: string; level: 2 | 3; title: string }
  | { kind: "text"; text: string }
  | { kind: "list"; items: readonly string[]; ordered?: true }
  | { kind: "table"; label: string; head: readonly string[]; rows: readonly TableRow[] }
  | { kind: "fields"; label: string; fields: readonly Field[] }
  | { kind: "note"; text: string }
  | { kind: "code"; label: string; language: CodeLanguage; code: string }
  | { kind: "samples"; label: string; samples: readonly Sample[] }
  | { kind: "links"; links: readonly { id?: string; href: string; title: string; text: string }[] }
  | { kind: "tabs"; label: string; parameter: string; tabs: readonly DocTab[] }
  | { kind: "try"; call: TryCall }
  | { kind: "connection test" };

/** Alternatives of which one is shown: the URL selects it by the block's parameter. */
export interface DocTab {
  id: string;
  title: string;
  blocks: readonly Block[];
}

export interface TableRow {
  /** Its anchor. */
  id?: string;
  cells: readonly string[];
}

/** A parameter, or a field of a body or reply. */
export interface Field {
  name: string;
  type: string;
  isRequired?: boolean;
  text: string;
}

/** A note about this service rather than about the software. */
export interface DocContext {
  place: SamplePlace;
  settings: Settings;
}

/**
 * What `{{name argument}}` on a page stands for: words, or on a line of its own also blocks. A paragraph, note or item
 * of a list that has no words is left out.
 */
export type Include = (at: DocContext, argument: string) => string | readonly Block[];

export const h2 = (id: string, title: string): Block => ({ kind: "heading", id, level: 2, title });
export const h3 = (id: string, title: string): Block => ({ kind: "heading", id, level: 3, title });
export const text = (...sentences: readonly string[]): Block => ({ kind: "text", text: sentences.join(" ") });
export const list = (...items: readonly string[]): Block => ({ kind: "list", items });
export const samples = (label: string, ...shown: readonly Sample[]): Block => ({
  kind: "samples",
  label,
  samples: shown,
});

/** A table, whose rows may be plain lists of cells. */
export const table = (
  label: string,
  head: readonly string[],
  rows: readonly (TableRow | readonly string[])[],
): Block => ({
  kind: "table",
  label,
  head,
  rows: rows.map((row) => ("cells" in row ? row : { cells: row })),
});

/** A name as sent over the wire. */
export const name = (word: string): string => `\`${word}\``;

/** Names as sent over the wire, in a row. */
export const names = (words: readonly string[]): string => words.map(name).join(", ");
