import { expect, test } from "vitest";
import { readView } from "@/lib/view/view-address";
import { isSaidByChart, remedies } from "./answer-notes";

const COLUMNS = [
  { name: "city", type: "string" },
  { name: "n", type: "int64" },
  { name: "day", type: "date" },
];
const viewOf = (search: string) => readView(new URLSearchParams(search), COLUMNS as never).view;
const note = (code: string, pointer: string, values?: readonly string[]) => ({
  ...{ code, pointer, message: "" },
  ...(values && { values }),
});

test("a value that no row has is replaced by one that is near, and nothing else changes", () => {
  const view = viewOf("filter=n:gt:3&filter=city:eq:dalas&sort=n");
  expect(remedies(note("value_not_found", "/filters/1/value", ["DALLAS", "Dalles"]), view)).toEqual([
    { label: "Use “DALLAS”", next: viewOf("filter=n:gt:3&filter=city:eq:DALLAS&sort=n") },
    { label: "Use “Dalles”", next: viewOf("filter=n:gt:3&filter=city:eq:Dalles&sort=n") },
  ]);
});

test("of a list, the item that no row has is replaced; of several, none", () => {
  const view = viewOf("filter=city:in:Bonn,dalas");
  const [remedy] = remedies(note("value_not_found", "/filters/0/value/1", ["DALLAS"]), view);
  expect(remedy?.next).toEqual(viewOf("filter=city:in:Bonn,DALLAS"));
  expect(remedies(note("value_not_found", "/filters/0/value", ["DALLAS"]), view)).toEqual([]);
});

test("rows in another case are included; notes about other parts of a query only say", () => {
  const view = viewOf("filter=city:contains:dal");
  const [remedy] = remedies(note("other_case", "/filters/0"), view);
  expect(remedy).toMatchObject({ label: "Ignore case", next: { filters: [{ ignore_case: true, value: "dal" }] } });
  for (const pointer of ["/filters/3", "/aggregates/0/filters/0", "/group_by/0", ""])
    expect(remedies(note("other_case", pointer), view)).toEqual([]);
});

test("what a chart says of its axis is not said twice", () => {
  const view = (more: string) => viewOf(`group=day:month:m,city&agg=count::rows${more}`);
  const said = (code: string, at: number, more: string) => isSaidByChart(note(code, `/group_by/${at}`), view(more));
  expect(said("partial_span", 0, "&chart=bar:m:rows")).toBe(true);
  expect(said("partial_span", 0, "&chart=bar:city:rows")).toBe(false);
  expect(said("partial_span", 0, "")).toBe(false);
  expect(said("gaps", 0, "&chart=bar:m:rows")).toBe(false);
  const only = viewOf("group=day:month:m&agg=count::rows&chart=auto");
  expect(isSaidByChart(note("partial_span", "/group_by/0"), only)).toBe(true);
});
