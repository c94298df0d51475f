import { join } from "node:path";
import { slugOf } from "@/lib/builds/document/read-recipe";
import type { BuildFailure, BuildOutcome, BuiltFile, Reject } from "@/lib/builds/plan";
import { quoteIdentifier, quoteLiteral } from "@/lib/engine/sql/identifier";
import { sha256Hex } from "@/lib/kernel/sha256";
import { withWorkbench } from "@/lib/publish/workbench";
import type { StoredColumn } from "@/lib/schemas/column";
import type { RunResult } from "@/lib/schemas/run";
import { blobStore } from "@/lib/storage/blob-store";
import { hashFile } from "@/lib/storage/blobs";
import { storable } from "@/lib/store/postgres/stored-json";
import type { BuildOutput } from "./build-output";
import { shownLeftOut } from "./left-out-result";
import { cleanText, RunFailure } from "./run-failure";
import { shownChecks } from "./shown-checks";
import { recordStored } from "./unrecorded";

/** A Parquet file that a sandbox produced, measured here. */
export interface BuiltTable {
  slug: string;
  name: string;
  path: string;
  digest: string;
  bytes: number;
  file: BuiltFile;
  columns: StoredColumn[];
}

const PREVIEW_ROWS = 10;
const PREVIEW_ROWS_MIN = 3;
const PREVIEW_CHARS = 600;
const EXAMPLES_MAX = 3;
const STEP_ROWS_MAX = 50;

/** What was built. Throws the `RunFailure` of a build that failed because of its data. */
export function builtOf(output: BuildOutput): BuildOutcome {
  const build = buildOf(output);
  if (build.failure) throw failureOf(build.failure);
  return build;
}

/** What was built, even if the build failed because of its data. */
function buildOf({ outcome: { build } }: BuildOutput): BuildOutcome {
  if (!build) throw new RunFailure("sandbox_crashed", "The sandbox returned no build.");
  return build;
}

/** The tables of a build, each hashed again because the sandbox is not trusted. */
export async function builtTables(output: BuildOutput): Promise<BuiltTable[]> {
  const build = buildOf(output);
  const byName = new Map(output.material.document.recipe.tables.map((table) => [table.name, table]));
  const tables: BuiltTable[] = [];
  for (const file of build.files) {
    const table = byName.get(file.table);
    if (!table || table.internal || !file.path) continue;
    const path = join(output.folder, file.path);
    const blob = await hashFile(path);
    const columns = file.columns.map((column) => ({ ...column }));
    tables.push({ slug: slugOf(table), name: table.name, path, ...blob, file, columns });
  }
  return tables;
}

/** Stores a built table as a blob, under the lock of its dataset. */
export async function storeTable({ folder }: Pick<BuildOutput, "folder">, { digest, path }: BuiltTable): Promise<void> {
  await recordStored(folder, digest);
  await blobStore().put(digest, path, { keep: true });
}

/** The summary that a run records after a stage. */
export async function resultFor(
  output: BuildOutput,
  tables: readonly BuiltTable[],
  digest: string | null,
): Promise<RunResult> {
  const build = buildOf(output);
  return storable({
    recipe_digest: digest,
    tables: tables.map(({ slug, file, columns, digest: content }) => ({
      ...{ table: slug, rows: file.rows, columns: columns.length, content_digest: `sha256:${content}` },
    })),
    rejects: build.rejectCounts.map(({ table, column, cells }) => {
      const own = build.rejects.filter((reject) => reject.table === table && reject.column === column);
      return { table, column, cells, examples: own.slice(0, EXAMPLES_MAX).map(({ value }) => cleanText(value)) };
    }),
    checks: shownChecks(build.checks),
    step_rows: build.stepRows.slice(0, STEP_ROWS_MAX),
    inferred: build.lock?.inferred ?? [],
    sampled: build.sampled.map((sampled) => ({ ...sampled, ...remarksOf(output, sampled.source) })),
    ...(build.leftOut.length > 0 && {
      left_out: build.leftOut.map((each) => shownLeftOut(each, sourceOf(output, each.source)?.parts ?? [])),
    }),
    preview: await previewOf(tables),
  });
}

const sourceOf = ({ outcome }: BuildOutput, name: string) => outcome.sources.find((source) => source.name === name);

function remarksOf(output: BuildOutput, source: string): { remarks?: string[] } {
  const remarks = sourceOf(output, source)?.remarks?.map(cleanText);
  return remarks ? { remarks } : {};
}

/** The first rows of each table, cells as text: three per table, and as many more as fit in a short reply. */
async function previewOf(tables: readonly BuiltTable[]): Promise<RunResult["preview"]> {
  const previews = await withWorkbench(async (bench) => {
    const rows: [string, RunResult["preview"][string]][] = [];
    for (const { slug, path, columns } of tables) {
      const cells = columns.map(({ name }) => `left(${quoteIdentifier(name)}::VARCHAR, 200)`).join(", ");
      const sql = `SELECT ${cells} FROM read_parquet(${quoteLiteral(path)}) LIMIT ${PREVIEW_ROWS}`;
      rows.push([slug, { columns: columns.map(({ name }) => name), rows: shortRows(await bench.rows(sql)) }]);
    }
    return rows;
  });
  return Object.fromEntries(previews);
}

function shortRows(rows: readonly unknown[][]): unknown[][] {
  let chars = 0;
  return rows.filter((row, at) => {
    chars += JSON.stringify(row).length;
    return at < PREVIEW_ROWS_MIN || chars <= PREVIEW_CHARS;
  });
}

/** Rejects as a CSV file. */
export function rejectsCsv(rejects: readonly Reject[]): string {
  const names = ["table", "step", "column", "source", "partition", "row", "value", "reason"] as const;
  const cell = (value: string | number | null) => (value === null ? "" : `"${String(value).replaceAll('"', '""')}"`);
  const lines = rejects.map((reject) => names.map((name) => cell(reject[name])).join(","));
  return `${[names.join(","), ...lines].join("\n")}\n`;
}

export const textDigest = (text: string): { digest: string; bytes: number } => ({
  digest: sha256Hex(text),
  bytes: Buffer.byteLength(text),
});

/** The run failure for a build that failed because of its data. */
function failureOf({ code, message, at }: BuildFailure): RunFailure {
  const location = { table: at.table, ...(at.column !== undefined && { column: at.column }) };
  return new RunFailure(code, message, { ...location, ...(at.pointer !== undefined && { pointer: at.pointer }) });
}
