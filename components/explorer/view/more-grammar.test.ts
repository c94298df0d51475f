import { expect, test } from "vitest";
import { queryText, viewQuery } from "@/lib/view/view";
import { readView, viewSearch, withoutLookup } from "@/lib/view/view-address";
import { viewSentence } from "./english";
import { leadsToRows } from "./group-filters";
import { fromStart, regrouped, ungrouped, withoutNear } from "./view-changes";
import { viewSql } from "./view-sql";

const COLUMNS = [
  { name: "origin", type: "string" },
  { name: "delay", type: "int64" },
  { name: "tags", type: "list<int32>" },
  { name: "at", type: "timestamp" },
];
const ADDRESS =
  "?filter=origin:contains~:las&filter=tags:has:3&filter=origin:not_in:ORD,DFW&agg=share::late&aggfilter=late:delay:gt:15" +
  "&agg=quantile@0.9:delay:p90&having=late:gte:0.2&search=las&searchin=origin&group=origin";

const read = (address: string) => readView(new URLSearchParams(address), COLUMNS);

test("a URL can hold case-insensitive filters, filtered aggregates, quantiles, having and a search", () => {
  const { view, faults } = read(ADDRESS);
  expect(faults).toEqual([]);
  expect(read(viewSearch(view))).toEqual({ view, faults: [] });
});

test("the query and the sentence say the same", () => {
  const { view } = read(ADDRESS);
  expect(JSON.parse(queryText(viewQuery(view, COLUMNS)))).toEqual({
    columns: [],
    filters: [
      { column: "origin", operator: "contains", value: "las", ignore_case: true },
      { column: "tags", operator: "has", value: 3 },
      { column: "origin", operator: "not_in", value: ["ORD", "DFW"] },
    ],
    search: { text: "las", columns: ["origin"] },
    group_by: ["origin"],
    aggregates: [
      { function: "share", filters: [{ column: "delay", operator: "gt", value: 15 }], as: "late" },
      { function: "quantile", column: "delay", at: 0.9, as: "p90" },
    ],
    having: [{ column: "late", operator: "gte", value: 0.2 }],
  });
  expect(viewSentence(view, COLUMNS, "flights")).toBe(
    "For each origin, the share of the rows where delay is greater than 15 and the 0.9 quantile of delay, over all " +
      "rows of flights where origin contains “las” (ignoring case) and tags has 3 and origin is none of “ORD” or “DFW” and " +
      "origin contains “las” (ignoring case), only groups where late is at least 0.2, sorted by origin; the first 100 groups.",
  );
});

test("correlations and shares among groups are in the address, the query, the sentence and the statement", () => {
  const address = "?group=origin,delay:100:late&agg=corr@delay:delay:r&agg=share@late,origin::own&agg=share@::all";
  const { view, faults } = read(address);
  expect(faults).toEqual([]);
  expect(decodeURIComponent(viewSearch(view))).toBe(decodeURIComponent(address));
  expect(JSON.parse(queryText(viewQuery(view, COLUMNS))).aggregates).toEqual([
    { function: "corr", column: "delay", with: "delay", as: "r" },
    { function: "share", of: ["late", "origin"], as: "own" },
    { function: "share", of: [], as: "all" },
  ]);
  expect(viewSentence(view, COLUMNS, "flights")).toContain(
    "the correlation of delay with delay, the share of the rows of the same late and origin and the share of the rows of the result",
  );
  const sql = viewSql({ table: { currentUrl: "https://data.example.org/c" }, view, columns: COLUMNS });
  expect(sql).toContain(`corr(CAST("delay" AS DOUBLE), CAST("delay" AS DOUBLE))`);
  expect(sql).toContain("sum(count(*)) OVER () END AS all");
});

test("what is derived is in the address, the query, the sentence and the statement", () => {
  const address =
    "?group=origin,delay:100:late&agg=count::n&derive=moving_average@3:n:late:smooth&derive=change:smooth:late:more" +
    "&derive=rank@origin:n:asc:place&having=more:gt:0&sort=-more";
  const { view, faults } = read(address);
  expect(faults).toEqual([]);
  expect(decodeURIComponent(viewSearch(view))).toBe(decodeURIComponent(address));
  expect(JSON.parse(queryText(viewQuery(view, COLUMNS))).derive).toEqual([
    { as: "smooth", function: "moving_average", of: "n", over: "late", size: 3 },
    { as: "more", function: "change", of: "smooth", over: "late" },
    { as: "place", function: "rank", of: "n", by: ["origin"], direction: "asc" },
  ]);
  expect(viewSentence(view, COLUMNS, "flights")).toContain(
    "the number of rows, the moving average of n (3 at a time) by range of 100 of delay, the change of smooth by range of " +
      "100 of delay and the rank of n (1 = least) within each origin, over all rows of flights, only groups where more is " +
      "greater than 0",
  );
  const sql = viewSql({ table: { currentUrl: "https://data.example.org/c" }, view, columns: COLUMNS });
  expect(sql).toContain('CAST("late" AS HUGEINT) // 100');
  expect(sql).toContain('WHERE "more" > 0');
});

