import type { RawDuckDb } from "./raw";
import type { BenchTable, Tables } from "./tables";

/** One kind of read, as a request to the service and as SQL for DuckDB. */
export interface ReadCase {
  name: string;
  table: "flights" | "b10";
  body: (probe: Probe) => object;
  sql: (probe: Probe, from: string) => string;
  /** This case's own limit for the ratio ours / DuckDB. */
  most?: number;
}

/** The values of one row of the table, to query by. */
export type Probe = Readonly<Record<string, string>>;

const PROBES = 7;

/** Rows spread over the tables, so that no run repeats the query of the previous one. */
export async function probesOf(
  raw: RawDuckDb,
  tables: Pick<Tables, "flights" | "b10">,
): Promise<Record<ReadCase["table"], Probe[]>> {
  return { flights: await probe(raw, tables.flights), b10: await probe(raw, tables.b10) };
}

async function probe(raw: RawDuckDb, table: BenchTable): Promise<Probe[]> {
  const values = table.columns.map(
    ({ name, storage }) =>
      `${storage.startsWith("TIMESTAMP") ? `strftime(${name}, '%Y-%m-%dT%H:%M:%S.%fZ')` : `${name}::VARCHAR`} ` +
      `AS ${name}`,
  );
  const places = Array.from({ length: PROBES }, (_, index) => Math.floor(((index + 0.5) / PROBES) * table.rows));
  const rows = await raw.rows(
    `SELECT ${values.join(", ")} FROM read_parquet('${table.parquetPath}') WHERE file_row_number IN ` +
      `(${places.join(", ")})`,
  );
  return rows as Probe[];
}

export function sourceOf(table: BenchTable): string {
  return `read_parquet('${table.parquetPath}')`;
}

export const FLIGHT = ["date", "delay", "distance", "origin", "destination"];
export const MIXED = [
  "id",
  "random_id",
  "score",
  "amount",
  "code",
  "kind",
  "shop",
  "seen_at",
  "due",
  "paid",
  "reading",
  "note",
];

const HOUR_MS = 3_600_000;
const later = (instant: string | undefined, ms: number): string =>
  new Date(Date.parse(instant ?? "") + ms).toISOString();
const eq = (column: string, value: unknown) => ({ column, operator: "eq", value });
const number = (text: string | undefined): number => Number(text);

const count = { function: "count", as: "n" };

