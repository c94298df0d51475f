import { join } from "node:path";
import type { Reject } from "@/lib/builds/plan";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { PARQUET_MEDIA } from "@/lib/formats/parquet-media";
import { replaceFile } from "@/lib/kernel/whole-file";
import { withWorkbench } from "@/lib/publish/workbench";
import { LEFT_OUT_CAUSES } from "@/lib/readers/left-out";
import type { SandboxOutcome } from "@/lib/sandbox/events";
import type { StoredColumn } from "@/lib/schemas/column";
import { blobStore } from "@/lib/storage/blob-store";
import { hashFile } from "@/lib/storage/blobs";
import type { NewArtifact } from "@/lib/store/runs/artifacts";
import { recordStored } from "./unrecorded";

/** Names and types of a table's columns: the type, DuckDB's type, and a description. */
type Columns = Readonly<Record<string, readonly [type: string, storage: string, description: string]>>;

/** The names under which query_run reads these tables. */
const REJECTS = "rejects";
export const LEFT_OUT = "left_out";

const REJECT_COLUMNS = {
  table: ["string", "VARCHAR", "Null if a reader left out the row."],
  step: ["int32", "INTEGER", "From 0, in its table."],
  column: ["string", "VARCHAR", "Null for an entire row."],
  source: ["string", "VARCHAR", ""],
  partition: ["string", "VARCHAR", ""],
  row: ["int64", "BIGINT", "As seen by a person who opens the file."],
  value: ["string", "VARCHAR", "At most 200 characters."],
  reason: ["string", "VARCHAR", ""],
} as const satisfies Columns & Record<keyof Reject, unknown>;

const LEFT_OUT_COLUMNS = {
  source: ["string", "VARCHAR", ""],
  cause: ["string", "VARCHAR", ""],
  words: ["string", "VARCHAR", "The cause in words."],
  partition: ["string", "VARCHAR", ""],
  row: ["int64", "BIGINT", "As seen by a person who opens the file."],
  column: ["int32", "INTEGER", "From 1; null for an entire row."],
  value: ["string", "VARCHAR", "At most 200 characters."],
} as const satisfies Columns;

type Row = Readonly<Record<string, string | number | null>>;

/** Stores rejects, in their order, as a table that members can query; undefined if nothing was rejected. */
export const rejectsTable = (
  folder: string,
  rejects: readonly Reject[],
  expiresAt: Date,
): Promise<NewArtifact | undefined> =>
  storedTable(
    folder,
    { name: REJECTS, columns: REJECT_COLUMNS, rows: rejects.map((reject) => ({ ...reject })) },
    expiresAt,
  );

/** The same for what readers left out: the first 1,000 of each source and cause. */
export const leftOutTable = (
  folder: string,
  { build, sources }: SandboxOutcome,
  expiresAt: Date,
): Promise<NewArtifact | undefined> => {
  const rows = (build?.leftOut ?? []).flatMap(({ source, cause, examples }) => {
    const parts = sources.find(({ name }) => name === source)?.parts ?? [];
    return examples.map(({ part, row, column, value }) => ({
      ...{ source, cause, words: LEFT_OUT_CAUSES[cause], partition: parts[part]?.partition ?? null },
      ...{ row, column, value },
    }));
  });
  return storedTable(folder, { name: LEFT_OUT, columns: LEFT_OUT_COLUMNS, rows }, expiresAt);
};

interface Listed {
  name: string;
  columns: Columns;
  rows: readonly Row[];
}

async function storedTable(folder: string, listed: Listed, expiresAt: Date): Promise<NewArtifact | undefined> {
  const { name, rows, columns } = listed;
  if (rows.length === 0) return undefined;
  const path = join(folder, `${name}.parquet`);
  await writeRows(path, listed);
  const { digest, bytes } = await hashFile(path);
  await recordStored(folder, digest);
  await blobStore().put(digest, path, { keep: true });
  return {
    ...{ kind: "rejects", table: name, name: `${name}.parquet`, mediaType: PARQUET_MEDIA },
    ...{ digest, bytes, columns: storedColumns(columns), rows: rows.length, expiresAt },
  };
}

const storedColumns = (columns: Columns): StoredColumn[] =>
  Object.entries(columns).map(([name, [type, storage, description]]) => ({
    ...{ name, type, storage, nullable: true, description: description || null, unit: null },
  }));

async function writeRows(path: string, { name, columns, rows }: Listed): Promise<void> {
  const names = Object.keys(columns);
  const lines = rows.map((row) => `${JSON.stringify(Object.fromEntries(names.map((key) => [key, row[key]])))}\n`);
  const types = Object.entries(columns).map(([column, [, storage]]) => `${quoteLiteral(column)}: '${storage}'`);
  await withWorkbench(async (bench) => {
    const file = join(bench.folder, `${name}.json`);
    replaceFile(file, lines.join(""), 0o600);
    const read = `read_json(${quoteLiteral(file)}, format = 'newline_delimited', columns = {${types.join(", ")}})`;
    await bench.run(`COPY (SELECT * FROM ${read}) TO ${quoteLiteral(path)} (FORMAT parquet, COMPRESSION zstd)`);
  });
}
