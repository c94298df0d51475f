import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "lossless-json";
import { readRecipe } from "@/lib/builds/document/read-recipe";
import { partColumns } from "@/lib/builds/part-columns";
import type { BuildBench, BuildPlan, PlannedInspection } from "@/lib/builds/plan";
import { runBuild } from "@/lib/builds/run-build";
import { type Connection, duckdbVersion, withWriter } from "@/lib/engine/duckdb/duckdb";
import { quoteIdentifier, quoteLiteral } from "@/lib/engine/sql/identifier";
import { Failure } from "@/lib/kernel/errors";
import { fillStage } from "@/lib/publish/stage";
import { openSource } from "@/lib/readers/containers/source-file";
import { ReadFailure } from "@/lib/readers/failure";
import type { LeftOut } from "@/lib/readers/left-out";
import { planReading } from "@/lib/readers/typed/plan-reading";
import { benchOf } from "@/lib/sandbox/bench";
import { decodeSource } from "@/lib/sandbox/decode-source";
import type { SourceFound } from "@/lib/sandbox/events";
import { inspectSource } from "@/lib/sandbox/inspect-source";
import { READER_OPTIONS, type Reader, readerSchema } from "@/lib/schemas/recipe-reader";
import type { Archive } from "@/lib/schemas/recipe-source";

/** What a door made of a file. */
export interface Taken {
  columns: { name: string; type: string }[];
  /** As DuckDB prints them; lists and structs as JSON. */
  rows: (string | null)[][];
  leftOut: LeftOut[];
  /** What the proposal says to a person. */
  warnings: string[];
  rejected: { cells: number; rows: number };
  reader?: { format: string; options: Record<string, unknown> };
  steps?: readonly unknown[];
}

/** A file is taken, refused in words, or the door broke. */
export type Outcome = Taken | { refused: string; warnings: string[] } | { broken: string };

export interface Doors {
  publish(name: string, content: Uint8Array): Promise<Outcome>;
  recipe(name: string, content: Uint8Array): Promise<Outcome>;
  folder: string;
}

const MEMORY_MB = 1024;
const HEAD_BYTES = 2 * 1024 * 1024;
const TAIL_BYTES = 64 * 1024;
const WHOLE_SIGNS = ["PK\x03\x04", "PAR1"];

