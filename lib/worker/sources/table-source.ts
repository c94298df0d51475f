import { constants } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { PlannedPart } from "@/lib/builds/plan";
import { PARQUET_MEDIA } from "@/lib/formats/parquet-media";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import { withProvenPath } from "@/lib/storage/read-blob";
import type { TableVersion } from "@/lib/store/datasets/tables";
import { recordLocalRead } from "@/lib/store/sources/source-reads";
import { findSourceVersion } from "@/lib/store/sources/source-tables";
import { cleanText, RunFailure } from "@/lib/worker/runs/run-failure";
import type { Reading } from "./read-sources";
import { failedRead, msSince, type Piece, partOf } from "./stored-read";

type TableSource = Extract<RecipeSource, { kind: "table" }>;

/** Copies a published table that the workspace may read into the run's folder. */
export async function copyTable(source: TableSource, reading: Reading): Promise<PlannedPart[]> {
  const { material, folder, say } = reading;
  const piece: Piece = { source: source.name, partition: null, requestKey: source.table, draft: "" };
  const startedAt = performance.now();
  const version = await versionToRead(source, material).catch(async (error: unknown) => {
    throw await failedRead(error, piece, msSince(startedAt), reading);
  });
  const file = join("raw", version.digest);
  await withProvenPath(version, (path) => copyFile(path, join(folder, file), constants.COPYFILE_FICLONE));
  const { digest, bytes } = version;
  const about = { ...partOf(piece, reading), runId: material.run.id, now: new Date(), ms: msSince(startedAt) };
  const how = await recordLocalRead({ ...about, digest, bytes, mediaType: PARQUET_MEDIA });
  const name = `${version.datasetSlug}/${version.tableSlug}`;
  const message = cleanText(`${source.name}: version ${version.versionId} of ${name}, ${version.rows} rows`);
  const data = { source: source.name, version_id: version.versionId, bytes, how };
  await say({ kind: how === "same_bytes" ? "source_unchanged" : "source_read", message, data });
  return [{ partition: null, file }];
}

/** The version to read. Throws table_missing, or source_too_large or rows_exceeded beyond the source's own limits. */
export async function versionToRead(
  source: Pick<TableSource, "name" | "table" | "version" | "limits">,
  { run, mode }: { run: { workspaceId: string }; mode: "sample" | "full" },
): Promise<TableVersion> {
  const { name, table, limits } = source;
  const found = await findSourceVersion(source, run.workspaceId);
  if (!found) throw new RunFailure("table_missing", `Source ${name}: the workspace cannot read a table ${table}.`);
  const { download_bytes: bytes = Infinity, rows = Infinity } = limits ?? {};
  const beyond = (code: "source_too_large" | "rows_exceeded", detail: string) =>
    new RunFailure(code, `Source ${name}: ${detail}.`, { source: name });
  if (found.bytes > bytes) throw beyond("source_too_large", `${found.bytes} bytes, more than ${bytes}`);
  if (mode === "full" && found.rows > rows) throw beyond("rows_exceeded", `${found.rows} rows, more than ${rows}`);
  return found;
}
