import fc from "fast-check";
import { KINDS, type RandomColumn, type RandomLookup, type RandomTable } from "./arbitraries";

/** The same for a table with columns that are looked up in another one, as those of `f`. */
export function randomQueryOf(table: RandomTable, lookup: RandomLookup | undefined): fc.Arbitrary<string> {
  if (!lookup) return randomQuery(table);
  const { own, other } = lookup;
  const found = other.columns.map((column) => ({ ...column, name: `f.${column.name}` }));
  const columns = other.columns.map(({ name }) => name);
  const entry = { table_id: "00000000-0000-4000-8000-00000000000f", on: { key: own }, columns, as: "f" };
  return randomQuery({ ...table, columns: [...table.columns, ...found] }).map(
    (text) => `${text},"lookups":[${JSON.stringify(entry)}]`,
  );
}

/** JSON text of a body that the grammar accepts for the table; the caller adds page size and cursor. */
export function randomQuery(table: RandomTable): fc.Arbitrary<string> {
  const filters = fc.array(filterFor(table), { maxLength: 3 });
  return fc.oneof(
    { weight: 3, arbitrary: rowsQuery(table, filters) },
    { weight: 1, arbitrary: groupsQuery(table, filters) },
  );
}

function rowsQuery(table: RandomTable, filters: fc.Arbitrary<string[]>): fc.Arbitrary<string> {
  const names = table.columns.map(({ name }) => name);
  return fc
    .oneof({ weight: 2, arbitrary: fc.constant("") }, { weight: 1, arbitrary: nearOf(table) })
    .chain((near) => rowsNear(table, names, filters, near));
}

/** Maximum number of columns that a query is sorted by. */
const KEYS_MAX = 8;

/** The name that random queries give a distance. */
const FAR = "far";

function rowsNear(
  table: RandomTable,
  names: readonly string[],
  filters: fc.Arbitrary<string[]>,
  near: string,
): fc.Arbitrary<string> {
  const shown = near === "" ? [...names] : [...names, FAR];
  const isSortedByFar = near !== "" && !near.includes('"km"');
  const keys = isSortedByFar
    ? fc.tuple(fc.subarray(names.slice(0, KEYS_MAX - 1)), fc.boolean())
    : fc.tuple(fc.subarray(shown.slice(-KEYS_MAX)), fc.constant(undefined));
  const order = keys
    .map(([chosen, isFirst]) => (isFirst === undefined ? chosen : isFirst ? [FAR, ...chosen] : [...chosen, FAR]))
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map((name) =>
          fc.constantFrom("asc", "desc").map((direction) => JSON.stringify({ column: name, direction })),
        ),
      ),
    );
  return fc
    .tuple(fc.shuffledSubarray(shown, { minLength: 1 }), filters, order, searchOf(table), total, topOf(names))
    .map(
      ([columns, where, by, search, counted, top]) =>
        `"columns":${JSON.stringify(columns)},"filters":[${where}],"order_by":[${by}]${search}${near}${counted}` +
        (by.length > 0 ? top : ""),
    );
}

/** The first rows of each combination of some columns, or nothing. */
function topOf(names: readonly string[]): fc.Arbitrary<string> {
  const by = fc.shuffledSubarray([...names], { minLength: 1, maxLength: Math.min(3, names.length) });
  const top = fc
    .record({ by, count: fc.integer({ min: 1, max: 5 }) })
    .map((value) => `,"top":${JSON.stringify(value)}`);
  return fc.oneof({ weight: 3, arbitrary: fc.constant("") }, { weight: 1, arbitrary: top });
}

/** Latitudes and longitudes of places: both poles, the antimeridian, and points whose antipodes are in the pools. */
const LATITUDES = ["90", "-90", "0", "40.7128", "-12.345678", "45"];
const LONGITUDES = ["180", "-180", "359.99", "-74.006", "105.994", "0", "-60.5"];
const KILOMETRES = ["0.001", "0.0001", "111.195", "2500", "10007.557", "20015.115", "20016"];

