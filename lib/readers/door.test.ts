import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import iconv from "iconv-lite";
import { isLosslessNumber, parse } from "lossless-json";
import { expect, test } from "vitest";
import { type Doors, type Outcome, withBothDoors } from "@/lib/testing/both-doors";
import { countedRecords } from "@/lib/testing/counted-records";
import { asked, type Expected, read, refused } from "@/lib/testing/door-files/door-file";
import { judged } from "@/lib/testing/door-files/judge";
import { type MadeTable, madeTable } from "@/lib/testing/made-tables/made-table";
import { type PythonTable, pythonReader } from "@/lib/testing/made-tables/python-reader";
import { propertyParameters, trialRuns } from "@/lib/testing/property";

/**
 * Tables that were there before their files: each door gives exactly their cells, or refuses or asks in words. A single
 * file: `PROPERTY_SEED=<its seed> DOOR_RUNS=1 npm run unit -- lib/readers/door.test.ts`.
 */

const RUNS = trialRuns("DOOR_RUNS", 40);
const { seed: SEED } = propertyParameters(RUNS);
const BATCH = 200;
/** Files that a door reads without a question. Otherwise refusing everything would be right. */
const READ_SHARE = 0.6;

/** What the doors may make of a table. */
function expectations({ columns, notes, ambiguous, about }: MadeTable): Record<"publish" | "recipe", Expected[]> {
  const exact = read(columns, { rows: notes });
  const words = refused(/\w{3}/);
  return {
    publish: [exact, words],
    recipe: [
      exact,
      ...[asked(/\w{3}/, columns), words],
      asked(/delimiter/i),
      ...ambiguous.map((name) => asked(new RegExp(name))),
      ...(about.encoding === "windows-1252" ? [asked(/encoding/i)] : []),
    ],
  };
}

const kindOf = (outcome: Outcome): string =>
  "broken" in outcome ? "broken" : "refused" in outcome ? "refused" : outcome.warnings.length > 0 ? "asked" : "read";

const truthOf = ({ columns }: MadeTable): PythonTable => ({
  header: columns.map(({ name }) => name),
  rows: (columns[0]?.cells ?? []).map((_, row) => columns.map(({ cells }) => cells[row] ?? null)),
});

interface Tally {
  failures: string[];
  /** How many outcomes there are by door, format and kind. */
  kinds: Record<string, number>;
}

/** Sends a table through both doors. */
async function send(doors: Doors, seed: number, table: MadeTable, { failures, kinds }: Tally): Promise<void> {
  const expected = expectations(table);
  const { file, bytes } = table;
  const outcomes = await Promise.all([doors.publish(file, bytes), doors.recipe(file, bytes)]);
  for (const [at, outcome] of outcomes.entries()) {
    const door = at === 0 ? "publish" : "recipe";
    const key = `${door} ${table.about.format} ${kindOf(outcome)}`;
    kinds[key] = (kinds[key] ?? 0) + 1;
    const why = judged(outcome, expected[door]);
    if (why !== undefined) failures.push(`seed ${seed}, ${door}, ${table.file}: ${why.slice(0, 700)}`);
  }
}

test(`${RUNS} made files give their tables at both doors`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "door-"));
  const isTrial = RUNS > BATCH;
  const python = isTrial ? pythonReader(folder) : undefined;
  if (isTrial && !python) process.stdout.write("The comparison with Python is skipped: it needs Python 3 with pip.\n");
  const tally: Tally = { failures: [], kinds: {} };
  const startedAt = performance.now();
  try {
    await withBothDoors(async (doors) => {
      for (let from = 0; from < RUNS; from += BATCH) {
        const seeds = Array.from({ length: Math.min(BATCH, RUNS - from) }, (_, at) => SEED + from + at);
        const tables = await Promise.all(seeds.map(madeTable));
        expectSaid(tables, seeds, python?.(tables) ?? tables.map(readHere));
        for (const [at, table] of tables.entries()) await send(doors, seeds[at] ?? 0, table, tally);
        if (isTrial) report(from + seeds.length, startedAt, tally.failures);
      }
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (isTrial) process.stdout.write(`${JSON.stringify(tally.kinds, null, 2)}\n`);
  expect(tally.failures).toEqual([]);
  const taken = Object.entries(tally.kinds).reduce((sum, [key, count]) => sum + (key.endsWith(" read") ? count : 0), 0);
  if (RUNS >= 40) expect(taken / (2 * RUNS)).toBeGreaterThan(READ_SHARE);
});

function report(done: number, startedAt: number, failures: readonly string[]): void {
  const rate = (done / (performance.now() - startedAt)) * 1000;
  process.stdout.write(`${done} files, ${rate.toFixed(1)} a second, ${failures.length} failures\n`);
  if (failures.length > 0) process.stdout.write(`${failures.slice(-3).join("\n")}\n`);
}

/** Each file really says what its table says, judged by another reader. */
function expectSaid(
  tables: readonly MadeTable[],
  seeds: readonly number[],
  found: readonly (PythonTable | undefined)[],
) {
  for (const [at, table] of tables.entries())
    if (found[at]) expect({ seed: seeds[at], ...found[at] }).toEqual({ seed: seeds[at], ...truthOf(table) });
}

/** Text and JSON by parsers that share nothing with the readers; undefined for other formats. */
function readHere({ bytes, about }: MadeTable): PythonTable | undefined {
  const plain = about.isPacked ? gunzipSync(bytes) : bytes;
  if (about.format === "csv") {
    const text = iconv.decode(plain, about.encoding.replace("-mark", ""));
    const separated = { delimiter: about.delimiter, quote: '"', escapedBy: '"', comment: undefined };
    const [header = [], ...rows] = countedRecords(text, separated).slice(about.before) as string[][];
    const end = rows.findIndex(({ length }) => length !== header.length);
    const data = end < 0 ? rows : rows.slice(0, end);
    return { header, rows: data.map((cells) => cells.map((cell) => (cell === "" ? null : cell))) };
  }
  if (about.format !== "json" && about.format !== "ndjson") return undefined;
  const lines = about.format === "json" ? [] : plain.toString().trim().split("\n");
  const records = (about.format === "json" ? parse(plain.toString()) : lines.map((line) => parse(line))) as object[];
  return { header: Object.keys(records[0] ?? {}), rows: records.map((record) => Object.values(record).map(cellOf)) };
}

function cellOf(value: unknown): string | null {
  if (value === null) return null;
  return isLosslessNumber(value) ? value.toString() : String(value);
}
