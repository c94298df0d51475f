import fc from "fast-check";
import { expect, test } from "vitest";
import { isNumeric } from "@/components/values/value-text";
import { tableSegment } from "@/lib/describe/links";
import type { AggregateName } from "@/lib/engine/types/aggregates";
import { bucketsFor, isBucketName } from "@/lib/engine/types/buckets";
import { columnTypeOf, functionsFor, isOrderable, operatorsFor, typeExamples } from "@/lib/engine/types/column-types";
import { OPERATORS, type OperatorName } from "@/lib/engine/types/operators";
import ADDRESS_BODIES from "./address-bodies.json" with { type: "json" };
import { enteredNumber, filterOn } from "./filter-values";
import {
  firstPlace,
  groupNames,
  isGroupedView,
  queryText,
  resultNames,
  type View,
  type ViewAggregate,
  type ViewColumn,
  type ViewFilter,
  type ViewGroup,
  viewQuery,
} from "./view";
import { ADDRESS_MAX, explorerUrl, fitsAddress, readView, viewParameters, viewSearch } from "./view-address";

const columns: ViewColumn[] = [
  { name: "Cost: Total $, 100%", type: "decimal(38,2)" },
  { name: "-id", type: "int64" },
  { name: "name", type: "string" },
  { name: "at", type: "timestamp" },
  { name: "day", type: "date" },
  { name: "ok", type: "boolean" },
  { name: "x", type: "float64" },
  { name: "key", type: "uuid" },
  { name: "tags", type: "list<string>" },
];

/** With a column of every type. */
const table: ViewColumn[] = [...columns, ...typeExamples().map(({ name }) => ({ name: `of ${name}`, type: name }))];

const text = fc.string({ unit: "binary", maxLength: 12 }).filter((value) => !/\p{Surrogate}/u.test(value));
const VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  "decimal(38,2)": fc.bigInt({ min: -(10n ** 35n), max: 10n ** 35n }).map(String),
  int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  string: text.filter((value) => value !== ""),
  timestamp: fc
    .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
    .map((date) => date.toISOString()),
  date: fc
    .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  boolean: fc.constantFrom("true", "false"),
  float64: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }).map(String), fc.constant("-0")),
  float32: fc.float({ noNaN: true, noDefaultInfinity: true }).map(String),
  time: fc.integer({ min: 0, max: 86_399 }).map((second) => new Date(1000 * second).toISOString().slice(11, 19)),
  uuid: fc.uuid(),
  "decimal(18,2)": fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }).map((cents) => `${cents}.50`),
};
const number = fc.constantFrom("0", "7", "100");
const COUNTS = { none: [0, 0], one: [1, 1], two: [2, 2], many: [1, 20] } as const;

const someColumn = fc.constantFrom(...table);
const filter: fc.Arbitrary<ViewFilter> = someColumn.chain((column) =>
  fc.constantFrom(...(operatorsFor(column.type) as OperatorName[])).chain((operator) => {
    const [minLength, maxLength] = COUNTS[OPERATORS[operator].arity];
    const values = fc.array(VALUES[column.type] ?? (isNumeric(column.type) ? number : text), { minLength, maxLength });
    return values.map((list) =>
      filterOn(column, operator, OPERATORS[operator].arity === "two" && list[0] ? [list[0], list[0]] : list),
    );
  }),
);
const orderable = table.filter((column) => isOrderable(columnTypeOf(column))).map((column) => column.name);
const groupOfColumn = (name: string): fc.Arbitrary<ViewGroup> => {
  const type = columnTypeOf(table.find((column) => column.name === name) ?? { type: "string" });
  const spans: ViewGroup[] = bucketsFor(type)
    .filter(isBucketName)
    .map((bucket) => ({ column: name, bucket, ...(bucket !== name && { as: bucket }) }));
  const widths: ViewGroup[] = type.number ? [{ column: name, width: enteredNumber("10"), as: "from" }] : [];
  return fc.constantFrom<ViewGroup>(name, ...spans, ...widths);
};
const groups = fc
  .uniqueArray(fc.constantFrom(...orderable), { maxLength: 4 })
  .chain((names) => fc.tuple(...names.map(groupOfColumn)))
  .filter((all) => new Set(groupNames({ group_by: all })).size === all.length);
