import { expect, test } from "vitest";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { parseQuery } from "@/lib/engine/run/query";
import type { Failure } from "@/lib/kernel/errors";

const COLUMNS = [
  { name: "id", type: "int64", storage: "BIGINT" },
  { name: "word", type: "string", storage: "VARCHAR" },
];

function pointers(body: string): string[] {
  try {
    parseQuery(parseJsonBody(body), { rowsMax: 100, bytesMax: 1000 }, COLUMNS);
    return [];
  } catch (error) {
    return (error as Failure).faults.map(({ pointer, code }) => `${pointer} ${code}`).sort();
  }
}

const cases: [name: string, body: string, faults: string[]][] = [
  ["a valid body has none", '{"columns":["id"]}', []],
  [
    "shape and schema together",
    '{"columns":["id","nope"],"limit":0,"colour":1}',
    ["/colour invalid_request", "/columns/1 unknown_column", "/limit invalid_limit"],
  ],
  [
    "a malformed item does not shift the places of the others",
    '{"columns":[1,"nope"],"filters":[{"column":"id"},7,{"column":"id","operator":"contains","value":"x"}],"limit":"1"}',
    [
      "/columns/0 invalid_request",
      "/columns/1 unknown_column",
      "/filters/0/operator invalid_request",
      "/filters/1 invalid_request",
      "/filters/2/operator operator_not_applicable",
      "/limit invalid_request",
    ],
  ],
  ["no fault is reported twice", '{"filters":[]}', ["/columns invalid_request"]],
  [
    "a malformed grouping is not checked further",
    '{"columns":[],"group_by":"id","order_by":[{"column":"n"}]}',
    ["/group_by invalid_request"],
  ],
  [
    "order by an alias of a valid grouping",
    '{"columns":[],"group_by":["id"],"aggregates":[{"function":"count","as":"n"}],"order_by":[{"column":"m"}],"limit":1.5}',
    ["/limit invalid_limit", "/order_by/0/column invalid_order_by"],
  ],
  [
    "with lookups, what names no column of another table is checked too",
    JSON.stringify({
      lookups: [{ table_id: "t", on: { code: "word" }, columns: ["city"], as: "a" }],
      columns: ["nope", "a.city", "a.nope"],
      filters: [
        { column: "id", operator: "contains", value: "x" },
        { column: "a.city", operator: "contains", value: "x" },
        { column: "wrod", operator: "eq", value: "a.city" },
      ],
      order_by: [{ column: "a.city" }, { column: "nope" }],
      limit: 0,
    }),
    [
      "/columns/0 unknown_column",
      "/filters/0/operator operator_not_applicable",
      "/filters/2/column unknown_column",
      "/limit invalid_limit",
      "/order_by/1/column unknown_column",
    ],
  ],
  [
    "a grouping by a column of another table is not checked, nor what names its groups",
    JSON.stringify({
      lookups: [{ table_id: "t", on: { code: "word" }, columns: ["city"], as: "a" }],
      columns: [],
      group_by: ["a.city"],
      aggregates: [{ function: "sum", column: "word", as: "n" }],
      order_by: [{ column: "a.city" }, { column: "n" }],
      filters: [{ column: "nope", operator: "is_null" }],
      colour: 1,
    }),
    ["/colour invalid_request", "/filters/0/column unknown_column"],
  ],
  [
    "malformed lookups too",
    '{"lookups":[{"table_id":"t","as":"a"}],"columns":["a.city","nope"],"search":{"text":"x","columns":["a.city"]}}',
    ["/columns/1 unknown_column", "/lookups/0/columns invalid_request", "/lookups/0/on invalid_request"],
  ],
  ["not an object", "[]", [" invalid_request"]],
];

test.each(cases)("%s", (_name, body, faults) => {
  expect(pointers(body)).toEqual(faults);
});

test("only the first 20 misspelled names get suggestions, since those are costly in wide tables", () => {
  const body = JSON.stringify({ columns: Array.from({ length: 30 }, () => "idd"), limit: 0 });
  try {
    parseQuery(parseJsonBody(body), { rowsMax: 100, bytesMax: 1000 }, COLUMNS);
    expect.unreachable();
  } catch (error) {
    const unknown = (error as Failure).faults.filter(({ code }) => code === "unknown_column");
    const meant = unknown.map(({ didYouMean }) => didYouMean);
    expect(meant).toEqual(Array.from({ length: 30 }, (_, at) => (at < 20 ? "id" : undefined)));
  }
});
