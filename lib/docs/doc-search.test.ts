import { expect, test } from "vitest";
import { partsOf, searchParts } from "./doc-search";

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

test("an excerpt starts near the match", () => {
  const [found] = searchParts(
    [{ page: "P", href: "/p", text: `${"word ".repeat(100)}needle in the middle ${"word ".repeat(100)}` }],
    "needle",
  );
  expect(found?.excerpt).toMatch(/^… .{0,60}needle in the middle .* …$/);
});