const aggregate = (at: number): fc.Arbitrary<ViewAggregate> =>
  fc.oneof(
    fc.constant({ function: "count" as const, as: `n${at}` }),
    filter.map((only) => ({ function: "share" as const, filters: [only], as: `s${at}` })),
    someColumn
      .filter((column) => functionsFor(column.type).length > 0)
      .chain((column) =>
        fc.constantFrom(...(functionsFor(column.type) as AggregateName[])).map((name) => ({
          function: name,
          column: column.name,
          ...(name === "quantile" && { at: enteredNumber("0.25") }),
          ...((name === "corr" || name === "slope") && { with: column.name }),
          as: `${name}_${at}`,
        })),
      ),
  );
const view: fc.Arbitrary<View> = fc
  .tuple(groups, fc.tuple(aggregate(0), aggregate(1)), fc.integer({ min: 0, max: 2 }))
  .chain(([group_by, both, most]) => {
    const names = groupNames({ group_by });
    const shares = group_by.map((_, at) => ({ function: "share" as const, of: names.slice(at), as: `of_${at}` }));
    const aggregates = most < 2 ? both.slice(0, most) : [both[0], ...shares];
    const isGrouped = group_by.length + aggregates.length > 0;
    const results = isGrouped ? resultNames({ group_by, aggregates }) : orderable;
    const sortable = isGrouped && group_by.length === 0 ? [] : results;
    return fc.record({
      columns: fc.option(fc.uniqueArray(fc.constantFrom(...table.map((column) => column.name)), { minLength: 1 }), {
        nil: undefined,
      }),
      filters: fc.array(filter, { maxLength: 4 }),
      order_by: fc
        .subarray(sortable, { maxLength: Math.min(8, sortable.length) })
        .chain((keys) =>
          fc.tuple(
            ...keys.map((column) =>
              fc.record({ column: fc.constant(column), direction: fc.constantFrom("asc" as const, "desc" as const) }),
            ),
          ),
        ),
      group_by: fc.constant(group_by),
      aggregates: fc.constant(aggregates),
      limit: fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined }),
      chart: fc.option(
        fc.record({
          kind: fc.constantFrom("bar", "line"),
          x: fc.constantFrom(...results),
          y: fc.constantFrom("", ...results),
        }),
        {
          nil: undefined,
        },
      ),
      version: fc.option(fc.uuid(), { nil: undefined }),
    });
  });

test("every view round-trips through its URL, by URLSearchParams and page parameters, and asks the same query", () => {
  fc.assert(
    fc.property(view, (given) => {
      const address = new URL(explorerUrl("d", "t", given), "https://example.org");
      const read = readView(address.searchParams, table);
      expect(read).toEqual({ view: given, faults: [] });
      expect(queryText(viewQuery(read.view, table))).toBe(queryText(viewQuery(given, table)));
      const grouped = Object.fromEntries(
        [...new Set(address.searchParams.keys())].map((name) => [name, address.searchParams.getAll(name)]),
      );
      expect(readView(grouped, table)).toEqual({ view: given, faults: [] });
    }),
    { numRuns: 300 },
  );
});

test("any URL is read as a view that round-trips, without throwing", () => {
  const word = fc.oneof(
    text,
    fc.constantFrom(
      ...columns.map((column) => column.name),
      "month",
      "10",
      ":",
      ",",
      "-",
      "eq",
      "in",
      "count",
      "%",
      "%2",
    ),
  );
  const line = fc.array(word, { maxLength: 6 }).map((parts) => parts.join(":"));
  const parameter = fc.constantFrom("filter", "columns", "sort", "group", "agg", "limit", "chart", "version", "other");
  fc.assert(
    fc.property(fc.array(fc.tuple(parameter, line), { maxLength: 8 }), (pairs) => {
      const { view: read } = readView(new URLSearchParams(pairs), columns);
      expect(readView(viewParameters(read), columns)).toEqual({ view: read, faults: [] });
    }),
  );
});

