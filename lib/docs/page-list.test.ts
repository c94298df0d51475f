import { expect, test } from "vitest";
import { CONTENTS } from "./contents";
import { DOC_ENTRIES, neighbours } from "./page-list";

test("every page of the list has content, and nothing else has", () => {
  expect(Object.keys(CONTENTS).sort()).toEqual(DOC_ENTRIES.map(({ slug }) => slug).sort());
});

test("previous and next lead through all pages in their order", () => {
  const walked = [DOC_ENTRIES[0]?.slug];
  for (let next = neighbours("").next; next; next = neighbours(next.slug).next) walked.push(next.slug);
  expect(walked).toEqual(DOC_ENTRIES.map(({ slug }) => slug));
  expect(neighbours("no-such-page")).toEqual({});
});