export const READ_CASES: readonly ReadCase[] = [
  {
    name: "rows of a minute, by the sorted time",
    table: "flights",
    body: (p) => ({ columns: FLIGHT, filters: [eq("date", p.date)] }),
    sql: (p, from) => `SELECT * FROM ${from} WHERE date = TIMESTAMPTZ '${p.date}' LIMIT 100`,
  },
  {
    name: "one route, by two unsorted texts",
    table: "flights",
    body: (p) => ({ columns: FLIGHT, filters: [eq("origin", p.origin), eq("destination", p.destination)] }),
    sql: (p, from) =>
      `SELECT * FROM ${from} WHERE origin = '${p.origin}' AND destination = '${p.destination}' LIMIT 100`,
  },
  {
    name: "range of an hour",
    table: "flights",
    body: (p) => ({
      columns: FLIGHT,
      filters: [{ column: "date", operator: "between", value: [p.date, later(p.date, HOUR_MS)] }],
      limit: 1000,
    }),
    sql: (p, from) =>
      `SELECT * FROM ${from} WHERE date BETWEEN TIMESTAMPTZ '${p.date}' AND TIMESTAMPTZ ` +
      `'${later(p.date, HOUR_MS)}' LIMIT 1000`,
  },
  {
    name: "one airport's top 100 by delay",
    table: "flights",
    body: (p) => ({
      columns: FLIGHT,
      filters: [eq("origin", p.origin)],
      order_by: [{ column: "delay", direction: "desc" }],
    }),
    sql: (p, from) => `SELECT * FROM ${from} WHERE origin = '${p.origin}' ORDER BY delay DESC LIMIT 100`,
  },
  {
    name: "top 100 by the sorted time, descending",
    table: "flights",
    body: () => ({ columns: FLIGHT, order_by: [{ column: "date", direction: "desc" }] }),
    sql: (_, from) => `SELECT * FROM ${from} ORDER BY date DESC LIMIT 100`,
  },
  {
    name: "group by airport, 3 aggregates",
    table: "flights",
    body: () => ({
      columns: [],
      group_by: ["origin"],
      aggregates: [
        count,
        { function: "avg", column: "delay", as: "a" },
        { function: "max", column: "distance", as: "m" },
      ],
      limit: 1000,
    }),
    sql: (_, from) =>
      `SELECT origin, count(*) AS n, avg(delay) AS a, max(distance) AS m FROM ${from} GROUP BY origin ORDER BY ` +
      "origin LIMIT 1000",
  },
  {
    name: "group by month",
    table: "flights",
    most: 1.2,
    body: () => ({ columns: [], group_by: [{ column: "date", bucket: "month", as: "month" }], aggregates: [count] }),
    sql: (_, from) => `SELECT date_trunc('month', date) AS month, count(*) AS n FROM ${from} GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "group by hour of the day, mean delay",
    table: "flights",
    most: 1.2,
    body: () => ({
      columns: [],
      group_by: [{ column: "date", bucket: "hour_of_day", as: "hour" }],
      aggregates: [{ function: "avg", column: "delay", as: "a" }],
    }),
    sql: (_, from) => `SELECT hour(date) AS hour, avg(delay) AS a FROM ${from} GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "group by route, the 100 largest",
    table: "flights",
    body: () => ({
      columns: [],
      group_by: ["origin", "destination"],
      aggregates: [count],
      order_by: [{ column: "n", direction: "desc" }],
    }),
    sql: (_, from) => `SELECT origin, destination, count(*) AS n FROM ${from} GROUP BY ALL ORDER BY n DESC LIMIT 100`,
  },
  {
    name: "1,000 rows as they come",
    table: "flights",
    body: () => ({ columns: FLIGHT, limit: 1000 }),
    sql: (_, from) => `SELECT * FROM ${from} LIMIT 1000`,
  },
  {
    name: "one row by the sorted id",
    table: "b10",
    body: (p) => ({ columns: MIXED, filters: [eq("id", number(p.id))] }),
    sql: (p, from) => `SELECT * FROM ${from} WHERE id = ${p.id}`,
  },
  {
    name: "one row by a random number",
    table: "b10",
    body: (p) => ({ columns: MIXED, filters: [eq("amount", number(p.amount)), eq("shop", p.shop)] }),
    sql: (p, from) => `SELECT * FROM ${from} WHERE amount = ${p.amount} AND shop = '${p.shop}' LIMIT 100`,
  },
  {
    name: "one row by a random text",
    table: "b10",
    body: (p) => ({ columns: MIXED, filters: [eq("code", p.code)] }),
    sql: (p, from) => `SELECT * FROM ${from} WHERE code = '${p.code}' LIMIT 100`,
  },
  {
    name: "range of an hour",
    table: "b10",
    body: (p) => ({
      columns: MIXED,
      filters: [{ column: "seen_at", operator: "between", value: [p.seen_at, later(p.seen_at, HOUR_MS)] }],
      limit: 1000,
    }),
    sql: (p, from) =>
      `SELECT * FROM ${from} WHERE seen_at BETWEEN TIMESTAMPTZ '${p.seen_at}' AND TIMESTAMPTZ ` +
      `'${later(p.seen_at, HOUR_MS)}' LIMIT 1000`,
  },
  {
    name: "a rare word within a sentence",
    table: "b10",
    body: () => ({ columns: ["id", "note"], filters: [{ column: "note", operator: "contains", value: "zeppelin" }] }),
    sql: (_, from) => `SELECT id, note FROM ${from} WHERE note LIKE '%zeppelin%' LIMIT 100`,
  },
  {
    name: "a rare word in any case",
    table: "b10",
    body: () => ({
      columns: ["id", "note"],
      filters: [{ column: "note", operator: "contains", value: "ZEPPELIN", ignore_case: true }],
    }),
    sql: (_, from) => `SELECT id, note FROM ${from} WHERE note ILIKE '%zeppelin%' LIMIT 100`,
  },
  {
    name: "one kind's top 100 by an unsorted number",
    table: "b10",
    body: (p) => ({
      columns: MIXED,
      filters: [eq("kind", p.kind)],
      order_by: [{ column: "score", direction: "desc" }],
    }),
    sql: (p, from) => `SELECT * FROM ${from} WHERE kind = '${p.kind}' ORDER BY score DESC LIMIT 100`,
  },
  {
    name: "top 100 by an unsorted number",
    table: "b10",
    body: () => ({ columns: MIXED, order_by: [{ column: "random_id", direction: "asc" }] }),
    sql: (_, from) => `SELECT * FROM ${from} ORDER BY random_id LIMIT 100`,
  },
  {
    name: "top 100 by the sorted time, descending",
    table: "b10",
    body: () => ({ columns: MIXED, order_by: [{ column: "seen_at", direction: "desc" }] }),
    sql: (_, from) => `SELECT * FROM ${from} ORDER BY seen_at DESC LIMIT 100`,
  },
  {
    name: "group by 10 values, 3 aggregates",
    table: "b10",
    body: () => ({
      columns: [],
      group_by: ["kind"],
      aggregates: [
        count,
        { function: "sum", column: "amount", as: "s" },
        { function: "avg", column: "score", as: "a" },
      ],
    }),
    sql: (_, from) =>
      `SELECT kind, count(*) AS n, sum(amount) AS s, avg(score) AS a FROM ${from} GROUP BY kind ORDER BY kind`,
  },
  {
    name: "group by 1,000 values, filtered",
    table: "b10",
    body: (p) => ({
      columns: [],
      filters: [eq("kind", p.kind)],
      group_by: ["shop"],
      aggregates: [count, { function: "max", column: "reading", as: "m" }],
      limit: 1000,
    }),
    sql: (p, from) =>
      `SELECT shop, count(*) AS n, max(reading) AS m FROM ${from} WHERE kind = '${p.kind}' GROUP BY shop ORDER ` +
      "BY shop LIMIT 1000",
  },
  {
    name: "10,000 rows as they come",
    table: "b10",
    body: () => ({ columns: MIXED, limit: 10_000 }),
    sql: (_, from) => `SELECT * FROM ${from} LIMIT 10000`,
  },
];

