import { LosslessNumber } from "lossless-json";
import { expect, test } from "vitest";
import { regrouped } from "@/components/explorer/view/view-changes";
import type { View } from "@/lib/view/view";
import { readView } from "@/lib/view/view-address";
import { draftsOf, type GroupDrafts, groupingOf, keyedResults, namesOf, removedOf } from "./group-draft";

const COLUMNS = [
  { name: "day", type: "date" },
  { name: "origin", type: "string" },
  { name: "delay", type: "int64" },
];
const ADDRESS =
  "?group=day:month:month,origin&agg=count::rows&agg=share@origin::part&derive=change:rows:month:more" +
  "&derive=moving_average@3:more:month:smooth&derive=rank@origin:rows:asc:place&having=more:gt:5&sort=-more,month" +
  "&top=2:origin&chart=line:month:more:origin";
const view: View = readView(new URLSearchParams(ADDRESS.slice(1)), COLUMNS).view;
const drafts = draftsOf(view);
const applied = (changed: GroupDrafts): View => regrouped(view, groupingOf(changed, COLUMNS), namesOf(changed));

test("drafts that were not changed are the view that they are of", () => {
  expect(view.derive).toHaveLength(3);
  expect(applied(drafts)).toEqual(view);
});

test("what names a result or a group follows it when it is renamed", () => {
  const renamed = (as: string): GroupDrafts => ({
    ...drafts,
    groups: drafts.groups.map((draft) =>
      draft.key === "month" ? { ...draft, group: { column: "day", bucket: "year", as: "year" } } : draft,
    ),
    aggregates: drafts.aggregates.map((draft) => (draft.key === "rows" ? { ...draft, as } : draft)),
    derived: drafts.derived.map((draft) => (draft.key === "more" ? { ...draft, as: "rise" } : draft)),
  });
  const { derive, having, order_by, top, chart, aggregates } = applied(renamed("flights"));
  expect(derive).toEqual([
    { as: "rise", function: "change", of: "flights", over: "year" },
    { as: "smooth", function: "moving_average", of: "rise", over: "year", size: new LosslessNumber("3") },
    { as: "place", function: "rank", of: "flights", by: ["origin"], direction: "asc" },
  ]);
  expect(having).toEqual([{ column: "rise", operator: "gt", value: new LosslessNumber("5") }]);
  expect(order_by.map(({ column }) => column)).toEqual(["rise", "year"]);
  expect([top, chart, aggregates[1]]).toMatchObject([
    { by: ["origin"] },
    { x: "year", y: "rise", series: "origin" },
    { of: ["origin"] },
  ]);
});

test("what a derived result needs is missed when it is removed", () => {
  const without = { ...drafts, groups: drafts.groups.slice(1), aggregates: drafts.aggregates.slice(1) };
  const names = namesOf(without);
  expect(without.derived.map((draft) => removedOf(draft, names))).toEqual([["rows", "month"], ["month"], ["rows"]]);
  expect(drafts.derived.flatMap((draft) => removedOf(draft, namesOf(drafts)))).toEqual([]);
});

test("results have the types that the service gives them", () => {
  expect(keyedResults(drafts, COLUMNS).map(({ name, type }) => `${name} ${type}`)).toEqual([
    "month date",
    "origin string",
    "rows int64",
    "part float64",
    "more decimal(38,0)",
    "smooth float64",
    "place int64",
  ]);
});
