import { LosslessNumber } from "lossless-json";
import { afterAll, beforeAll, expect, test } from "vitest";
import { groupFilters } from "@/components/explorer/view/group-filters";
import { ask, column, type EngineFixture, openFixture, rejection, seal } from "@/lib/testing/engine-fixture";
import { floatEdge } from "@/lib/testing/evaluate-groups";
import { propertyParameters, trialRuns } from "@/lib/testing/property";
import { numbersFrom } from "@/lib/testing/seeded-numbers";
import type { SealedVersion } from "./sealed-version";

const FLOATS = trialRuns("BAND_FLOATS", 1500);
const WIDTHS = trialRuns("BAND_WIDTHS", 12);
const ASKED = 3;
const TIER = { rowsMax: 2 * FLOATS, bytesMax: 2 ** 30 };
const COLUMNS = [column("d", "float64", "DOUBLE"), column("f", "float32", "FLOAT")];

let fixture: EngineFixture;
beforeAll(async () => {
  fixture = await openFixture("bands");
});
afterAll(() => fixture.close());

const random = numbersFrom(propertyParameters(1).seed);
const whole = (most: number) => Math.floor(random() * most);
const oneOf = <T>(...values: T[]): T => values[whole(values.length)] as T;

/** Mostly a few digits, sometimes up to fifteen, and every power of ten that is allowed. */
function randomWidth(): string {
  const digits = oneOf(1, 1, 1, 2, 3, 15);
  const coefficient = 1 + whole(10 ** digits - 1);
  return `${oneOf(1, 1, 5, coefficient, coefficient)}e${oneOf(-1, -2, 0, 1, -3, -6, 3, whole(38) - 22)}`;
}

/** Values of every size; many on an edge or next to one, where the nearest floats are in different bands. */
function randomValue(widths: readonly string[]): number {
  const sign = oneOf(1, -1);
  if (random() < 0.3) return sign * random() * 10 ** (whole(16) - 6);
  if (random() < 0.2) return sign * 2 ** (whole(80) - 30) * oneOf(1, 1, 1 + 2 ** -52, 1 - 2 ** -53, 1 + 2 ** -23);
  const [coefficient = "", exponent = ""] = oneOf(...widths).split("e");
  const edge = Number(`${BigInt(whole(oneOf(10, 1000, 1e6, 2 ** 31))) * BigInt(coefficient)}e${exponent}`);
  return sign * edge * oneOf(1, 1, 1 + 2 ** -52, 1 - 2 ** -53);
}

async function table(name: string, values: readonly (number | string | null)[]): Promise<SealedVersion> {
  const texts = values.map((value) => (value === null ? "null" : String(value))).join(" ");
  const read = "TRY_CAST(v AS DOUBLE)";
  const select = `SELECT ${read} AS d, TRY_CAST(${read} AS FLOAT) AS f FROM (SELECT unnest(string_split('${texts}', ' ')) AS v)`;
  return seal(fixture, name, select, COLUMNS);
}

interface Band {
  edge: number;
  rows: number;
  least: number;
  most: number;
}

const RESULTS = [
  { function: "count", as: "rows" },
  ...["min", "max"].map((name) => ({ function: name, column: "d", as: name })),
];

const within = (column: string, most: number) => ({ column, operator: "between", value: [-most, most] });

async function bandsOf(version: SealedVersion, name: string, width: string, most: number): Promise<Band[]> {
  const aggregates = RESULTS.map((each) => ("column" in each ? { ...each, column: name } : each));
  const filters = [within(name, most)];
  const body = JSON.stringify({ columns: [], filters, aggregates, limit: TIER.rowsMax }).slice(0, -1);
  const group = `"group_by":[{"column":"${name}","width":${width},"as":"edge"}],"order_by":[{"column":"edge"}]`;
  const { reply } = await ask(fixture.engine, version, `${body},${group}}`, TIER);
  return reply.rows.map(({ edge, rows, min, max }: Record<string, number>) => ({ edge, rows, least: min, most: max }));
}

type Round = (value: number) => number;
const KINDS = [
  ["d", "float64", Number],
  ["f", "float32", Math.fround],
] as const satisfies readonly (readonly [string, string, Round])[];

/** Values up to this many units of the width's last digit: few, and nearly as many as a width has bands for. */
const SIZES = [2 ** 38, 8e15];