test("the URL is readable", () => {
  const filters: ViewFilter[] = [
    { column: "name", operator: "eq", value: "a,b:c" },
    { column: "x", operator: "between", value: [enteredNumber("0.1"), 2] },
    { column: "tags", operator: "is_null" },
  ];
  const aggregates: ViewAggregate[] = [
    { function: "count", as: "n" },
    { function: "avg", column: "x", as: "mean" },
  ];
  expect(
    viewSearch({
      filters,
      group_by: ["name", { column: "day", bucket: "month", as: "m" }],
      aggregates,
      order_by: [{ column: "n", direction: "desc" }],
      limit: 10,
    }),
  ).toBe(
    "?filter=name:eq:a,b:c&filter=x:between:0.1,2&filter=tags:is_null&group=name,day:month:m&agg=count::n&agg=avg:x:mean&sort=-n&limit=10",
  );
  expect(viewSearch({ order_by: [{ column: "-id", direction: "asc" }] })).toBe("?sort=%252Did");
});

test.each([
  ["filter=nam:eq:a", 'Unknown column "nam". Did you mean "name"?'],
  ["filter=name:equals:a", 'Unknown operator "equals".'],
  ["filter=x:contains:1", 'contains does not apply to "x", which is of type float64.'],
  ["filter=-id:eq:1.5e", "Expected a number."],
  ["filter=name:eq", "eq needs a value."],
  ["filter=x:between:3,1", "The first value must not be greater than the second."],
  ["filter=x:between:3", "between takes an array of two values, low then high."],
  ["filter=ok:eq:yes", "Expected true or false."],
  ["filter=day:gte:2024-02-30", "Expected a date, YYYY-MM-DD, in the years 0001 to 9999."],
  ["columns=nix", 'Unknown column "nix".'],
  ["sort=tags", '"tags" cannot be ordered. Its type is list<string>.'],
  ["group=tags", '"tags" cannot be used in group_by. Its type is list<string>.'],
  ["agg=avg:name:a", 'avg does not apply to "name", which is of type string.'],
  [
    "agg=count:name:a",
    "count does not take a column. To count the rows where it is present, send filters with is_not_null.",
  ],
  ["agg=count::1a", "An alias must have 1 to 63 letters, digits and underscores, and must not start with a digit."],
  ["agg=count::n&agg=count::N", '"N" is already used as a result column.'],
  ["limit=0", "The limit must be an integer from 1 to 10000."],
  ["chart=bar:nix:", 'Unknown column "nix".'],
  ["group=name,x,at,day,ok", "Too many items: 5 (maximum 4)."],
])("%s is reported", (address, message) => {
  expect(readView(new URLSearchParams(address), columns).faults.map((fault) => fault.message)).toEqual([message]);
});

