import { constants } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { PlannedPart } from "@/lib/builds/plan";
import { env } from "@/lib/kernel/env";
import type { UploadSource } from "@/lib/schemas/recipe-source";
import { withProvenPath } from "@/lib/storage/read-blob";
import { recordLocalRead } from "@/lib/store/sources/source-reads";
import { findUpload, recordUploadRead, type StoredUpload } from "@/lib/store/sources/uploads";
import { cleanText, RunFailure } from "@/lib/worker/runs/run-failure";
import type { Reading } from "./read-sources";
import { failedRead, msSince, type Piece, partOf } from "./stored-read";

/** Copies the newest upload with a name, or the one that the recipe names, into the run's folder. */
export async function copyUpload(source: UploadSource, reading: Reading): Promise<PlannedPart[]> {
  const { material, folder, say } = reading;
  const piece: Piece = { source: source.name, partition: null, requestKey: source.upload, draft: "" };
  const startedAt = performance.now();
  const failed = async (error: unknown) => {
    throw await failedRead(error, piece, msSince(startedAt), reading);
  };
  const upload = await uploadOf(source, material.run.workspaceId).catch(failed);
  const { digest, bytes } = { digest: upload.digest, bytes: Number(upload.bytes) };
  const file = join("raw", digest);
  await withProvenPath({ digest, bytes }, (path) =>
    copyFile(path, join(folder, file), constants.COPYFILE_FICLONE),
  ).catch(failed);
  await recordUploadRead(upload.id, new Date());
  const about = { ...partOf(piece, reading), runId: material.run.id, now: new Date(), ms: msSince(startedAt) };
  const how = await recordLocalRead({ ...about, digest, bytes, mediaType: upload.mediaType });
  const kind = how === "same_bytes" ? "source_unchanged" : "source_read";
  const stored = upload.at.toISOString().slice(0, 16).replace("T", " ");
  const change = how.replaceAll("_", " ");
  const message = `${source.name}: the upload ${upload.name} of ${stored} UTC, ${bytes} bytes, ${change}`;
  await say({ kind, message: cleanText(message), data: { source: source.name, bytes, how } });
  return [{ partition: null, file }];
}

/** The upload that a source reads. Throws upload_missing, or source_too_large beyond the source's own limit. */
export async function uploadOf(
  { name, upload, digest, limits }: UploadSource,
  workspaceId: string,
): Promise<StoredUpload> {
  const found = await findUpload(workspaceId, upload, digest?.slice("sha256:".length));
  if (!found) {
    const which = digest === undefined ? "" : ` with ${digest}`;
    throw new RunFailure("upload_missing", `Source ${name}: the workspace has no upload ${upload}${which}.`, {
      source: name,
    });
  }
  const most = Math.min(limits?.download_bytes ?? Infinity, env().SOURCE_BYTES);
  if (Number(found.bytes) <= most) return found;
  throw new RunFailure("source_too_large", `Source ${name}: ${found.bytes} bytes, more than ${most}.`, {
    source: name,
  });
}
