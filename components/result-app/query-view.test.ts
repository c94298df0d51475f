import { expect, test } from "vitest";
import { parseExactJson } from "@/lib/formats/exact-json";
import { queryText, viewQuery } from "@/lib/view/view";
import { readView, viewSearch } from "@/lib/view/view-address";
import { type Query, queryView, viewLink } from "./query-view";

const VERSION = "0b54ad2c-3f5e-4d5e-9a5a-0d2b7a3f7e11";
const COLUMNS = [
  { name: "origin", type: "string" },
  { name: "odd: name, 100%", type: "string" },
  { name: "delay", type: "int64" },
  { name: "date", type: "timestamp" },
  { name: "late", type: "boolean" },
];

/** Queries as an agent sends them, with their parts in the order in which a view writes them. */
const QUERIES: readonly string[] = [
  '{"columns":["origin","delay"],"limit":5}',
  '{"columns":["odd: name, 100%"],"filters":[{"column":"odd: name, 100%","operator":"eq","value":"a,b:c~%2C"}]}',
  '{"columns":["delay"],"filters":[{"column":"delay","operator":"between","value":[-9007199254740993,9007199254740993]}]}',
  '{"columns":["origin"],"filters":[{"column":"origin","operator":"in","value":["LAS","San Jose, CA"]},' +
    '{"column":"origin","operator":"is_not_null"}],"order_by":[{"column":"delay","direction":"desc"}],"limit":10}',
  '{"columns":["origin"],"filters":[{"column":"origin","operator":"contains","value":"las","ignore_case":true},' +
    '{"column":"late","operator":"eq","value":true},' +
    '{"column":"date","operator":"gte","value":"2001-01-01T00:00:00Z"}]}',
  '{"columns":["origin"],"search":{"text":"las","columns":["origin"]}}',
  '{"columns":["origin","far"],"near":{"latitude":"delay","longitude":"delay","of":[0.5,-1],"km":9.25,"as":"far"},' +
    '"order_by":[{"column":"far","direction":"desc"}]}',
  '{"columns":[],"group_by":["origin",{"column":"date","bucket":"month","as":"m"},{"column":"delay","width":15}],' +
    '"aggregates":[{"function":"count","as":"n"},{"function":"quantile","column":"delay","at":0.9,"as":"p90"},' +
    '{"function":"share","filters":[{"column":"delay","operator":"gt","value":15}],"as":"late_share"}],' +
    '"having":[{"column":"n","operator":"gte","value":100}],' +
    '"derive":[{"as":"smooth","function":"moving_average","of":"n","over":"m","size":3},' +
    '{"as":"place","function":"rank","of":"smooth","by":["origin"],"direction":"asc"}],' +
    '"order_by":[{"column":"m","direction":"asc"}],"limit":12}',
];

test.each(QUERIES)("the explorer asks the same query: %s", (text) => {
  const query = parseExactJson(text) as Query;
  const view = queryView(query, VERSION);
  const { view: read, faults } = readView(new URLSearchParams(viewSearch(view)), COLUMNS);
  expect(faults).toEqual([]);
  expect(JSON.parse(queryText(viewQuery(read, COLUMNS)))).toEqual({ ...JSON.parse(text), version_id: VERSION });
  expect(queryText(viewQuery(read, COLUMNS))).toContain(/9007199254740993/.exec(text)?.[0] ?? "");
});

test("a column grouped under another name keeps its own name in the URL", () => {
  const query: Query = {
    group_by: [{ column: "origin", as: "airport" }],
    aggregates: [{ function: "count", as: "n" }],
    having: [{ column: "airport", operator: "neq", value: "LAS" }],
    order_by: [{ column: "airport" }],
  };
  const view = { ...queryView(query, VERSION), chart: { kind: "bar", x: "airport", y: "n" } };
  expect(viewLink("/p", view)).toBe(
    `/p?group=origin&agg=count::n&having=origin:neq:LAS&sort=origin&chart=bar:origin:n&version=${VERSION}`,
  );
});

test("all columns remain all, and what a view cannot express is left out", () => {
  const query = { offset: 100, cursor: "c", cell: { column: "origin" } } as Query;
  expect(viewLink("https://data.example.org/datasets/a/b", queryView(query, VERSION))).toBe(
    `https://data.example.org/datasets/a/b?version=${VERSION}`,
  );
});

test("a query that is too long for a URL leads to its version", () => {
  const value = Array.from({ length: 20 }, (_, at) => `${at}`.padStart(400, "x"));
  const query: Query = { columns: ["origin"], filters: [{ column: "origin", operator: "in", value }] };
  expect(viewLink("/p", queryView(query, VERSION))).toBe(`/p?version=${VERSION}`);
});
