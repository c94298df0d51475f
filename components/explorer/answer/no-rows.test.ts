import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { matchingPart } from "@/components/explorer/view/operator-text";
import type { View, ViewFilter } from "@/lib/view/view";
import { readView } from "@/lib/view/view-address";
import { NoRows } from "./no-rows";

const COLUMNS = [
  { name: "place", type: "string" },
  { name: "mag", type: "float64" },
];

const drawn = (props: { isAnswered: boolean; view: View }) =>
  renderToStaticMarkup(createElement(NoRows, { ...props, columns: COLUMNS, onView: () => undefined }));

const filtered = (...filters: ViewFilter[]) => ({ ...readView({}, []).view, filters });

test("a page rendered without rows does not keep readers without JavaScript waiting", () => {
  const { view } = readView({}, []);
  const html = drawn({ isAnswered: false, view });
  expect(html).toMatch(/<p class="needs-script">Loading…<\/p><noscript>.*in a minute\.<\/noscript>/);
});

test("if no string equals what was typed, a case-insensitive search for any part of it is offered", () => {
  const place: ViewFilter = { column: "place", operator: "eq", value: "california" };
  const mag: ViewFilter = { column: "mag", operator: "eq", value: 6.4 };
  expect(drawn({ isAnswered: true, view: filtered(mag, place) })).toContain("Match any part of the text");
  expect(drawn({ isAnswered: true, view: filtered(mag) })).not.toContain("Match any part");
  expect(matchingPart(place, COLUMNS)).toEqual({ ...place, operator: "contains", ignore_case: true });
  expect(matchingPart(mag, COLUMNS)).toBe(mag);
});