/** The number of sorted values that are less than another. */
function countBelow(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

test("the rows of each band are those that its filter selects, for every float and width", async () => {
  const widths = Array.from({ length: WIDTHS }, randomWidth);
  const values = Array.from({ length: FLOATS }, () => randomValue(widths));
  const version = await table("floats", values);
  for (const [name, type, round] of KINDS) {
    const all = values.map(round).sort((a, b) => a - b);
    for (const [width, size] of widths.flatMap((each) => SIZES.map((size) => [each, size] as const))) {
      const group = { column: name, width: new LosslessNumber(width), as: "edge" };
      const limitsOf = (edge: number) => groupFilters(group, edge, type).map((each) => round(Number(each.value)));
      const most = round(size * Number(`1e${width.split("e")[1]}`));
      const sorted = all.filter((value) => Math.abs(value) <= most);
      const bands = await bandsOf(version, name, width, most);
      for (const { edge, rows, least, most: greatest } of bands) {
        const [low = Number.NaN, high = Number.NaN] = limitsOf(edge);
        const own = { low: round(edge), rows: countBelow(sorted, high) - countBelow(sorted, low), isInside: true };
        const isInside = round(least) >= low && round(greatest) < high && floatEdge(low, width, round) === low;
        if (low !== own.low || rows !== own.rows || !isInside)
          expect({ name, width, edge, low, rows, isInside }).toEqual({ name, width, edge, ...own });
      }
      const total = bands.reduce((sum, { rows }) => sum + rows, 0);
      expect([name, width, total]).toEqual([name, width, sorted.length]);
      await expectFilters(version, { name, type, width, most }, bands);
    }
  }
});

/** Some bands, asked for by their filters. */
async function expectFilters(
  version: SealedVersion,
  { name, type, width, most }: { name: string; type: string; width: string; most: number },
  bands: readonly Band[],
): Promise<void> {
  for (let asked = 0; asked < Math.min(ASKED, bands.length); asked += 1) {
    const { edge, rows } = oneOf(...bands.slice(0, 1000));
    const selected = groupFilters({ column: name, width: new LosslessNumber(width), as: "edge" }, edge, type);
    const band = selected.map(({ operator, value }) => ({ column: name, operator, value: Number(value) }));
    const filters = [...band, within(name, most)];
    const { reply } = await ask(fixture.engine, version, { columns: [], filters, aggregates: [RESULTS[0]] });
    expect([name, width, edge, reply.rows]).toEqual([name, width, edge, [{ rows }]]);
  }
}

test("labels are the decimals, and null, NaN, infinities and both zeros have their groups", async () => {
  const version = await table("labels", [0.3, 0.35, 0.7, -0.05, "-0.0", 0.05, "nan", "inf", "-inf", null]);
  const group_by = [{ column: "d", width: 0.1, as: "edge" }];
  const { reply } = await ask(fixture.engine, version, { columns: [], group_by, aggregates: [RESULTS[0]] });
  expect(reply.rows).toEqual([
    { edge: "-Infinity", rows: 1 },
    { edge: -0.1, rows: 1 },
    { edge: 0, rows: 2 },
    { edge: 0.3, rows: 2 },
    { edge: 0.7, rows: 1 },
    { edge: "Infinity", rows: 1 },
    { edge: "NaN", rows: 1 },
    { edge: null, rows: 1 },
  ]);
});

test("too small a width is rejected with one that works, and only for rows that match", async () => {
  const version = await table("large", [5, 1e20, -3e18, "inf"]);
  for (const name of ["d", "f"]) {
    const by = (width: number | string) =>
      ask(fixture.engine, version, `{"columns":[],"group_by":[{"column":"${name}","width":${width}}]}`);
    const { code, message } = await rejection(by(0.1));
    expect([code, message]).toEqual([
      "result_too_large",
      expect.stringContaining("Use 100000 or a greater power of ten."),
    ]);
    expect((await by(100_000)).reply.rows).toHaveLength(4);
    const filters = [
      { column: name, operator: "lt", value: 10 },
      { column: name, operator: "gt", value: 0 },
    ];
    const small = { columns: [], filters, group_by: [{ column: name, width: 0.1 }] };
    expect((await ask(fixture.engine, version, small)).reply.rows).toEqual([{ [name]: 5 }]);
  }
  const none = await table("none", [1e300]);
  const hopeless = ask(fixture.engine, none, { columns: [], group_by: [{ column: "d", width: 1e22 }] });
  expect((await rejection(hopeless)).message).toContain("filter out such values");
});
