import { join } from "node:path";
import type { Reject } from "@/lib/builds/plan";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { PARQUET_MEDIA } from "@/lib/formats/parquet-media";
import { replaceFile } from "@/lib/kernel/whole-file";
import { withWorkbench } from "@/lib/publish/workbench";
import type { StoredColumn } from "@/lib/schemas/column";
import { blobStore } from "@/lib/storage/blob-store";
import { hashFile } from "@/lib/storage/blobs";
import type { NewArtifact } from "@/lib/store/builds/artifacts";
import { noteStored } from "./unrecorded";

/** The name under which query_run reads rejects. */
const REJECTS = "rejects";

const COLUMNS = {
  table: ["string", "VARCHAR", "Null if a reader left out the row."],
  step: ["int32", "INTEGER", "From 0, in its table."],
  column: ["string", "VARCHAR", "Null for an entire row."],
  source: ["string", "VARCHAR", ""],
  partition: ["string", "VARCHAR", ""],
  row: ["int64", "BIGINT", "As seen by a person who opens the file."],
  value: ["string", "VARCHAR", "At most 200 characters."],
  reason: ["string", "VARCHAR", ""],
} as const satisfies Record<keyof Reject, readonly [type: string, storage: string, description: string]>;

const columns = (): StoredColumn[] =>
  Object.entries(COLUMNS).map(([name, [type, storage, description]]) => ({
    ...{ name, type, storage, nullable: true, description: description || null, unit: null },
  }));

/** Stores rejects, in their order, as a table that members can query; undefined if nothing was rejected. */
export async function rejectsTable(
  folder: string,
  rejects: readonly Reject[],
  expiresAt: Date,
): Promise<NewArtifact | undefined> {
  if (rejects.length === 0) return undefined;
  const path = join(folder, "rejects.parquet");
  await writeRejects(path, rejects);
  const { digest, bytes } = await hashFile(path);
  await noteStored(folder, digest);
  await blobStore().put(digest, path, { keep: true });
  return {
    ...{ kind: "rejects", table: REJECTS, name: "rejects.parquet", mediaType: PARQUET_MEDIA },
    ...{ digest, bytes, columns: columns(), rows: rejects.length, expiresAt },
  };
}

async function writeRejects(path: string, rejects: readonly Reject[]): Promise<void> {
  const names = Object.keys(COLUMNS) as (keyof Reject)[];
  const rows = rejects.map((reject) => Object.fromEntries(names.map((name) => [name, reject[name]])));
  const types = Object.entries(COLUMNS).map(([name, [, storage]]) => `${quoteLiteral(name)}: '${storage}'`);
  await withWorkbench(async (bench) => {
    const lines = join(bench.folder, "rejects.json");
    replaceFile(lines, rows.map((row) => `${JSON.stringify(row)}\n`).join(""), 0o600);
    const read = `read_json(${quoteLiteral(lines)}, format = 'newline_delimited', columns = {${types.join(", ")}})`;
    await bench.run(`COPY (SELECT * FROM ${read}) TO ${quoteLiteral(path)} (FORMAT parquet, COMPRESSION zstd)`);
  });
}