test.each(ADDRESS_BODIES)("$address asks this query, digit for digit", ({ address, body }) => {
  const named = [
    ...["boolean", "int8", "int64", "uint64", "float32", "float64", "decimal(38,9)", "string", "date", "time"],
    ...["timestamp", "uuid", "binary", "list<int64>", "struct", "json"],
  ].map((type) => ({ name: type.replace(/[<(].*/, ""), type }));
  const asked = (search: string) => {
    const { view: read } = readView(new URLSearchParams(search), named);
    const isWhole = read.columns === undefined && !isGroupedView(read);
    return queryText({ ...viewQuery(read, named, firstPlace(read)), ...(isWhole && { columns: [] }) });
  };
  expect(asked(address)).toBe(body);
  expect(asked(viewSearch(readView(new URLSearchParams(address), named).view))).toBe(body);
});

test("numbers keep every digit in the query, and may be typed with separators", () => {
  const body = (address: string) =>
    queryText({ ...viewQuery(readView(new URLSearchParams(address), columns).view, columns), columns: [] });
  expect(body("filter=%252Did:eq:9007199254740993")).toBe(
    '{"columns":[],"filters":[{"column":"-id","operator":"eq","value":9007199254740993}]}',
  );
  expect(body("filter=x:in:0.1,%2B5,007,.50,-1e3")).toBe(
    '{"columns":[],"filters":[{"column":"x","operator":"in","value":[0.1,5,7,0.50,-1e3]}]}',
  );
  expect(body("filter=x:eq:1,234.50")).toBe(
    '{"columns":[],"filters":[{"column":"x","operator":"eq","value":1234.50}]}',
  );
  expect(body("filter=ok:eq:true&filter=name:eq:true")).toBe(
    '{"columns":[],"filters":[{"column":"ok","operator":"eq","value":true},{"column":"name","operator":"eq","value":"true"}]}',
  );
});

test("a grouped view requests its groups, a plain one its columns", () => {
  const { view: grouped } = readView(
    new URLSearchParams("columns=name&group=name&agg=count::n&sort=-n&limit=5"),
    columns,
  );
  expect(viewQuery(grouped, columns)).toEqual({
    columns: [],
    group_by: ["name"],
    aggregates: [{ function: "count", as: "n" }],
    order_by: [{ column: "n", direction: "desc" }],
    limit: 5,
  });
  expect(
    viewQuery(readView(new URLSearchParams("columns=x,name"), columns).view, columns, { limit: 100, cursor: "c" }),
  ).toEqual({
    columns: ["x", "name"],
    limit: 100,
    cursor: "c",
  });
});

test.each([
  "chart=line:x:::log",
  "chart=line:x:y:name",
  "chart=bar:x::::month",
  "chart=line:x:y::log:week&title=Own+words%3A+100+%25&note=A+note.",
])("a chart and its title and note round-trip through the URL: %s", (address) => {
  const wide = [...columns, { name: "y", type: "int64" }];
  const { view, faults } = readView(new URLSearchParams(address), wide);
  expect(faults).toEqual([]);
  expect(viewSearch(view).slice(1)).toBe(address.replaceAll("%3A", ":"));
});

test("a title is one line of bounded length", () => {
  const titled = (title: string) => readView({ title }, columns);
  expect(titled(" a\u0000b\nc\u202e ").view.title).toBe("a b c");
  expect(titled("x".repeat(121))).toMatchObject({ view: {}, faults: [{ parameter: "title" }] });
});

test("a table named like a sibling page has its own URL", () => {
  expect([tableSegment("versions"), tableSegment("flights")]).toEqual(["versions-", "flights"]);
  expect(explorerUrl("d", "versions")).toBe("/datasets/d/versions-");
});

test("a view with a long value does not fit into a link; one with an ordinary value does", () => {
  const withText = (value: string): Partial<View> => ({
    filters: [{ column: "name", operator: "eq", value }],
  });
  expect(fitsAddress(withText("GNU General Public License"))).toBe(true);
  expect(fitsAddress(withText("x".repeat(ADDRESS_MAX)))).toBe(false);
});

test("only the first 20 unknown names in a URL get suggestions", () => {
  const wide = Array.from({ length: 500 }, (_, at) => ({ name: `temperature_${at}`, type: "int64" }));
  const names = wide.map(({ name }) => name.replace("temp", "tmep"));
  const { faults } = readView({ columns: names.join(","), sort: names.join(",") }, wide);
  expect(faults.length).toBeGreaterThan(500);
  expect(faults.map(({ message }) => message.includes("Did you mean"))).toEqual(faults.map((_, at) => at < 20));
});

test("a page starts at the row in the URL, up to the largest offset, and only for ungrouped rows", () => {
  const read = (search: string) => readView(new URLSearchParams(search), columns);
  const { view } = read("row=1,000,001&sort=name");
  expect([view.firstRow, viewSearch(view)]).toEqual([1_000_001, "?sort=name&row=1000001"]);
  expect(JSON.parse(queryText(viewQuery(view, columns, firstPlace(view)))).offset).toBe(1_000_000);
  expect(read("row=1").view).toEqual(read("").view);
  expect(read("row=3&group=name").view.firstRow).toBeUndefined();
  for (const text of ["0", "-1", "1e3", "1000002", "x"])
    expect(read(`row=${text}`)).toMatchObject({ faults: [{ parameter: "row", text }] });
});
