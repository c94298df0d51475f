import { expect, test } from "vitest";
import { readSettings } from "@/lib/kernel/env";
import type { Block, Include } from "./doc";
import { checkIncludes, fillPage, parsePage } from "./page-markdown";

const at = {
  place: { base: "https://x.example", tableIds: new Map(), versionIds: [] },
  settings: readSettings({}),
};
const RULE: Block = { kind: "connection test" };
const INCLUDES: Readonly<Record<string, Include>> = {
  base: ({ place: { base } }) => base,
  nothing: () => "",
  echo: (_, argument) => argument,
  test: () => [RULE],
};

const blocksOf = (text: string) => fillPage(parsePage("p.md", text), INCLUDES, at);

test.each<[construct: string, text: string, block: Block]>([
  ["a heading", "## Read `it` {#read}", { kind: "heading", id: "read", level: 2, title: "Read `it`" }],
  ["a smaller heading", "### More {#more_of-it}", { kind: "heading", id: "more_of-it", level: 3, title: "More" }],
  ["a paragraph", "One **two**\n[three](/docs) *four*.", { kind: "text", text: "One **two** [three](/docs) *four*." }],
  ["a note", "> Mind\n> this.", { kind: "note", text: "Mind this." }],
  ["a list", "- one\n- two\n  of them", { kind: "list", items: ["one", "two of them"] }],
  ["an ordered list", "1. one\n2. two", { kind: "list", items: ["one", "two"], ordered: true }],
  [
    "code",
    '```json A body: {"a"}\n{"a": {"b": 1}}\n\n<END>\n```',
    { kind: "code", label: 'A body: {"a"}', language: "json", code: '{"a": {"b": 1}}\n\n<END>' },
  ],
  [
    "a table",
    "Table: Marks\n\n| Mark | Meaning |\n| --- | --- |\n| `a` {#mark-a} | x \\| `y\\|z` |\n| b |  |",
    {
      kind: "table",
      label: "Marks",
      head: ["Mark", "Meaning"],
      rows: [{ id: "mark-a", cells: ["`a`", "x | `y|z`"] }, { cells: ["b", ""] }],
    },
  ],
])("%s", (_, text, block) => expect(blocksOf(text)).toEqual([block]));

test("an include is words in every construct, with an argument if it takes one", () => {
  const page = [
    "## {{echo a b}} {#id}",
    "See `{{base}}/docs`.",
    "- {{base}}",
    "> {{base}}",
    "```text {{echo L}}\n{{base}}\n```",
    "Table: {{echo T}}\n\n| {{echo H}} |\n| --- |\n| {{echo C}} |",
  ].join("\n\n");
  expect(blocksOf(page)).toEqual([
    { kind: "heading", id: "id", level: 2, title: "a b" },
    { kind: "text", text: "See `https://x.example/docs`." },
    { kind: "list", items: ["https://x.example"] },
    { kind: "note", text: "https://x.example" },
    { kind: "code", label: "L", language: "text", code: "https://x.example" },
    { kind: "table", label: "T", head: ["H"], rows: [{ cells: ["C"] }] },
  ]);
});

test("on a line of its own an include is blocks or a paragraph, and without words nothing", () => {
  expect(blocksOf("{{test}}\n\n{{base}}\n\n{{nothing}}\n\n> {{nothing}}\n\n- {{nothing}}\n- one")).toEqual([
    RULE,
    { kind: "text", text: "https://x.example" },
    { kind: "list", items: ["one"] },
  ]);
});

test.each([
  ["a heading without an id", "## Title", "p.md:1: a heading is written as"],
  ["a title", "# Title {#id}", "p.md:1: a heading is written as"],
  ["an underlined heading", "Title {#id}\n---", "p.md:1: a heading is written as"],
  ["a rule", "a\n\n***", "p.md:3: hr is not supported"],
  ["HTML", "a\n\n<b>a</b>\n\n<div>", "p.md:3: html inline is not supported"],
  ["a block of HTML", "<div>\n</div>", "p.md:1: html block is not supported"],
  ["indented code", "a\n\n    b", "p.md:3: code block is not supported"],
  ["a picture", "![a](b.png)", "p.md:1: image is not supported"],
  ["a bare link", "- a\n- <https://a.example>", "p.md:2: autolink is not supported"],
  ["a line break", "a  \nb", "p.md:1: hardbreak is not supported"],
  ["a deleted word", "a\n\n~~b~~", "p.md:3: s is not supported"],
  ["a list in a list", "- a\n- b\n  - c", "p.md:2: list item takes exactly one paragraph"],
  ["a list that begins later", "3. a", "p.md:1: ordered list with start is not supported"],
  ["a list in a note", "> - a", "p.md:1: blockquote takes exactly one paragraph"],
  ["code without a label", "```json\n{}\n```", "p.md:1: code begins with"],
  ["code in another language", "```perl Label\n1\n```", "p.md:1: code begins with"],
  ["a table without a label", "a\n\n| b |\n| --- |\n| c |", "p.md:3: a table follows a paragraph"],
  ["a label without a table", "Table: a\n\nb", "p.md:1: a label without a table"],
  ["a row with more cells", "Table: a\n\n| b |\n| --- |\n| c |\n| d | e |", "p.md:6: a row of this table is 1 cells"],
  ["an aligned column", "Table: a\n\n| b |\n| ---: |\n| c |", "p.md:3: th with style is not supported"],
  ["an include of two lines", "a {{echo\nb}}", "p.md:1: an include is written as {{name}}"],
])("%s is rejected by name, file and line", (_, text, message) =>
  expect(() => parsePage("p.md", text)).toThrow(message),
);

test("includes that do not exist or that no page has are rejected by name", () => {
  const page = parsePage("p.md", "{{base}}\n\n- a\n- {{echo a}} {{ehco b}}");
  expect(() => checkIncludes([page], INCLUDES)).toThrow("p.md:4: unknown include ehco");
  const other = parsePage("q.md", "{{base}} {{echo c}}");
  expect(() => checkIncludes([other], INCLUDES)).toThrow("no page has the include nothing, test");
  expect(() => checkIncludes([other, parsePage("r.md", "{{test}}\n\n> {{nothing}}")], INCLUDES)).not.toThrow();
});

test("what an include cannot make is reported by file and line", () => {
  const fails: Include = () => {
    throw new Error("no such sample");
  };
  const fill = (text: string) => fillPage(parsePage("p.md", text), { ...INCLUDES, fails }, at);
  expect(() => fill("a\n\nb {{test}}")).toThrow("p.md:3: test makes blocks, so it needs a line of its own");
  expect(() => fill("a\n\n{{fails}}")).toThrow("p.md:3: no such sample");
});
