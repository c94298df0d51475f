import { afterAll, beforeAll, expect, test } from "vitest";
import { type Engine, openEngine } from "@/lib/engine/duckdb/engine";
import { buildReadCopy } from "@/lib/engine/duckdb/read-copy";
import { offsetsBetween, zoneNames } from "@/lib/engine/types/zones";
import { ask, column, type EngineFixture, openFixture, rejection, seal } from "@/lib/testing/engine-fixture";
import { jsonText } from "@/lib/testing/evaluate-cells";
import { offsetAt } from "@/lib/testing/evaluate-groups";
import { evaluate, type Query, readTable } from "@/lib/testing/evaluator";
import { trialRuns } from "@/lib/testing/property";
import type { SealedVersion } from "./sealed-version";

let fixture: EngineFixture;
let onCopies: Engine;

beforeAll(async () => {
  fixture = await openFixture("zones");
  onCopies = await openEngine({ ...fixture.options, copiesMb: 64 });
});

afterAll(async () => {
  await onCopies.close();
  await fixture.close();
});

const COLUMNS = [column("at", "timestamp", "TIMESTAMP WITH TIME ZONE")];

async function tableOf(name: string, instants: readonly (string | null)[]) {
  const values = instants.map((at) => (at === null ? "(NULL)" : `('${at}')`)).join(", ");
  const select = `SELECT CAST(v AS TIMESTAMPTZ) AS at FROM (VALUES ${values}) t(v)`;
  const version = await seal(fixture, name, select, COLUMNS, "snappy");
  const { tempDir, memoryMb, threads } = fixture.options;
  await buildReadCopy({ ...version, columns: 1, tempDir, memoryMb, threads });
  return version;
}

const grouped = (zone: string, ...buckets: string[]) => ({
  columns: [],
  group_by: buckets.map((bucket) => ({ column: "at", bucket, as: bucket, zone })),
  aggregates: [{ function: "count", as: "n" }],
  limit: 10_000,
});

/** The groups as the reply has them, the same from the Parquet file and from a read copy. */
async function answered(version: SealedVersion, body: unknown) {
  const { reply } = await ask(fixture.engine, version, body);
  expect((await ask(onCopies, version, body)).reply.rows).toEqual(reply.rows);
  return reply;
}

const DAY = 86_400;
const SINCE = Date.UTC(1970, 0, 1) / 1000;
/** Later changes may still be decided otherwise. */
const UNTIL = Date.UTC(2024, 0, 1) / 1000;

/** Instants next to each change of a zone's clocks, and half-hours around it. */
function aroundChanges(zone: string): string[] {
  const offset = (at: number) => offsetAt(BigInt(at) * 1_000_000n, zone);
  const changes: number[] = [];
  for (let at = SINCE; at < UNTIL; at += DAY) {
    if (offset(at) === offset(at + DAY)) continue;
    let [low, high] = [at, at + DAY];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offset(middle) === offset(at)) low = middle;
      else high = middle;
    }
    changes.push(high);
  }
  expect(changes.length).toBeGreaterThan(0);
  const near = [-3601, -1, 0, 1800, DAY];
  return changes.flatMap((at) => near.map((seconds) => new Date((at + seconds) * 1000).toISOString()));
}

const ZONES = [
  "Africa/Casablanca",
  "Africa/Monrovia",
  "America/Caracas",
  "America/New_York",
  "America/St_Johns",
  "Asia/Pyongyang",
  "Asia/Tehran",
  "Australia/Lord_Howe",
  "Europe/Berlin",
  "Pacific/Apia",
];

test.each(ZONES)("groups of local times around every change of clocks since 1970: %s", async (zone) => {
  const version = await tableOf(zone.replace("/", "_"), [...new Set(aroundChanges(zone)), null]);
  const table = await readTable(version.parquetPath, COLUMNS);
  for (const buckets of [
    ["year", "quarter", "week", "day_of_week"],
    ["day", "hour", "month_of_year", "hour_of_day"],
    ["month", "minute"],
  ]) {
    const body = grouped(zone, ...buckets);
    const { columns, rows } = evaluate(table, body as unknown as Query);
    const expected = rows.map((row) =>
      columns.map(({ type }, at) => JSON.parse(jsonText(row[at] ?? null, type)) as unknown),
    );
    const reply = await answered(version, body);
    const found = reply.rows.map((row: object) => Object.values(row));
    const sorted = (list: unknown[][]) => list.map(String).sort();
    expect(sorted(found), buckets.join()).toEqual(sorted(expected));
  }
});

