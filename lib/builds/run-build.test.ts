import { expect, test } from "vitest";
import { buildFrom, type Cells } from "@/lib/testing/build-fixture";

const RECIPE = `
schema_version: service-recipe.v1
sources:
  - {name: stations, kind: http, url: "https://data.example.org/stations.csv", reader: {format: csv}}
tables:
  - name: readings
    slug: readings
    from: stations
    steps:
      - {step: rename, columns: {Wert: value, Tag: day}}
      - {step: parse, columns: [value], as: "decimal(9,2)", number: {decimal: ",", thousands: ["."]}, on_error: "null"}
      - {step: parse, columns: [day], as: date, date: {formats: ["%d.%m.%Y"]}}
      - {step: filter, filters: [{column: day, operator: gte, value: "2024-01-02"}]}
      - step: derive
        columns: {doubled: {fn: mul, args: [{col: value}, 2]}, big: {fn: gt, args: [{col: value}, 1000]}}
      - {step: select, columns: [day, name, value, doubled, big]}
    columns:
      - {name: day, type: date, nullable: false}
      - {name: name}
      - {name: value, type: "decimal(9,2)", unit: m}
    tolerance: {cells: 1}
    primary_key: [day]
    time_column: day
    checks:
      - {check: row_count, min: 2}
      - {check: range, column: value, max: 1000, severity: warn}
publish: {license: CC0-1.0, publisher: {name: Example}}
`;

const CELLS = {
  columns: ["name", "Tag", "Wert"],
  rows: [
    ["a", "01.01.2024", "1,5"],
    ["b", "02.01.2024", "1.234,50"],
    ["c", "03.01.2024", "1.23"],
    [null, "04.01.2024", null],
  ],
};

test("a sample and a full run report which steps change the number of rows, and have the same rows", async () => {
  const steps = `
      - {step: filter, filters: [{column: Tag, operator: neq, value: "04.01.2024"}]}
      - {step: filter, filters: [{column: name, operator: neq, value: b}]}
      - {step: derive, columns: {one: 1}}
      - {step: parse, columns: [Wert], as: "decimal(9,2)", number: {decimal: ","}, on_error: drop_row}
      - {step: unpivot, columns: [name, Tag], names_to: n, values_to: v}
      - {step: sort, by: [{column: v}]}`;
  const [head = "", rest = ""] = RECIPE.split(/ {4}steps:[\s\S]*?(?= {4}columns:)/);
  const plain = rest.replace(/ {4}columns:[\s\S]*?(?=publish:)/, "    columns: []\n    tolerance: {cells: 1}\n");
  const recipe = `${head}    steps:${steps}\n${plain}`;
  const [sample, full] = [
    await buildFrom(recipe, { stations: CELLS }, { mode: "sample" }),
    await buildFrom(recipe, { stations: CELLS }),
  ];
  expect(sample.outcome.stepRows.map(({ step, kind, from, to }) => [step, kind, from, to])).toEqual([
    [0, "filter", 4, 3],
    [1, "filter", 3, 2],
    [3, "parse", 2, 1],
    [4, "unpivot", 1, 2],
  ]);
  expect(full.outcome.stepRows).toEqual(sample.outcome.stepRows);
  expect(sample.rows).toEqual(full.rows);
});

test("a sample keeps the first rows before and after each step, a full run none", async () => {
  const { outcome } = await buildFrom(RECIPE, { stations: CELLS }, { mode: "sample" });
  const shown = outcome.previews.map(({ step, rows, columns, cells }) => ({
    ...{ step, rows, columns: columns.map(({ name }) => name), first: cells?.[0] },
  }));
  expect(shown.slice(0, 2)).toEqual([
    { step: -1, rows: 4, columns: ["name", "Tag", "Wert"], first: ["a", "01.01.2024", "1,5"] },
    { step: 0, rows: 4, columns: ["name", "day", "value"], first: ["a", "01.01.2024", "1,5"] },
  ]);
  expect(shown.at(-1)).toEqual({
    ...{ step: 5, rows: 3, columns: ["day", "name", "value", "doubled", "big"] },
    first: ["2024-01-02", "b", "1234.50", "2469.00", "true"],
  });
  const [after, filtered] = [2, 3].map((step) => outcome.previews.find((each) => each.step === step));
  expect(filtered).toMatchObject({ rows: 3, keeps_order: true, origins: after?.origins.slice(1) });
  expect((await buildFrom(RECIPE, { stations: CELLS })).outcome.previews).toEqual([]);
});

