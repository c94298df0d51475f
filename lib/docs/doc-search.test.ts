import { beforeAll, describe, expect, test } from "vitest";
import { readSettings } from "@/lib/kernel/env";
import { pageBlocks } from "./contents";
import { type DocPart, partsOf, searchParts } from "./doc-search";
import { DOC_ENTRIES } from "./page-list";

const PAGE = {
  slug: "query",
  title: "Query",
  summary: "Columns and filters.",
  blocks: [
    { kind: "text", text: "A [closed](/docs/query) grammar." },
    { kind: "heading", id: "paging", level: 2, title: "Paging" },
    { kind: "text", text: "Send the `cursor` back, and mind the precursor." },
    {
      kind: "table",
      label: "Codes",
      head: ["Code", "Fix"],
      rows: [{ id: "invalid_cursor", cells: ["`invalid_cursor`", "Send it unchanged."] }],
    },
  ],
} as const;
const PARTS = partsOf(PAGE);

test("a page is split at its headings and at rows with anchors", () => {
  expect(PARTS.map(({ heading, href }) => [heading, href])).toEqual([
    [undefined, "/docs/query"],
    ["Paging", "/docs/query#paging"],
    ["invalid_cursor", "/docs/query#invalid_cursor"],
  ]);
  expect(PARTS[0]?.text).toBe("Columns and filters. A closed grammar.");
});

test("all words must match as prefixes, and a heading's own name ranks first", () => {
  expect(searchParts(PARTS, "invalid_cursor").map(({ href }) => href)[0]).toBe("/docs/query#invalid_cursor");
  expect(searchParts(PARTS, "curs back").map(({ href }) => href)).toEqual(["/docs/query#paging"]);
  expect(searchParts(PARTS, "ursor")).toEqual([]);
  expect(searchParts(PARTS, "  ?! ")).toEqual([]);
});

test("stop words are ignored, and one of three words may be missing", () => {
  const hrefs = (q: string) => searchParts(PARTS, q).map(({ href }) => href);
  expect(hrefs("how to send the cursor back")).toEqual(["/docs/query#paging"]);
  expect(hrefs("send cursor elsewhere")).toEqual(["/docs/query#invalid_cursor", "/docs/query#paging"]);
  expect(hrefs("cursor elsewhere")).toEqual([]);
  expect(hrefs("send nothing elsewhere")).toEqual([]);
  expect(hrefs("a")).toContain("/docs/query");
});

test("an excerpt starts near the match", () => {
  const [found] = searchParts(
    [{ page: "P", href: "/p", text: `${"word ".repeat(100)}needle in the middle ${"word ".repeat(100)}` }],
    "needle",
  );
  expect(found?.excerpt).toMatch(/^… .{0,60}needle in the middle .* …$/);
});

describe("the docs themselves", () => {
  let parts: DocPart[];
  beforeAll(() => {
    const at = {
      place: { base: "https://x.example", tableIds: new Map(), versionIds: [] },
      settings: readSettings({}),
    };
    parts = DOC_ENTRIES.flatMap((entry) => partsOf({ ...entry, blocks: pageBlocks(entry.slug, at) }));
  });

  test.each([
    ["explorer", "/docs/explorer"],
    ["chart", "/docs/explorer#charts"],
    ["map", "/docs/explorer#maps"],
    ["pagination", "/docs/query#paging"],
    ["excel", "/docs/explorer#save"],
    ["save", "/docs/explorer#save"],
    ["geojson", "/docs/explorer#save"],
    ["embed", "/docs/explorer#embed"],
    ["share", "/docs/explorer#share"],
    ["compare", "/docs/explorer#compare"],
    ["follow", "/docs/explorer#follow"],
    ["feed", "/docs/explorer#follow"],
    ["group by month", "/docs/query#buckets"],
    ["per month", "/docs/explorer#groups"],
    ["sdk", "/docs/clients"],
    ["python", "/docs/clients#python"],
    ["pandas", "/docs/clients#python"],
    ["read all rows in Python", "/docs/clients#python"],
    ["read all rows in R", "/docs/clients#r"],
    ["how do I make a chart of flights per month", "/docs/explorer#charts"],
    ["cite", "/docs/versions#citing"],
  ])("%s leads to %s", (words, href) => {
    const found = searchParts(parts, words).slice(0, 4);
    expect(found.map((part) => part.href)).toContain(href);
  });
});