/** The distance of rows from a place, if the table has two numbers. Only as a condition if it has no other use. */
function nearOf(table: RandomTable): fc.Arbitrary<string> {
  const names = table.columns.filter(({ type }) => /int|float|decimal/.test(type)).map(({ name }) => name);
  if (names.length === 0) return fc.constant("");
  return fc
    .tuple(
      fc.constantFrom(...names),
      fc.constantFrom(...names),
      fc.constantFrom(...LATITUDES),
      fc.constantFrom(...LONGITUDES),
      fc.constantFrom("", ...KILOMETRES),
    )
    .map(([latitude, longitude, north, east, km]) => {
      const columns = `"latitude":${JSON.stringify(latitude)},"longitude":${JSON.stringify(longitude)}`;
      return `,"near":{${columns},"of":[${north},${east}],"as":"${FAR}"${km === "" ? "" : `,"km":${km}`}}`;
    });
}

function groupsQuery(table: RandomTable, filters: fc.Arbitrary<string[]>): fc.Arbitrary<string> {
  const groups = fc
    .shuffledSubarray(table.columns, { maxLength: Math.min(3, table.columns.length) })
    .chain((chosen) => fc.tuple(...chosen.map(groupEntry)));
  const aggregates = fc.array(fc.tuple(aggregateOf(table), fc.nat(2 ** 16)), { minLength: 1, maxLength: 4 });
  const rest = fc.record({
    search: searchOf(table),
    near: nearOf(table).map((near) => (near.includes('"km"') ? near : "")),
    counted: total,
    isDescending: fc.boolean(),
    least: fc.nat(3),
    seed: fc.nat(2 ** 20),
  });
  return fc.tuple(groups, filters, aggregates, rest).map(([by, where, chosen, { search, near, counted, ...asked }]) => {
    const names = by.map(nameOf);
    const functions = chosen.map(([text, seed]) => (seed % 6 === 0 ? shareAmong(names, seed) : text));
    const entries = functions.map((text, at) => `${text.slice(0, -1)},"as":"a${at}"}`);
    const exact = functions.findIndex((text) => /"(count|count_distinct|min|max)"/.test(text));
    const order =
      by.length > 0 && exact >= 0 ? [{ column: `a${exact}`, direction: asked.isDescending ? "desc" : "asc" }] : [];
    const counts = functions.findIndex((text) => /"count/.test(text));
    const having = counts >= 0 ? `,"having":[{"column":"a${counts}","operator":"gt","value":${asked.least}}]` : "";
    const derived = derivedOf(table, by.map(nameOf), functions, asked.seed);
    const grouped = `"group_by":[${by}],"aggregates":[${entries}]${asked.least > 0 ? having : ""}${derived}`;
    const top =
      order.length > 0 && names.length > 1
        ? `,"top":${JSON.stringify({ by: names.slice(1), count: 1 + asked.least })}`
        : "";
    const rows = `"columns":[],"filters":[${where}]${search}${near}`;
    return `${rows},${grouped},"order_by":${JSON.stringify(order)}${counted}${top}`;
  });
}

/** Up to four results from those of other groups, of aggregates that are the same in whatever order they add. */
function derivedOf(table: RandomTable, names: readonly string[], functions: readonly string[], seed: number): string {
  const known = functions.flatMap((text, at) => {
    const { function: name, column } = JSON.parse(text) as { function: string; column?: string };
    const own = table.columns.find((each) => each.name === column);
    const isExact = own !== undefined && /^(u?int|decimal)/.test(own.type);
    if (name.startsWith("count")) return [{ as: `a${at}`, functions: DERIVED }];
    if (name === "sum" && isExact) return [{ as: `a${at}`, functions: DERIVED }];
    if (name !== "min" && name !== "max") return [];
    const isNumber = isExact && own.type !== "decimal(38,10)";
    return [{ as: `a${at}`, functions: isNumber ? DERIVED : ["previous", "rank"] }];
  });
  const entries: string[] = [];
  for (let at = 0, left = seed; names.length > 0 && known.length > 0 && at < left % 5; at += 1, left >>= 3) {
    const of = known[left % known.length];
    const name = of?.functions[(left >> 2) % of.functions.length] ?? "rank";
    const as = `d${at}`;
    const over = names[(left >> 4) % names.length];
    const by = names.filter((_, group) => (left >> (5 + group)) % 2 === 1);
    const more =
      name === "rank"
        ? { by, ...((left >> 3) % 2 === 1 && { direction: "asc" }) }
        : { over, ...(name === "moving_average" && { size: 2 + (left % 4) }) };
    entries.push(JSON.stringify({ as, function: name, of: of?.as, ...more }));
    if (of && (name === "previous" || name === "change")) known.push({ as, functions: of.functions });
    if (name === "rank") known.push({ as, functions: DERIVED });
  }
  return entries.length > 0 ? `,"derive":[${entries}]` : "";
}

const DERIVED = ["previous", "change", "change_ratio", "running_total", "moving_average", "rank"];

/** The name of a group in the result. */
function nameOf(text: string): string {
  const entry = JSON.parse(text) as string | { column: string; as?: string };
  return typeof entry === "string" ? entry : (entry.as ?? entry.column);
}

/** The share among the groups that agree in some of the names. */
function shareAmong(names: readonly string[], seed: number): string {
  const of = names.filter((_, at) => (seed >> (3 + at)) % 2 === 1);
  return JSON.stringify({ function: "share", of });
}

/** An aggregate without its alias, as JSON. */
function aggregateOf(table: RandomTable): fc.Arbitrary<string> {
  const filters = fc.array(filterFor(table), { minLength: 1, maxLength: 2 }).map((texts) => `,"filters":[${texts}]`);
  const some = fc.oneof({ weight: 2, arbitrary: fc.constant("") }, { weight: 1, arbitrary: filters });
  const share = filters.map((where) => `{"function":"share"${where}}`);
  const ofColumn = fc
    .constantFrom(...table.columns)
    .chain((column) => fc.tuple(fc.constant(column), fc.constantFrom(...functionsOf(column)), some, fc.nat(100)))
    .map(([column, name, where, at]) => {
      const of = name === "count" ? "" : `,"column":${JSON.stringify(column.name)}`;
      const others = table.columns.filter((other) => functionsOf(other).includes("slope"));
      const other = others[at % Math.max(1, others.length)];
      if (name === "slope" || name === "corr")
        return `{"function":"${name}"${of},"with":${JSON.stringify(other?.name)}${where}}`;
      return `{"function":"${name}"${of}${where}${name === "quantile" ? `,"at":${at / 100}` : ""}}`;
    });
  return fc.oneof({ weight: 5, arbitrary: ofColumn }, { weight: 1, arbitrary: share });
}

const DAY_BUCKETS = ["year", "quarter", "month", "week", "day", "month_of_year", "day_of_week"];
const BUCKETS: Readonly<Record<string, readonly string[]>> = {
  string: ["length"],
  date: DAY_BUCKETS,
  timestamp: [...DAY_BUCKETS, "hour", "minute", "hour_of_day"],
};

/** Zones in which every timestamp of a pool has a local time: they were east of Greenwich before the year 1840. */
const ZONES = ["Australia/Lord_Howe", "Europe/Berlin", "UTC"];

/** Widths whose lower edges are all within the type of a kind's cells. */
const WIDTHS: Readonly<Record<string, readonly string[]>> = {
  int8: ["1", "2", "32", "64"],
  int32: ["1", "2", "1024"],
  int64: ["1", "4096", "2"],
  uint8: ["1", "3", "100", "255"],
  uint32: ["7", "4294967295"],
  uint64: ["18446744073709551615", "3"],
  float32: ["0.1", "2.5", "7"],
  float64: ["0.1", "0.0001", "3", "123456.0123"],
  "decimal(9,2)": ["0.01", "1.50", "0.07", "1000"],
  "decimal(38,10)": ["0.0000000001", "0.7", "123456789.0123456789"],
  "decimal(18,0)": ["1", "7", "1000000007"],
};

/** A column's values, or a bucket or width of them, under a new name. */
function groupEntry(column: RandomColumn, at: number): fc.Arbitrary<string> {
  const head = `"column":${JSON.stringify(column.name)}`;
  const plain = fc.constant(JSON.stringify(column.name));
  const zones = column.type === "timestamp" ? ["", ...ZONES.map((zone) => `,"zone":"${zone}"`)] : [""];
  const buckets =
    BUCKETS[column.type]?.flatMap((bucket) =>
      zones.map((zone) => `{${head},"bucket":"${bucket}","as":"g${at}"${zone}}`),
    ) ?? [];
  const hasBands = !column.pool.includes("1e300"); // no width has a band for it
  const widths = (hasBands ? WIDTHS[column.type] : undefined)?.map((width) => `{${head},"width":${width}}`) ?? [];
  const spans = [...buckets, ...widths];
  return spans.length > 0 ? fc.oneof(plain, fc.constantFrom(...spans)) : plain;
}

function functionsOf(column: RandomColumn): string[] {
  const always = ["count", "count_distinct", "min", "max"];
  const isWild = column.pool.some((cell) => cell !== null && /nan|inf|e300|e-324/.test(cell));
  const isNumeric = /int|float|decimal/.test(column.type);
  if (!isNumeric || isWild) return always;
  const isHuge = /64|\(38|\(18/.test(column.type) && column.type !== "float64";
  const sums = column.type === "decimal(38,10)" ? [] : ["sum"];
  return isHuge
    ? [...always, ...sums, "avg"]
    : [...always, ...sums, "avg", "median", "quantile", "stddev", "variance", "corr", "slope"];
}

function filterFor(table: RandomTable): fc.Arbitrary<string> {
  return fc.constantFrom(...table.columns).chain((column) => {
    const values = KINDS.find((chosen) => chosen.type === column.type)?.values ?? [];
    const head = `"column":${JSON.stringify(column.name)}`;
    const none = fc.constantFrom("is_null", "is_not_null").map((operator) => `{${head},"operator":"${operator}"}`);
    if (values.length === 0) return none;
    const value = fc.constantFrom(...values);
    const one = fc
      .tuple(fc.constantFrom(...onesOf(column.type)), value)
      .map(([operator, token]) => `{${head},"operator":"${operator}","value":${token}}`);
    const many = fc
      .array(value, { minLength: 1, maxLength: 4 })
      .map((tokens) => `{${head},"operator":"in","value":[${tokens}]}`);
    const text = fc
      .tuple(
        fc.constantFrom("contains", "starts_with", "ends_with"),
        fc.constantFrom("a", "%", "_", "é", "😀", "\\", "'"),
      )
      .map(([operator, part]) => `{${head},"operator":"${operator}","value":${JSON.stringify(part)}}`);
    const noneOf = fc
      .array(value, { minLength: 1, maxLength: 3 })
      .map((tokens) => `{${head},"operator":"not_in","value":[${tokens}]}`);
    const low = values[0] ?? "";
    const range = fc.constant(`{${head},"operator":"between","value":[${low},${low}]}`);
    if (column.type === "uuid" || column.type === "boolean") return fc.oneof(none, one, many, noneOf);
    return column.type === "string"
      ? fc.oneof(none, one, many, noneOf, range, text, foldedFilter(head))
      : fc.oneof(none, one, many, noneOf, range);
  });
}

/** A filter of a string column that ignores case. */
function foldedFilter(head: string): fc.Arbitrary<string> {
  const words = fc.constantFrom(
    "i",
    "I",
    "İ",
    "ı",
    "s",
    "ß",
    "SS",
    "k",
    "ς",
    "σ",
    "stan",
    "STRASSE",
    "straẞe",
    "É",
    "istanbul",
  );
  const one = fc.constantFrom("eq", "neq", "contains", "not_contains", "starts_with", "ends_with");
  const of = (operator: string, value: unknown) =>
    `{${head},"operator":"${operator}","ignore_case":true,"value":${JSON.stringify(value)}}`;
  const lists = fc.array(words, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    fc.tuple(one, words).map(([operator, word]) => of(operator, word)),
    fc.tuple(fc.constantFrom("in", "not_in"), lists).map(([operator, list]) => of(operator, list)),
  );
}

/** A search, if the table has strings. */
function searchOf(table: RandomTable): fc.Arbitrary<string> {
  const names = table.columns.filter(({ type }) => type === "string").map(({ name }) => name);
  if (names.length === 0) return fc.constant("");
  const text = fc.constantFrom("a", "STAN", "ı", "ſ", "é", "%", "日");
  const columns = fc.option(fc.subarray(names, { minLength: 1 }), { nil: undefined });
  const search = fc.record({ text, columns }).map((value) => `,"search":${JSON.stringify(value)}`);
  return fc.oneof({ weight: 3, arbitrary: fc.constant("") }, { weight: 1, arbitrary: search });
}

const total = fc.constantFrom("", "", ',"total":true');

function onesOf(type: string): string[] {
  return type === "uuid" ? ["eq", "neq"] : ["eq", "neq", "gt", "gte", "lt", "lte"];
}
