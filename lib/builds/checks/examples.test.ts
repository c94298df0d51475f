import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { buildFrom, withBench } from "@/lib/testing/build-fixture";
import { CHECK_EXAMPLES, type CheckExample, EXAMPLE_COLUMNS } from "./examples";
import { CHECK_KINDS } from "./registry";

const folder = await mkdtemp(join(tmpdir(), "check-examples-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const NAMES = Object.keys(EXAMPLE_COLUMNS);

const recipeOf = (check: CheckExample["check"], primaryKey: readonly string[]): string =>
  JSON.stringify({
    schema_version: "service-recipe.v1",
    sources: ["input", "other"].map((name) => ({ name, kind: "upload", upload: name, reader: { format: "csv" } })),
    tables: [
      {
        name: "result",
        from: "input",
        steps: [{ step: "cast", columns: { level: "int32", flood: "int32", day: "date" } }],
        columns: [],
        primary_key: primaryKey,
        checks: [check],
      },
    ],
    publish: { license: "CC0-1.0", publisher: { name: "Test" } },
  });

/** A current release of these rows, as a Parquet file. */
async function releaseOf(name: string, rows: CheckExample["passes"]): Promise<string> {
  const path = join(folder, `${name}.parquet`);
  const values = rows.map((row) => `(${row.map((cell) => (cell === null ? "NULL" : `'${cell}'`)).join(", ")})`);
  const cells = Object.entries(EXAMPLE_COLUMNS).map(
    ([column, type]) => `CAST(${column} AS ${type === "string" ? "VARCHAR" : type}) AS ${column}`,
  );
  await withBench(folder, (bench) =>
    bench.run(
      `COPY (SELECT ${cells.join(", ")} FROM (VALUES ${values.join(", ")}) AS v(${NAMES.join(", ")})) ` +
        `TO '${path}' (FORMAT parquet)`,
    ),
  );
  return path;
}

/** The result of the example's check for some rows, and of the build. */
async function checked(
  name: string,
  rows: CheckExample["passes"],
  more: object = {},
  mode?: "sample",
  primaryKey: readonly string[] = [],
) {
  const example = CHECK_EXAMPLES[name] as CheckExample;
  const previous = example.previous && { result: join("..", "..", await releaseOf(name, example.previous)) };
  const input = { columns: NAMES, rows: rows.map((row) => [...row]) };
  const sources = { input, other: { columns: ["id"], rows: [["A"], ["B"]] } };
  const options = { ...(previous && { previous }), ...(mode && { mode }) };
  const { outcome } = await buildFrom(recipeOf({ ...example.check, ...more }, primaryKey), sources, options);
  const result = outcome.checks.find(({ check }) => check === name);
  return { result, failure: outcome.failure?.code ?? null, files: outcome.files.length };
}

const EXAMPLES = Object.entries(CHECK_EXAMPLES);

const failing = new Map<string, ReturnType<typeof checked>>();

/** The result of the example's check for its failing rows, in a full run, as an error. Built once. */
function checkedFailing(name: string, rows: CheckExample["fails"]) {
  const built = failing.get(name) ?? checked(name, rows);
  failing.set(name, built);
  return built;
}

test.each(EXAMPLES)("the examples of %s pass and fail as documented", async (name, { passes, fails }) => {
  expect(await checked(name, passes)).toMatchObject({ result: { outcome: "passed" }, failure: null, files: 1 });
  expect(await checkedFailing(name, fails)).toMatchObject({
    result: { outcome: "failed", failures: 1, severity: "error" },
  });
});

test.each(EXAMPLES)(
  "%s as an error ends a full run; in a sample, or as a warning, it does not",
  async (name, { fails }) => {
    // its tables are kept as candidates for inspection
    expect(await checkedFailing(name, fails)).toMatchObject({ failure: "check_failed", files: 1 });
    const goesOn = { failure: null, files: 1 };
    expect(await checked(name, fails, { severity: "warn" })).toMatchObject({
      ...goesOn,
      result: { outcome: "failed" },
    });
    expect(await checked(name, fails, {}, "sample")).toMatchObject(goesOn);
  },
);

const COUNTED = EXAMPLES.filter(([name]) => name !== "null_share");

test.each(COUNTED)("%s allows up to max_failures failures, as a count and as a share", async (name, { fails }) => {
  for (const limit of [1, "100%"])
    expect(await checked(name, fails, { max_failures: limit })).toMatchObject({
      ...{ failure: null, result: { outcome: "passed", failures: 1 } },
    });
  for (const limit of [0, "40%"])
    expect(await checked(name, fails, { max_failures: limit })).toMatchObject({ failure: "check_failed" });
});

test("a check looks only at rows that match its where, and shows the failing ones with other cells", async () => {
  const rows = ["A", "c", "B", "d"].map((station, at) => [station, String(at), "5", "2026-11-19"]);
  const where = [{ column: "level", operator: "gte", value: 2 }];
  const { result } = await checked("pattern", rows, { where });
  expect(result).toMatchObject({ failures: 1, examined: 2, examples: [{ row: 4, values: ["d"] }] });
  expect(result?.examples[0]?.cells).toEqual({ level: "3", flood: "5", day: "2026-11-19", station: "d" });
});

test.each([
  ["the last days of months", "P1M", ["2025-11-30", "2025-12-31", "2026-01-31", "2026-02-28", "2026-03-31"], 0],
  ["the 30th of months", "P1M", ["2026-01-30", "2026-02-28", "2026-03-30", "2026-04-30"], 0],
  ["the last days of quarters", "P3M", ["2025-12-31", "2026-03-31", "2026-06-30", "2026-09-30", "2026-12-31"], 0],
  ["29 February", "P1Y", ["2023-02-28", "2024-02-29", "2025-02-28"], 0],
  ["a month is missing", "P1M", ["2026-02-28", "2026-04-30"], 1],
  ["a month's last day is missing", "P1M", ["2026-02-27", "2026-03-31"], 1],
  ["days after a month's last one are missing", "P1D", ["2026-02-28", "2026-03-31"], 1],
] as const)("complete_series knows that months differ: %s", async (_, every, days, failures) => {
  const rows = days.map((day) => ["A", "1", "5", day]);
  expect((await checked("complete_series", rows, { every })).result).toMatchObject({ failures });
});

test("accepted_values can take the values of another table", async () => {
  const rows = ["A", "C", "B", null].map((station) => [station, "1", "5", "2026-11-19"]);
  const more = { values: undefined, in: { table: "other", column: "id" } };
  const { result } = await checked("accepted_values", rows, more);
  expect(result).toMatchObject({ failures: 1, examined: 4, examples: [{ row: 2, values: ["C"] }] });
});

test("a failing row is shown with its primary key, and a failure that is not of a single row without one", async () => {
  const rows = ["A", "B"].map((station, at) => [station, String(at - 1), "5", "2026-11-19"]);
  const keyed = await checked("range", rows, {}, "sample", ["station", "day"]);
  expect(keyed.result?.examples.map(({ cells }) => cells)).toEqual([{ station: "A", day: "2026-11-19", level: "-1" }]);
  const counted = await checked("row_count", rows.slice(1));
  expect(counted.result?.examples.map(({ cells }) => cells)).toEqual([{ rows: "1" }]);
});

test("an example keeps what a check found, however wide the key and however many columns it looked at", async () => {
  const [keys, looked] = ["k", "v"].map((mark) => Array.from({ length: mark === "k" ? 8 : 40 }, (_, at) => mark + at));
  const check = { check: "not_null", columns: looked };
  const recipe = JSON.parse(recipeOf(check as CheckExample["check"], keys ?? [])) as { tables: [{ steps: object[] }] };
  recipe.tables[0].steps = [];
  const columns = [...(keys ?? []), ...(looked ?? [])];
  const sources = { input: { columns, rows: [columns.map((name) => (name === "v33" ? null : name))] } };
  const { outcome } = await buildFrom(JSON.stringify(recipe), { ...sources, other: { columns: ["id"], rows: [] } });
  const cells = outcome.checks.find(({ check: name }) => name === "not_null")?.examples[0]?.cells ?? {};
  expect([Object.keys(cells).length, cells.v33, cells.k7, cells.v0]).toEqual([24, null, "k7", "v0"]);
});

test.each(EXAMPLES)("%s names the values that it looked at", async (name, { fails }) => {
  const [example] = (await checkedFailing(name, fails)).result?.examples ?? [];
  expect(Object.values(example?.cells ?? {}).slice(-(example?.values.length ?? 1))).toEqual(example?.values);
});

test.each([
  [{ min: 1 }, "there is at least 1 row"],
  [{ min: 2 }, "there are at least 2 rows"],
  [{ min: 1, max: 5 }, "there are at least 1 and at most 5 rows"],
])("row_count of %o is worded like a count: %s", (bounds, words) => {
  expect(CHECK_KINDS.row_count?.english({ check: "row_count", ...bounds } as never)).toBe(words);
});

test("every check has an example", () => {
  expect(Object.keys(CHECK_EXAMPLES)).toEqual(Object.keys(CHECK_KINDS));
});