/** Opens both doors in this process, each with one DuckDB for all files, and closes them after the work. */
export async function withBothDoors<T>(work: (doors: Doors) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "both-doors-"));
  const options = { tempDir: join(folder, "spill"), memoryMb: MEMORY_MB, threads: 1 };
  try {
    return await withWriter(options, (publishing) =>
      withWriter(options, async (building) => {
        for (const each of [publishing, building]) await each.run("PRAGMA disable_optimizer");
        await building.run("SET GLOBAL preserve_insertion_order = true");
        let count = 0;
        const enter =
          (connection: Connection, door: (entry: Entry) => Promise<Outcome>) =>
          async (name: string, content: Uint8Array): Promise<Outcome> => {
            count += 1;
            return await attempt({ connection, folder: join(folder, `${count}`), id: count, name, content }, door);
          };
        return await work({ publish: enter(publishing, publishFile), recipe: enter(building, buildFile), folder });
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Entry {
  connection: Connection;
  folder: string;
  id: number;
  name: string;
  content: Uint8Array;
}

/** Rejects if something throws where nobody can catch it, which would end a process. */
function whileCaught<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const uncaught = (error: unknown) => reject(new Error("Nothing caught it", { cause: error }));
    process.once("uncaughtException", uncaught);
    void work.then(resolve, reject).finally(() => process.removeListener("uncaughtException", uncaught));
  });
}

/** A folder and a schema of its own; what went wrong as an outcome. */
async function attempt(entry: Entry, door: (entry: Entry) => Promise<Outcome>): Promise<Outcome> {
  const schema = quoteIdentifier(`file_${entry.id}`);
  await mkdir(entry.folder, { recursive: true });
  await entry.connection.run(`CREATE SCHEMA ${schema}; USE ${schema}`);
  try {
    return await whileCaught(door(entry));
  } catch (error) {
    return notTaken(error, []);
  } finally {
    // the last one is publishing's, for zeros of both signs
    const cleaned = ["USE memory.main", `DROP SCHEMA ${schema} CASCADE`, "DROP TABLE IF EXISTS temp.main.stage"];
    await entry.connection.run(cleaned.join("; "));
    await rm(entry.folder, { recursive: true, force: true });
  }
}

function notTaken(error: unknown, warnings: string[]): Outcome {
  if (error instanceof Failure || error instanceof ReadFailure) return { refused: error.message, warnings };
  if (!(error instanceof Error)) return { broken: String(error) };
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return { broken: `${error.message}${cause}\n${error.stack ?? ""}` };
}

/** As `publishTable` reads a file (lib/publish/publish.ts). */
async function publishFile({ connection, folder, name, content }: Entry): Promise<Outcome> {
  const path = join(folder, name);
  await writeFile(path, content);
  const bench = benchOf(folder, connection);
  const source = await openSource(path, undefined, folder);
  const reading = await planReading(bench, source, [], { orderBy: [] });
  const stage = await fillStage(bench, reading);
  const { columns } = stage;
  const rows = await textRows(bench, columns, "stage ORDER BY rowid");
  const leftOut = [...stage.leftOut];
  return {
    columns,
    ...{ rows, leftOut, warnings: [], rejected: { cells: 0, rows: 0 } },
  };
}

const NESTED = /^(?:list<|struct)/;

async function textRows(
  bench: BuildBench,
  columns: readonly { type: string }[],
  from: string,
): Promise<(string | null)[][]> {
  // by position, since names may differ only in case
  const cells = columns.map(({ type }, at) =>
    NESTED.test(type) ? `to_json(#${at + 1})::VARCHAR` : `#${at + 1}::VARCHAR`,
  );
  return await bench.rows(`SELECT ${cells.join(", ")} FROM ${from}`);
}

/** As an inspection and a run of its proposal read a file (lib/worker/inspections/inspect-stage.ts, lib/sandbox/main.ts). */
async function buildFile(entry: Entry): Promise<Outcome> {
  const { connection, folder, content } = entry;
  for (const part of ["raw", "cells", "unpacked", "out"]) await mkdir(join(folder, part), { recursive: true });
  await writeFile(join(folder, "raw", "0"), content);
  const inspected = join(folder, "inspected");
  for (const part of ["raw", "cells", "unpacked", "out"]) await mkdir(join(inspected, part), { recursive: true });
  const asked = await inspectionOf(inspected, entry);
  const found = await inspectSource(benchOf(inspected, connection), planOf("sample", "{}"), asked);
  if (!found.reader) return { refused: found.warnings.join("\n"), warnings: found.warnings };
  try {
    return await run(benchOf(folder, connection), found);
  } catch (error) {
    return notTaken(error, found.warnings);
  }
}

/** The head of a file, and its tail if it has more, as they are copied for an inspection. */
async function inspectionOf(folder: string, { name, content }: Entry): Promise<PlannedInspection> {
  const isWhole =
    content.length <= HEAD_BYTES || WHOLE_SIGNS.includes(Buffer.from(content.subarray(0, 4)).toString("latin1"));
  await writeFile(join(folder, "raw", "head"), isWhole ? content : content.subarray(0, HEAD_BYTES));
  if (!isWhole) await writeFile(join(folder, "raw", "tail"), content.subarray(content.length - TAIL_BYTES));
  return {
    ...{ file: join("raw", "head"), tail: isWhole ? null : join("raw", "tail"), name, isWhole },
    ...{ headBytes: HEAD_BYTES, mediaType: null, link: null, url: null, reader: null, member: null },
  };
}

/** A plan without sources, as `lib/worker` writes it for a run. */
export const planOf = (mode: "sample" | "full", recipe: string): BuildPlan => ({
  plan: "service-plan.v1",
  run: "run_test",
  mode,
  dataset: { slug: "test", title: "Test" },
  recipe,
  lock: null,
  sources: [],
  previous: {},
  limits: { rows: mode === "sample" ? 10_000 : 1_000_000, unpackedBytes: 2 ** 28, diskMb: 1000, seconds: 60 },
  engine: { duckdb: duckdbVersion(), readers: 1, memoryMb: MEMORY_MB, threads: 1 },
  now: "2026-11-21T05:30:00.000Z",
});

/** Runs the proposal of an inspection over the whole file. */
async function run(bench: BuildBench, found: SourceFound): Promise<Outcome> {
  const { warnings, table, containers } = found;
  const proposed = found.reader ?? { format: "csv", options: {} };
  const packed = containers.find(({ kind }) => kind === "zip" || kind === "tar");
  const archive = packed?.chosen ? { member: packed.chosen } : undefined;
  const source = {
    ...{ name: "source", kind: "http", url: "https://office.example.org/data" },
    ...(archive && { archive }),
    reader: proposed,
  };
  const { canonical } = readRecipe(
    stringify({
      schema_version: "service-recipe.v1",
      sources: [source],
      tables: [{ name: "data", from: "source", steps: table.steps, columns: table.columns }],
      publish: { license: "CC0-1.0", publisher: { name: "Test" } },
    }) ?? "",
  );
  const plan = planOf("full", canonical);
  const decoded = await decodeSource({
    ...{ plan, bench, reader: readerOf(canonical) },
    source: { name: "source", ordinal: 1, parts: [{ partition: null, file: join("raw", "0") }] },
    archive: archive && ({ kind: "auto", expect: "one", ...archive } as Archive),
    partColumns: partColumns(source as Parameters<typeof partColumns>[0]),
  });
  const outcome = await runBuild(bench, plan, [decoded]);
  if (outcome.failure) return { refused: outcome.failure.message, warnings };
  const [file] = outcome.files;
  if (!file) return { broken: "no file" };
  const from = `read_parquet(${quoteLiteral(join(bench.folder, file.path))})`;
  return {
    columns: file.columns.map(({ name, type }) => ({ name, type })),
    rows: await textRows(bench, file.columns, from),
    leftOut: outcome.leftOut,
    warnings,
    rejected: outcome.rejectTotals,
    reader: proposed,
    steps: table.steps,
  };
}

/** The reader with every default filled in, as the sandbox takes it from a document. */
function readerOf(canonical: string): Reader {
  const { sources } = parse(canonical) as { sources: { reader: unknown }[] };
  const { format, options } = readerSchema.parse(sources[0]?.reader);
  return { format, options: READER_OPTIONS[format].parse(options) } as Reader;
}
