import { join } from "node:path";
import type { Reject } from "@/lib/builds/plan";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { CSV_MEDIA } from "@/lib/formats/csv-media";
import { PARQUET_MEDIA } from "@/lib/formats/parquet-media";
import { env } from "@/lib/kernel/env";
import { sha256Hex } from "@/lib/kernel/sha256";
import { replaceFile } from "@/lib/kernel/whole-file";
import { withWorkbench } from "@/lib/publish/workbench";
import { LEFT_OUT_CAUSES } from "@/lib/readers/left-out";
import type { SandboxOutcome } from "@/lib/sandbox/events";
import type { StoredColumn } from "@/lib/schemas/column";
import { artifactStore, blobStore } from "@/lib/storage/blob-store";
import { hashFile } from "@/lib/storage/blobs";
import type { NewArtifact } from "@/lib/store/runs/artifacts";
import type { BuildOutput } from "./run-material";
import type { BuiltTable } from "./run-result";
import { recordStored } from "./unrecorded";

const DAY_MS = 86_400_000;
const STEP_PREVIEWS = "step-previews.json";

interface Text {
  kind: NewArtifact["kind"];
  name: string;
  mediaType: string;
  text: string;
}

/**
 * Writes a stage's artifacts other than tables, under the lock of its dataset: recipe, plan, checks, rejects, lineage.
 */
export async function textArtifacts(
  { material, folder, plan, outcome }: BuildOutput,
  now: Date,
): Promise<NewArtifact[]> {
  const json = "application/json";
  const { build } = outcome;
  const texts: Text[] = [
    { kind: "recipe", name: "recipe.json", mediaType: json, text: material.document.canonical },
    { kind: "plan", name: "plan.json", mediaType: json, text: JSON.stringify({ ...plan, recipe: undefined }) },
    { kind: "checks", name: "checks.json", mediaType: json, text: JSON.stringify(build?.checks ?? []) },
    { kind: "lineage", name: "lineage.json", mediaType: json, text: JSON.stringify(build?.lineage ?? []) },
    { kind: "rejects", name: "rejects.csv", mediaType: CSV_MEDIA, text: rejectsCsv(build?.rejects ?? []) },
    // only samples have them, and sealing keeps those of its sample
    ...(build && build.previews.length > 0
      ? [{ kind: "step_previews" as const, name: STEP_PREVIEWS, mediaType: json, text: JSON.stringify(build.previews) }]
      : []),
  ];
  const expiresAt = new Date(now.getTime() + env().ARTIFACT_DAYS * DAY_MS);
  const rejects = await rejectsTable(folder, build?.rejects ?? [], expiresAt);
  const leftOut = await leftOutTable(folder, outcome, expiresAt);
  const written = await Promise.all(texts.map((text) => writeText(folder, text, expiresAt)));
  return [...written, rejects ?? [], leftOut ?? []].flat();
}

async function writeText(folder: string, { text, ...artifact }: Text, expiresAt: Date): Promise<NewArtifact> {
  const { digest, bytes } = textDigest(text);
  await recordStored(folder, digest);
  const path = join(folder, `${artifact.name}.text`);
  replaceFile(path, text, 0o600);
  await artifactStore().put(digest, path);
  return { ...artifact, digest, bytes, expiresAt };
}

/** A table that only members can query, for as long as the sample is kept. */
export const tableArtifact = (
  kind: "sample_table" | "candidate_table",
  { slug, digest, bytes, columns, file }: BuiltTable,
  expiresAt: Date,
): NewArtifact => ({
  ...{ kind, table: slug, name: `${slug}.parquet`, mediaType: PARQUET_MEDIA },
  ...{ digest, bytes, columns, rows: file.rows, expiresAt },
});

/** Stores a built table as a blob, under the lock of its dataset. */
export async function storeTable({ folder }: Pick<BuildOutput, "folder">, { digest, path }: BuiltTable): Promise<void> {
  await recordStored(folder, digest);
  await blobStore().put(digest, path, { keep: true });
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