test("a value that no later step needs, and cannot be computed, leaves only the preview unknown", async () => {
  const recipe = RECIPE.replace(
    "      - {step: select,",
    "      - {step: derive, columns: {over: {fn: add, args: [{fn: length, args: [{col: name}]}, " +
      "{value: 9223372036854775807, type: int64}]}}}\n" +
      "      - {step: select,",
  );
  const sample = await buildFrom(recipe, { stations: CELLS }, { mode: "sample" });
  const full = await buildFrom(recipe, { stations: CELLS });
  expect([sample.outcome.failure, full.outcome.failure]).toEqual([null, null]);
  const unknown = sample.outcome.previews.filter(({ cells }) => cells === null);
  expect(unknown.map(({ step }) => step)).toEqual([5]);
  expect(sample.rows).toEqual(full.rows);
});

test("previews have a limit: of rows, columns, characters and altogether", async () => {
  const columns = Array.from({ length: 60 }, (_, at) => `c${at}`);
  const rows = Array.from({ length: 12 }, () => columns.map(() => "ä".repeat(300)));
  const steps = Array.from({ length: 20 }, () => "{step: sort, by: [{column: c1}]}").join(", ");
  const { outcome } = await buildFrom(
    `
schema_version: service-recipe.v1
sources:
  - {name: s, kind: upload, upload: s.csv, reader: {format: csv}}
tables:
  - {name: t, from: s, internal: true, steps: [${steps}]}
publish: {license: MIT, topics: [x], publisher: {name: X}}`,
    { s: { columns, rows } },
    { mode: "sample" },
  );
  const [first] = outcome.previews;
  expect(first).toMatchObject({ rows: 12, more_columns: 10 });
  expect(first?.cells?.map((row) => row.map((cell) => cell?.length))).toEqual(Array(10).fill(Array(50).fill(200)));
  expect(outcome.previews).toHaveLength(21);
  expect(outcome.previews.at(-1)?.cells).toBeNull();
  expect(Buffer.byteLength(JSON.stringify(outcome.previews))).toBeLessThan(1_000_000);
});