test("what is derived of what a table does not have is left out, and said", () => {
  const { view, faults } = read(
    "?group=origin&agg=count::n&derive=change:m:origin:a&derive=change:a:origin:b&derive=moving_average@1:n:origin:c",
  );
  expect(view.derive).toBeUndefined();
  expect(faults.map(({ message }) => message)).toEqual([
    'Unknown result "m". Name an aggregate, or an earlier entry of derive. Did you mean "n"?',
    "The size must be an integer from 2 to 365.",
    'Unknown result "a". Name an aggregate, or an earlier entry of derive. Did you mean "n"?',
  ]);
  expect(read("?derive=change:n:origin:a").faults.map(({ message }) => message)).toEqual([
    "derive needs group_by: it compares groups.",
  ]);
});

test("the first of each are in the address, the query, the sentence and the statement", () => {
  const address = "?filter=delay:gt:1&sort=-delay&top=3:origin,at";
  const { view, faults } = read(address);
  expect(faults).toEqual([]);
  expect(decodeURIComponent(viewSearch(view))).toBe(address);
  const query = JSON.parse(queryText(viewQuery(view, COLUMNS)));
  expect(query.top).toEqual({ by: ["origin", "at"], count: 3 });
  expect(viewSentence(view, COLUMNS, "flights")).toContain(
    "sorted by delay in descending order, only the first 3 of each origin and at",
  );
  expect(viewSql({ table: { currentUrl: "https://data.example.org/c" }, view, columns: COLUMNS })).toContain(
    'QUALIFY row_number() OVER (PARTITION BY "origin", "at" ORDER BY "delay" DESC NULLS LAST) <= 3\nORDER BY "delay"',
  );
});

test("the first of each are among those that a table has, in an order", () => {
  for (const [address, message] of [
    ["?top=3:origin", "top needs order_by, which says what comes first."],
    ["?sort=delay&top=0:origin", "The count must be an integer from 1 to 100."],
    ["?sort=delay&top=three:origin", "The count must be an integer from 1 to 100."],
    ["?sort=delay&top=3", "Name at least one column."],
    ["?sort=delay&top=3:origni", 'Did you mean "origin"?'],
  ] as const) {
    const { view, faults } = read(address);
    expect([address, view.top]).toEqual([address, undefined]);
    expect(faults[0]?.message).toContain(message);
  }
});

test("without its order or its groups, a view no longer has only the first of each", () => {
  const { view } = read("?group=origin,at&agg=count::n&sort=-n&top=2:origin");
  expect(view.top).toBeDefined();
  expect(fromStart({ ...view, order_by: [] }, view).top).toBeUndefined();
  expect(regrouped(view, { group_by: ["at"], aggregates: view.aggregates }).top).toBeUndefined();
  expect(regrouped(view, { group_by: ["at", "origin"], aggregates: view.aggregates }).top).toEqual(view.top);
  expect(ungrouped(view).top).toBeUndefined();
});

test("the items of a list are a group in the address, the sentence and the statement", () => {
  const { view, faults } = read("?group=tags:element:tag&agg=count::rows&filter=delay:gt:1");
  expect(faults).toEqual([]);
  expect(viewSentence(view, COLUMNS, "flights")).toContain("For each item of tags, the number of rows");
  const sql = viewSql({ table: { currentUrl: "https://data.example.org/c" }, view, columns: COLUMNS });
  expect(sql).toContain(
    'SELECT "item of the list" AS "tag", count(*) AS rows\nFROM (SELECT *, unnest(list_distinct("tags")',
  );
  expect(sql).toContain('WHERE "delay" > 1\n)\nGROUP BY 1');
});

