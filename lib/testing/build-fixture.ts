import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRecipe } from "@/lib/builds/document/read-recipe";
import type { BuildBench, BuildOutcome, BuildPlan } from "@/lib/builds/plan";
import { runBuild } from "@/lib/builds/run-build";
import { type Connection, withWriter } from "@/lib/engine/duckdb/duckdb";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { type JsonKind, readMembers } from "@/lib/readers/json/json-members";
import type { StagedSource } from "@/lib/readers/staged-source";

/** Cells of one source: strings for text formats, objects as JSON text for `json`, a SELECT per part for Parquet. */
export type Cells =
  | { columns: string[]; rows: (string | null)[][]; isPart?: true }
  | { objects: string[] }
  | { parquet: string[] };

export interface BuildOptions {
  mode?: "sample" | "full";
  lock?: BuildPlan["lock"];
  previous?: BuildPlan["previous"];
  now?: string;
  /** Where a table's file is copied to, by table name. */
  keep?: Readonly<Record<string, string>>;
}

/** The default start time of builds in tests. */
export const BUILD_NOW = "2026-11-21T05:30:00.000Z";

/** The outcome of a build, with the rows of its files as DuckDB prints them. */
export interface Built {
  outcome: BuildOutcome;
  /** By table name. */
  rows: Record<string, (string | null)[][]>;
  /** By table name: the file's digest, for comparisons. */
  digests: Record<string, string>;
  folder: string;
}

/** Runs a recipe over cells in a bench like the sandbox's: one thread, everything in one folder. */
export async function buildFrom(
  recipeText: string,
  sources: Readonly<Record<string, Cells>>,
  options: BuildOptions = {},
): Promise<Built> {
  const folder = await mkdtemp(join(tmpdir(), "build-"));
  try {
    await mkdir(join(folder, "out"));
    await mkdir(join(folder, "cells"));
    const { recipe, canonical } = readRecipe(recipeText);
    return await withBench(folder, async (bench, connection) => {
      const staged: StagedSource[] = [];
      for (const [at, { name }] of recipe.sources.entries()) {
        const cells = sources[name] ?? { columns: [], rows: [] };
        const place = { folder, name, ordinal: at + 1 };
        staged.push(await ("parquet" in cells ? stageParquet(bench, place, cells.parquet) : stage(place, cells)));
      }
      const outcome = await runBuild(bench, planOf(canonical, options), staged);
      for (const { table, path } of outcome.files) {
        const to = options.keep?.[table];
        if (to !== undefined) await copyFile(join(folder, path), to);
      }
      return { outcome, folder, ...(await readBack(connection, folder, outcome)) };
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A bench that writes into a folder, with one thread. */
export async function withBench<T>(
  folder: string,
  work: (bench: BuildBench, connection: Connection) => Promise<T>,
): Promise<T> {
  return await withWriter({ tempDir: join(folder, "spill"), memoryMb: 1024, threads: 1 }, async (connection) => {
    const bench: BuildBench = {
      folder,
      run: async (sql, params = []) => void (await connection.run(sql, [...params])),
      rows: async (sql, params = []) =>
        (await connection.runAndReadAll(sql, [...params])).getRowsJson() as (string | null)[][],
    };
    return await work(bench, connection);
  });
}

const planOf = (
  recipe: string,
  { mode = "full", lock = null, previous = {}, now = BUILD_NOW }: BuildOptions,
): BuildPlan => ({
  plan: "service-plan.v1",
  run: "run_test",
  mode,
  dataset: { slug: "test", title: "Test" },
  recipe,
  lock,
  sources: [],
  previous,
  limits: { rows: 1e9, unpackedBytes: 1e9, diskMb: 1000, seconds: 60 },
  engine: { duckdb: "1.5.6", readers: 1, memoryMb: 1024, threads: 1 },
  now,
});

interface Place {
  folder: string;
  name: string;
  ordinal: number;
}

async function stageParquet(
  bench: BuildBench,
  { folder, name, ordinal }: Place,
  selects: string[],
): Promise<StagedSource> {
  const files: string[] = [];
  const columns = new Set<string>();
  for (const [at, sql] of selects.entries()) {
    files.push(join("cells", `${name}-${at}.parquet`));
    await bench.run(`COPY (${sql}) TO ${quoteLiteral(join(folder, files[at] ?? ""))} (FORMAT parquet)`);
    for (const [column] of await bench.rows(`SELECT column_name FROM (DESCRIBE ${sql})`)) columns.add(column ?? "");
  }
  return {
    ...{ name, ordinal, form: "parquet", files, columns: [...columns].map((column) => ({ name: column })) },
    parts: files.map((_, at) => ({ partition: `p${at}`, member: null })),
    ...{ rows: 0, rowsOf: null, longestBytes: 0, leftOut: [] },
  };
}

async function stage(
  { folder, name, ordinal }: Place,
  cells: Exclude<Cells, { parquet: string[] }>,
): Promise<StagedSource> {
  const { columns, lines } = "objects" in cells ? jsonLines(cells.objects) : textLines(cells);
  const text = lines.map((line, at) => `${at + 1},0${line.map((cell) => `,${cell}`).join("")}\n`).join("");
  await writeFile(join(folder, "cells", `${name}.csv`), text);
  return {
    name,
    ordinal,
    form: "objects" in cells ? "json" : "text",
    files: [`cells/${name}.csv`],
    columns,
    rows: lines.length,
    rowsOf: "isPart" in cells ? null : lines.length,
    longestBytes: Math.max(0, ...lines.map((line) => Buffer.byteLength(line.join(","))), 64),
    parts: [{ partition: null, member: null }],
    leftOut: [],
  };
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const textLines = ({ columns, rows }: { columns: string[]; rows: (string | null)[][] }) => ({
  columns: columns.map((name) => ({ name })),
  lines: rows.map((row) => row.map((cell) => (cell === null ? "" : quoted(cell)))),
});

function jsonLines(objects: readonly string[]) {
  const seen = new Map<string, { kinds: Set<JsonKind>; items: Set<JsonKind> }>();
  const records = objects.map(readMembers);
  for (const { name, kind, items } of records.flat()) {
    const column = seen.get(name) ?? { kinds: new Set(), items: new Set() };
    seen.set(name, column);
    if (kind !== "null") column.kinds.add(kind);
    for (const item of items ?? []) column.items.add(item);
  }
  const columns = [...seen].map(([name, { kinds, items }]) => ({ name, kinds: [...kinds], items: [...items] }));
  const lines = records.map((members) =>
    columns.map(({ name }) => {
      const member = members.find((each) => each.name === name);
      if (!member || member.kind === "null") return "";
      if (member.kind === "number" || member.kind === "boolean") return member.text;
      return quoted(member.kind === "string" ? `s${member.text}` : member.text);
    }),
  );
  return { columns, lines };
}

async function readBack(
  connection: Connection,
  folder: string,
  outcome: BuildOutcome,
): Promise<Pick<Built, "rows" | "digests">> {
  const rows: Built["rows"] = {};
  const digests: Built["digests"] = {};
  for (const { table, path } of outcome.files) {
    const from = quoteLiteral(join(folder, path));
    const read = await connection.runAndReadAll(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM read_parquet(${from})`);
    rows[table] = read.getRowsJson() as (string | null)[][];
    const [digest] = (await connection.runAndReadAll(`SELECT sha256(content) FROM read_blob(${from})`)).getRowsJson();
    digests[table] = String(digest?.[0]);
  }
  return { rows, digests };
}