test("rows without a match, cells without a value and rows that are left out are counted exactly", async () => {
  const names = (columns: string[], rows: (string | null)[][]) => ({ columns, rows });
  const table = (from: string, steps: string) => `{name: ${from}_t, from: ${from}, internal: true, steps: [${steps}]}`;
  const recipe = (steps: string) => `
schema_version: service-recipe.v1
sources:
  - {name: s, kind: upload, upload: s.csv, reader: {format: csv}}
  - {name: o, kind: upload, upload: o.csv, reader: {format: csv}}
tables:
  - ${table("s", steps)}
publish: {license: MIT, topics: [x], publisher: {name: X}}`;
  const given = {
    s: names(
      ["k", "a", "b"],
      [
        ["1", "x", null],
        ["2", null, null],
        ["3", "y", "z"],
        [null, "q", null],
        ["3", "y", "z"],
      ],
    ),
    o: names(
      ["k", "v"],
      [
        ["1", "one"],
        ["3", "three"],
        ["3", "drei"],
      ],
    ),
  };
  const counted = async (steps: string) => {
    const built = await Promise.all(
      (["sample", "full"] as const).map((mode) => buildFrom(recipe(steps), given, { mode })),
    );
    const [sample, full] = built.map(({ outcome }) => {
      expect(outcome.failure).toBeNull();
      return outcome.stepRows.map(({ table: _, ...counts }) => counts);
    });
    expect(full).toEqual(sample);
    return full;
  };
  const on = "with: o, on: [{left: k, right: k}]";
  expect(await counted(`{step: join, ${on}, multiple: all}`)).toEqual([
    { step: 0, kind: "join", from: 5, to: 7, unmatched: 2 },
  ]);
  expect(await counted(`{step: join, ${on}, multiple: first}`)).toEqual([
    { step: 0, kind: "join", from: 5, to: 5, unmatched: 2 },
  ]);
  expect(await counted(`{step: join, ${on}, kind: inner, multiple: first}`)).toEqual([
    { step: 0, kind: "join", from: 5, to: 3, dropped: 2 },
  ]);
  expect(await counted(`{step: join, ${on}, kind: inner, multiple: all}`)).toEqual([
    { step: 0, kind: "join", from: 5, to: 5, dropped: 2 },
  ]);
  expect(
    await counted(
      "{step: filter, filters: [{column: k, operator: is_not_null}]}, {step: dedupe}, " +
        "{step: unpivot, columns: [a, b], names_to: n, values_to: v}, {step: limit, rows: 2}",
    ),
  ).toEqual([
    { step: 0, kind: "filter", from: 5, to: 4 },
    { step: 1, kind: "dedupe", from: 4, to: 3 },
    { step: 2, kind: "unpivot", from: 3, to: 3, dropped: 3 },
    { step: 3, kind: "limit", from: 3, to: 2 },
  ]);
});

test("a recipe turns cells into a typed, checked table with rejects and a lock", async () => {
  const { outcome, rows } = await buildFrom(RECIPE, { stations: CELLS });
  expect(outcome.failure).toBeNull();
  expect(rows.readings).toEqual([
    ["2024-01-02", "b", "1234.50", "2469.00", "true"],
    ["2024-01-03", "c", null, null, null],
    ["2024-01-04", null, null, null, null],
  ]);
  expect(outcome.rejects).toMatchObject([
    { table: "readings", step: 1, column: "value", source: "stations", row: 3, value: "1.23" },
  ]);
  expect(outcome.checks.map(({ check, outcome: result, failures }) => [check, result, failures])).toEqual([
    ["not_null", "passed", 0],
    ["row_count", "passed", 0],
    ["range", "failed", 1],
    ["row_count_change", "not_applicable", 0],
  ]);
  expect(outcome.files).toMatchObject([{ table: "readings", rows: 3, dataThrough: "2024-01-04", primaryKey: ["day"] }]);
  expect(outcome.lock?.columns.readings?.map(({ name, type }) => `${name} ${type}`)).toEqual([
    "day date",
    "name string",
    "value decimal(9,2)",
    "doubled decimal(38,2)",
    "big boolean",
  ]);
});

test("checks of all rows run on a sample with all rows, and otherwise say why they do not", async () => {
  const checkedOn = async (cells: Cells) => {
    const { outcome } = await buildFrom(RECIPE, { stations: cells }, { mode: "sample" });
    return outcome.checks.filter(({ check }) => check.startsWith("row_count")).map(({ message }) => message);
  };
  expect(await checkedOn(CELLS)).toEqual([
    "There are at least 2 rows.",
    "Not checked: there is no current release yet.",
  ]);
  const unread = "Not checked: a sample does not have all rows.";
  expect(await checkedOn({ ...CELLS, isPart: true })).toEqual([unread, unread]);
});

test("the same cells and recipe give the same bytes", async () => {
  const first = await buildFrom(RECIPE, { stations: CELLS });
  const second = await buildFrom(RECIPE, { stations: CELLS }, { lock: first.outcome.lock });
  expect(second.outcome.failure).toBeNull();
  expect(second.digests).toEqual(first.digests);
});