test("a time zone is in the address, the query, the sentence and the statement", () => {
  const address = "?group=at:day:local_day:Europe/Paris,at:hour::Europe/Paris&agg=count::rows";
  const { view, faults } = read(address);
  expect(faults).toEqual([]);
  expect(decodeURIComponent(viewSearch(view))).toBe(address);
  expect(JSON.parse(queryText(viewQuery(view, COLUMNS))).group_by).toEqual([
    { column: "at", bucket: "day", zone: "Europe/Paris", as: "local_day" },
    { column: "at", bucket: "hour", zone: "Europe/Paris" },
  ]);
  expect(viewSentence(view, COLUMNS, "flights")).toContain("day of at in Europe/Paris and hour of at in Europe/Paris");
  const sql = viewSql({ table: { currentUrl: "https://data.example.org/c" }, view, columns: COLUMNS });
  expect(sql).toContain(`CAST(timezone('Europe/Paris', "at") AS DATE) AS "local_day"`);
  expect(leadsToRows(view)).toBe(false);
  expect(read("?group=at:day:d:Europe/Pariss&agg=count::rows").faults[0]?.message).toContain("Europe/Paris");
});

test("the DuckDB statement has them too", () => {
  const sql = viewSql({
    table: { currentUrl: "https://data.example.org/c" },
    view: read(ADDRESS).view,
    columns: COLUMNS,
  });
  for (const part of [
    `lower('las')`,
    `list_contains("tags", 3)`,
    `"origin" NOT IN ('ORD', 'DFW')`,
    `count(*) FILTER (WHERE "delay" > 15)`,
    `quantile_cont(CAST("delay" AS DOUBLE), 0.9) AS p90`,
    `HAVING "late" >= 0.2`,
  ])
    expect(sql).toContain(part);
});

test("what a function lacks, and columns that cannot be searched, are faults", () => {
  const { faults } = read(
    "?agg=share::s&agg=quantile:delay:q&agg=avg@0.5:delay:a&search=x&searchin=delay&group=origin",
  );
  expect(faults.map(({ message }) => message)).toEqual([
    'search does not apply to "delay", which is of type int64.',
    "share requires either filters or of.",
    "quantile requires at, a number from 0 to 1.",
    "avg does not take at.",
  ]);
});

const PLACES = [
  { name: "lat", type: "float64" },
  { name: "lon:east", type: "decimal(9,6)" },
  { name: "town", type: "string" },
];
const readPlaces = (address: string) => readView(new URLSearchParams(address), PLACES);
const sqlOfPlaces = (address: string) =>
  viewSql({ table: { currentUrl: "https://data.example.org/c" }, view: readPlaces(address).view, columns: PLACES });

test("a place and a distance are in the address, the query, the sentence and the statement", () => {
  const address = "?near=lat:lon%253Aeast:40.7128,-74.006:15:far&columns=town,far&sort=-far";
  const { view, faults } = readPlaces(address);
  expect(faults).toEqual([]);
  expect(viewSearch(view)).toBe(address);
  expect(JSON.parse(queryText(viewQuery(view, PLACES)))).toEqual({
    columns: ["town", "far"],
    near: { latitude: "lat", longitude: "lon:east", of: [40.7128, -74.006], km: 15, as: "far" },
    order_by: [{ column: "far", direction: "desc" }],
  });
  expect(viewSentence(view, PLACES, "towns")).toBe(
    "Columns town and far of all rows of towns where lat and lon:east are within 15 km of 40.7128, -74.006, with far, the " +
      "distance of lat and lon:east from 40.7128, -74.006, sorted by far in descending order.",
  );
  const sql = sqlOfPlaces(address);
  expect(sql).toContain('SELECT "town", "far"\nFROM (SELECT *, CASE WHEN');
  expect(sql).toContain('WHERE "far" <= 15\nORDER BY "far" DESC');
});

test("distances are shown beside all columns, and may only order them", () => {
  const { view, faults } = readPlaces("?near=lat:lat:0,0&sort=distance_km");
  expect(faults).toEqual([]);
  expect(viewQuery(view, PLACES).columns).toEqual(["lat", "lon:east", "town", "distance_km"]);
  expect(withoutNear(view)).toMatchObject({ near: undefined, order_by: [] });
});

test("groups are of the rows within a distance; distances alone are no part of them", () => {
  const address = "?near=lat:lat:0,0:10&group=town&agg=count::n";
  expect(readPlaces(address).faults).toEqual([]);
  expect(viewQuery(readPlaces(address).view, PLACES).columns).toEqual([]);
  expect(sqlOfPlaces(address)).toContain("* 1000) / 1000 END <= 10\nGROUP BY");
  const { view } = readPlaces("?near=lat:lat:0,0&sort=distance_km");
  expect(regrouped(view, { group_by: ["town"], aggregates: [] }).near).toBeUndefined();
});