/** Worked out with Python's zoneinfo. */
test.each([
  ["Australia/Lord_Howe", "2021-04-03T14:59:59Z", "2021-04-04", 1, 7, "2021-04-03T14:00:00Z"],
  ["Australia/Lord_Howe", "2021-04-03T15:29:59Z", "2021-04-04", 1, 7, "2021-04-03T15:00:00Z"],
  ["Australia/Lord_Howe", "2021-04-03T15:30:00Z", "2021-04-04", 2, 7, "2021-04-03T15:30:00Z"],
  ["Pacific/Apia", "2011-12-30T09:59:59Z", "2011-12-29", 23, 4, "2011-12-30T09:00:00Z"],
  ["Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31", 0, 6, "2011-12-30T10:00:00Z"],
  ["Africa/Casablanca", "2021-04-11T01:59:59Z", "2021-04-11", 2, 7, "2021-04-11T01:00:00Z"],
  ["Africa/Casablanca", "2021-04-11T02:00:00Z", "2021-04-11", 2, 7, "2021-04-11T02:00:00Z"],
  ["Africa/Casablanca", "2021-05-16T02:00:00Z", "2021-05-16", 3, 7, "2021-05-16T02:00:00Z"],
  ["America/New_York", "2021-11-07T05:30:00Z", "2021-11-07", 1, 7, "2021-11-07T05:00:00Z"],
  ["America/New_York", "2021-11-07T06:30:00Z", "2021-11-07", 1, 7, "2021-11-07T06:00:00Z"],
  ["America/New_York", "2021-03-14T07:00:00Z", "2021-03-14", 3, 7, "2021-03-14T07:00:00Z"],
  ["America/Caracas", "2007-12-09T06:59:59Z", "2007-12-09", 2, 7, "2007-12-09T06:00:00Z"],
  ["America/Caracas", "2007-12-09T07:00:00Z", "2007-12-09", 2, 7, "2007-12-09T07:00:00Z"],
  ["Asia/Pyongyang", "2018-05-04T14:59:59Z", "2018-05-04", 23, 5, "2018-05-04T14:30:00Z"],
  ["Africa/Monrovia", "1972-01-07T00:44:29Z", "1972-01-06", 23, 4, "1972-01-06T23:44:30Z"],
  ["Africa/Monrovia", "1972-01-07T00:44:30Z", "1972-01-07", 0, 5, "1972-01-07T00:44:30Z"],
  ["Europe/Berlin", "2020-12-31T23:30:00Z", "2021-01-01", 0, 5, "2020-12-31T23:00:00Z"],
  ["UTC", "2020-12-31T23:30:00Z", "2020-12-31", 23, 4, "2020-12-31T23:00:00Z"],
  // DST of any later year has the rules of the last one known
  ["Europe/Berlin", "2999-07-01T22:30:00Z", "2999-07-02", 0, 2, "2999-07-01T22:00:00Z"],
  ["Europe/Berlin", "9998-12-31T23:30:00Z", "9999-01-01", 0, 5, "9998-12-31T23:00:00Z"],
  ["America/New_York", "1799-12-31T23:00:00Z", "1799-12-31", 18, 2, "1799-12-31T22:56:02Z"],
])("%s at %s", async (zone, at, day, hour, weekday, start) => {
  const version = await tableOf(`${zone}-${at}`.replaceAll(/\W/g, "_"), [at]);
  const { rows, columns, execution } = await answered(
    version,
    grouped(zone, "day", "hour_of_day", "day_of_week", "hour"),
  );
  expect(rows).toEqual([{ day, hour_of_day: hour, day_of_week: weekday, hour: start, n: 1 }]);
  expect(columns[0]).toEqual({ name: "day", type: "date", bucket_zone: zone });
  expect(execution.tzdb).toBe(process.versions.tz);
});

test("all values of a column may have all offsets: the years 1 to 9999", async () => {
  const instants = ["0001-01-02T00:00:00Z", "1883-11-18T16:59:59Z", "1883-11-18T17:00:00Z", "2024-07-01T00:00:00Z"];
  const version = await tableOf("all", [...instants, "2500-07-01T03:00:00Z", "9999-07-01T03:00:00Z"]);
  const { rows } = await answered(version, grouped("America/New_York", "hour_of_day", "hour"));
  expect(rows).toEqual([
    { hour_of_day: 12, hour: "1883-11-18T16:56:02Z", n: 1 },
    { hour_of_day: 12, hour: "1883-11-18T17:00:00Z", n: 1 },
    { hour_of_day: 19, hour: "0001-01-01T23:56:02Z", n: 1 },
    { hour_of_day: 20, hour: "2024-07-01T00:00:00Z", n: 1 },
    { hour_of_day: 23, hour: "2500-07-01T03:00:00Z", n: 1 },
    { hour_of_day: 23, hour: "9999-07-01T03:00:00Z", n: 1 },
  ]);
});

