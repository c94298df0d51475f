import { expect, test } from "vitest";
import { CONTENTS } from "./contents";
import { DOC_ENTRIES, neighbours } from "./page-list";

test("the page list and the contents match", () => {
  expect(Object.keys(CONTENTS).sort()).toEqual(DOC_ENTRIES.map(({ slug }) => slug).sort());
});

test("previous and next connect all pages in order", () => {
  const visited = [DOC_ENTRIES[0]?.slug];
  for (let next = neighbours("").next; next; next = neighbours(next.slug).next) visited.push(next.slug);
  expect(visited).toEqual(DOC_ENTRIES.map(({ slug }) => slug));
  expect(neighbours("no-such-page")).toEqual({});
});