const mean = (column: string) => ({ function: "avg", column, as: "a" });

/** Queries of the grammar's later words, beside SQL by hand that has the same rows. */
export const WORD_CASES: readonly ReadCase[] = [
  {
    name: "corr and slope by airport",
    table: "flights",
    body: (p) => ({
      columns: [],
      filters: [{ column: "date", operator: "gte", value: p.date }],
      group_by: ["origin"],
      aggregates: [
        { function: "corr", column: "delay", with: "distance", as: "r" },
        { function: "slope", column: "delay", with: "distance", as: "s" },
      ],
      limit: 1000,
    }),
    sql: (p, from) =>
      `SELECT origin, corr(delay, distance) AS r, regr_slope(delay, distance) AS s FROM ${from} ` +
      `WHERE date >= TIMESTAMPTZ '${p.date}' GROUP BY origin ORDER BY origin LIMIT 1000`,
  },
  {
    name: "each airport's share of all",
    table: "flights",
    body: (p) => ({
      columns: [],
      filters: [{ column: "date", operator: "gte", value: p.date }],
      group_by: ["origin"],
      aggregates: [count, { function: "share", of: [], as: "s" }],
      limit: 1000,
    }),
    sql: (p, from) =>
      `SELECT origin, count(*) AS n, count(*) / sum(count(*)) OVER () AS s FROM ${from} ` +
      `WHERE date >= TIMESTAMPTZ '${p.date}' GROUP BY origin ORDER BY origin LIMIT 1000`,
  },
  {
    name: "the three largest routes of each airport",
    table: "flights",
    body: (p) => ({
      columns: [],
      filters: [{ column: "date", operator: "gte", value: p.date }],
      group_by: ["origin", "destination"],
      aggregates: [count],
      top: { by: ["origin"], count: 3 },
      order_by: [{ column: "n", direction: "desc" }],
      limit: 1000,
    }),
    sql: (p, from) =>
      `SELECT * FROM (SELECT origin, destination, count(*) AS n FROM ${from} WHERE date >= TIMESTAMPTZ '${p.date}' ` +
      "GROUP BY ALL) QUALIFY row_number() OVER (PARTITION BY origin ORDER BY n DESC, destination) <= 3 " +
      "ORDER BY n DESC, origin, destination LIMIT 1000",
  },
  {
    name: "mean of seven days, per airport",
    table: "flights",
    body: (p) => ({
      columns: [],
      filters: [{ column: "date", operator: "gte", value: p.date }],
      group_by: ["origin", { column: "date", bucket: "day", as: "day" }],
      aggregates: [count],
      derive: [{ as: "w", function: "moving_average", of: "n", over: "day", size: 7 }],
      limit: 1000,
    }),
    sql: (p, from) =>
      "SELECT origin, day, n, CASE WHEN first_value(day) OVER w <= day - 6 THEN avg(n) OVER (PARTITION BY origin " +
      "ORDER BY day RANGE BETWEEN INTERVAL 6 DAY PRECEDING AND CURRENT ROW) END AS w FROM (SELECT origin, " +
      `date::DATE AS day, count(*) AS n FROM ${from} WHERE date >= TIMESTAMPTZ '${p.date}' GROUP BY ALL) ` +
      "WINDOW w AS (PARTITION BY origin ORDER BY day) ORDER BY origin, day LIMIT 1000",
  },
  {
    name: "mean delay by the hour of the day in New York",
    table: "flights",
    body: (p) => ({
      columns: [],
      filters: [{ column: "date", operator: "gte", value: p.date }],
      group_by: [{ column: "date", bucket: "hour_of_day", zone: "America/New_York", as: "h" }],
      aggregates: [mean("delay")],
    }),
    sql: (p, from) =>
      "SELECT hour(make_timestamp(epoch_us(date)) + CASE WHEN date < TIMESTAMPTZ '2001-04-01 07:00:00Z' THEN " +
      `INTERVAL '-5' HOUR ELSE INTERVAL '-4' HOUR END) AS h, avg(delay) AS a FROM ${from} ` +
      `WHERE date >= TIMESTAMPTZ '${p.date}' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "rows by the length of a sentence",
    table: "b10",
    body: (p) => ({
      columns: [],
      filters: [{ column: "score", operator: "gte", value: number(p.score) / 10 }],
      group_by: [{ column: "note", bucket: "length", as: "l" }],
      aggregates: [count],
      limit: 1000,
    }),
    sql: (p, from) =>
      `SELECT length(note) AS l, count(*) AS n FROM ${from} WHERE score >= ${number(p.score) / 10} GROUP BY 1 ` +
      "ORDER BY 1 LIMIT 1000",
  },
  {
    name: "rows by bands of 0.1 of a double, with exact edges",
    table: "b10",
    body: (p) => ({
      columns: [],
      filters: [{ column: "reading", operator: "lt", value: number(p.reading) / 100 }],
      group_by: [{ column: "reading", width: 0.1, as: "b" }],
      aggregates: [count],
      limit: 1000,
    }),
    sql: (p, from) =>
      "SELECT k / 10.0 AS b, count(*) AS n FROM (SELECT CASE WHEN reading < k / 10.0 THEN k - 1 WHEN reading >= " +
      "(k + 1) / 10.0 THEN k + 1 ELSE k END AS k FROM (SELECT reading, floor(reading * 10) AS k " +
      `FROM ${from} WHERE reading < ${number(p.reading) / 100})) GROUP BY k ORDER BY k LIMIT 1000`,
  },
];