test("a place that is none, or that nothing needs, is left out, and said", () => {
  const messages = (address: string) => readPlaces(address).faults.map(({ message }) => message);
  expect(messages("?near=lat:lat:91,x:far")).toEqual(["Expected degrees from -90 to 90."]);
  expect(messages("?near=lat:town:0,0:1")).toEqual(['near does not apply to "town", which is of type string.']);
  expect(messages("?near=lat:lat:0,0")).toEqual([
    'near needs km, the greatest distance, unless order_by has "distance_km".',
  ]);
  expect(messages("?near=lat:lat:0:1")).toEqual(["Send two numbers, latitude and longitude."]);
  expect(messages("?near=lat:lat:x,y:z&sort=distance_km")).toEqual([
    "Expected degrees from -90 to 90.",
    'Unknown column "distance_km".',
  ]);
});

const OTHER = "9b4bb005-0703-4192-a5c3-4453105257c7";
const WITH_AIRPORTS = [...COLUMNS, { name: "air.city", type: "string" }, { name: "air.alti:tude", type: "float64" }];

test("columns of another table are in the address, the query, the sentence and the statement", () => {
  const address = `?filter=air.city:eq:Paris&lookup=air:${OTHER}:code,origin,kind,delay:city,alti%253Atude:1.0&columns=origin,air.city&sort=-air.city`;
  const { view, faults } = readView(new URLSearchParams(address), WITH_AIRPORTS);
  expect(faults).toEqual([]);
  expect(viewSearch(view)).toBe(address);
  expect(JSON.parse(queryText(viewQuery(view, WITH_AIRPORTS)))).toEqual({
    columns: ["origin", "air.city"],
    filters: [{ column: "air.city", operator: "eq", value: "Paris" }],
    lookups: [
      {
        table_id: OTHER,
        on: { code: "origin", kind: "delay" },
        columns: ["city", "alti:tude"],
        as: "air",
        version_id: "1.0",
      },
    ],
    order_by: [{ column: "air.city", direction: "desc" }],
  });
  expect(viewSentence(view, WITH_AIRPORTS, "flights")).toBe(
    "Columns origin and air.city of all rows of flights where air.city is “Paris”, with air looked up by origin and delay, " +
      "sorted by air.city in descending order.",
  );
  const table = { currentUrl: `https://data.example.org/api/v2/public/tables/${OTHER.replace("9b", "00")}/current` };
  const sql = viewSql({ table, view, columns: WITH_AIRPORTS });
  expect(sql).toContain(
    `FROM (SELECT own.*, "air"."city" AS "air.city", "air"."alti:tude" AS "air.alti:tude" FROM read_parquet('${table.currentUrl}') ` +
      `AS own LEFT JOIN read_parquet('https://data.example.org/api/v2/public/tables/${OTHER}/current?version_id=1.0') AS "air" ` +
      `ON "air"."code" = own."origin" AND "air"."kind" = own."delay")`,
  );
});

test("a table that is not known is left out, and said; groups keep those that are", () => {
  const lookup = `lookup=air:${OTHER}:code,origin:city`;
  const { view, faults } = read(`?${lookup}&filter=air.city:eq:Paris`);
  expect(view.lookups).toBeUndefined();
  expect(faults.map(({ parameter, message }) => `${parameter}: ${message}`)).toEqual([
    'filter: Unknown column "air.city".',
    "lookup: Unknown table or columns.",
  ]);
  const known = readView(new URLSearchParams(`?${lookup}`), WITH_AIRPORTS).view;
  expect(regrouped(known, { group_by: ["air.city"], aggregates: [] }).lookups).toEqual(known.lookups);
  expect(ungrouped(known).lookups).toEqual(known.lookups);
  const named = `?${lookup}&filter=air.city:eq:Paris&filter=delay:gt:3&columns=origin,air.city&sort=-air.city`;
  const used = readView(new URLSearchParams(named), WITH_AIRPORTS);
  const plain = readView(new URLSearchParams("?filter=delay:gt:3&columns=origin"), WITH_AIRPORTS).view;
  expect(withoutLookup(used.view, "air", WITH_AIRPORTS)).toEqual(plain);
});
