import { expect, test } from "vitest";
import { WHOLE_TABLE } from "@/lib/view/view";
import { columnsWithKey, type FoundTable, lookupFault, startLookup, withLookup } from "./lookup-draft";

const FLIGHTS = [
  { name: "Code", type: "string" },
  { name: "day", type: "date" },
  { name: "carrier", type: "int16" },
  { name: "delay", type: "float64" },
];
const table = (primaryKey: readonly string[], columns = FLIGHTS): FoundTable => ({
  ...{ id: "00000000-0000-4000-8000-000000000001", slug: "air-ports", primaryKey },
  columns: [...columns, { name: "city", type: "string" }, { name: "state", type: "string" }],
});
const key = (type: string) => table(["k"], [{ name: "k", type }]);

test("a key is found in columns of its type, whatever the width of integers, and never in floats", () => {
  const possible = (type: string) => columnsWithKey(FLIGHTS, key(type), "k").map(({ name }) => name);
  expect([possible("string"), possible("int64"), possible("float64"), possible("boolean")]).toEqual([
    ["Code"],
    ["carrier"],
    [],
    [],
  ]);
});

test("a column of the key's name is chosen, else the only one of its type, else none", () => {
  expect(startLookup(table(["code"], [{ name: "code", type: "string" }]), FLIGHTS).on).toEqual({ code: "Code" });
  expect(startLookup(key("int64"), FLIGHTS).on).toEqual({ k: "carrier" });
  expect(startLookup(key("string"), [...FLIGHTS, { name: "place", type: "string" }]).on).toEqual({ k: "" });
});

test("what is missing is said; what is complete is added under a free name, after the shown columns", () => {
  const start = startLookup(table(["Code"]), FLIGHTS);
  expect(lookupFault({ ...start, on: { Code: "" } }, WHOLE_TABLE)).toBe("Choose the column with the values of Code.");
  expect(lookupFault(start, WHOLE_TABLE)).toBe("Choose at least one column of air-ports.");
  const draft = { ...start, columns: ["city", "state"] };
  expect(lookupFault(draft, WHOLE_TABLE)).toBeUndefined();
  const once = withLookup({ ...WHOLE_TABLE, columns: ["day"] }, draft, FLIGHTS);
  const { id: table_id } = start.table;
  const lookup = { table_id, on: { Code: "Code" }, columns: ["city", "state"] };
  expect([once.lookups, once.columns]).toEqual([
    [{ ...lookup, as: "air_ports" }],
    ["day", "air_ports.city", "air_ports.state"],
  ]);
  const twice = withLookup(once, draft, FLIGHTS);
  expect(twice.lookups?.map(({ as }) => as)).toEqual(["air_ports", "air_ports_2"]);
  expect(withLookup(WHOLE_TABLE, draft, FLIGHTS).columns).toBeUndefined();
});