test.each([
  ["0001-01-01T00:30:00Z", "America/New_York"],
  ["9999-12-31T23:30:00Z", "Asia/Tokyo"],
])("a value without a local date is result_too_large: %s in %s", async (at, zone) => {
  const version = await tableOf(`outside_${at.slice(0, 4)}`, [at]);
  expect((await rejection(ask(fixture.engine, version, grouped(zone, "day")))).code).toBe("result_too_large");
});

/** In Lord Howe's local mean time, 10:36:20 ahead of UTC, as Python's zoneinfo has it. */
test.each([
  ["minute", "0001-01-01T00:00:39Z", undefined], // 10:36:59 there, in a minute that began 39 s before year 1 in UTC
  ["minute", "0001-01-01T00:00:40Z", "0001-01-01T00:00:40Z"], // 10:37:00
  ["hour", "0001-01-01T00:23:39Z", undefined], // 10:59:59
  ["hour", "0001-01-01T00:23:41Z", "0001-01-01T00:23:40Z"], // 11:00:01
  ["day", "0001-01-01T00:00:00Z", "0001-01-01"],
])("a span that begins before year 1 in UTC is result_too_large: the %s of %s", async (bucket, at, start) => {
  const version = await tableOf(`first_${bucket}_${at.replaceAll(/\D/g, "")}`, [at]);
  const body = grouped("Australia/Lord_Howe", bucket);
  if (start === undefined) expect((await rejection(ask(fixture.engine, version, body))).code).toBe("result_too_large");
  else expect((await answered(version, body)).rows).toEqual([{ [bucket]: start, n: 1 }]);
});

test("aliases, misspelled names and offsets are rejected, and so is a zone of anything else", async () => {
  const version = await seal(fixture, "kinds", "SELECT now() AS at, DATE '2020-01-01' AS d, 1 AS n", [
    ...COLUMNS,
    column("d", "date", "DATE"),
    column("n", "int32", "INTEGER"),
  ]);
  const zoned = (entry: object) => rejection(ask(fixture.engine, version, { columns: [], group_by: [entry] }));
  const of = async (zone: string) => (await zoned({ column: "at", bucket: "day", zone })).faults[0];
  expect(await of("europe/berlin")).toMatchObject({ pointer: "/group_by/0/zone", didYouMean: "Europe/Berlin" });
  expect(await of("Europe/Berlinn")).toMatchObject({ code: "invalid_value", didYouMean: "Europe/Berlin" });
  const aliases = ["Asia/Kolkata", "Asia/Calcutta"].filter((name) => !zoneNames().includes(name));
  for (const alias of aliases) expect(await of(alias)).toMatchObject({ didYouMean: expect.stringMatching(/^Asia\//) });
  expect((await of("+02:00"))?.code).toBe("invalid_value");
  const [zone, pointer] = ["Europe/Berlin", "/group_by/0/zone"];
  for (const entry of [
    { column: "d", bucket: "day" },
    { column: "n", width: 10 },
  ])
    expect((await zoned({ zone, ...entry })).faults).toContainEqual(expect.objectContaining({ pointer }));
});

/** `npm run trial -- zones` compares every zone, day by day. */
test("the offsets of zones are those of every day", () => {
  const names = zoneNames();
  const every = Math.max(1, Math.floor(names.length / trialRuns("ZONES", 2)));
  for (const zone of names.filter((_, at) => at % every === 0)) {
    const [from, to] = [Date.UTC(1935, 0, 1) / 1000, Date.UTC(2060, 0, 1) / 1000];
    const { periods } = offsetsBetween(zone, from, to);
    for (let at = from, period = 0; at < to; at += DAY) {
      while ((periods[period + 1]?.from ?? Infinity) <= at) period += 1;
      const offset = periods[period]?.offset;
      if (BigInt((offset ?? 0) * 1_000_000) !== offsetAt(BigInt(at) * 1_000_000n, zone))
        throw new Error(`${zone} at ${new Date(at * 1000).toISOString()}: ${offset}`);
    }
  }
});
