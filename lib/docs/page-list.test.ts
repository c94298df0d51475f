import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DOC_ENTRIES, neighbours } from "./page-list";

test("every page is listed, and every listed page is written", () => {
  const files = readdirSync(join(import.meta.dirname, "pages"));
  const pages = DOC_ENTRIES.map(({ slug }) => `${slug || "quick-start"}.md`);
  expect(files.sort()).toEqual([...pages, "client-guides.md"].sort());
});

test("previous and next connect all pages in order", () => {
  const visited = [DOC_ENTRIES[0]?.slug];
  for (let next = neighbours("").next; next; next = neighbours(next.slug).next) visited.push(next.slug);
  expect(visited).toEqual(DOC_ENTRIES.map(({ slug }) => slug));
  expect(neighbours("no-such-page")).toEqual({});
});
