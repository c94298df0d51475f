import type { Context } from "@/lib/access/context";
import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { builderAuthor, builderOf } from "@/lib/operations/datasets/builder";
import type { FileBody } from "@/lib/operations/file-body";
import { blobStore } from "@/lib/storage/blob-store";
import type { Blob } from "@/lib/storage/blobs";
import { withReceivedFile } from "@/lib/storage/receive-file";
import { recordFetchedBytes } from "@/lib/store/runs/build-quota";
import { listUnfinished, type UnfinishedFile } from "@/lib/store/sources/unfinished-uploads";
import { recordUpload, type StoredUpload, uploadedBytes, withUploadLock } from "@/lib/store/sources/uploads";

/** The file's owner and name. */
export type About = Record<"workspaceId" | "name" | "fileName", string>;

export interface SavedUpload {
  upload: StoredUpload;
  again: boolean;
}

/** Stores a file sent in a single request. */
export const saveUpload = (about: About, body: FileBody, ctx: Context): Promise<SavedUpload> =>
  withBody(about, body, { bytesMax: env().UPLOAD_BYTES }, ctx, async (file) => {
    if (file.bytes === 0) throw fail("invalid_value", { message: "The file is empty. Nothing was stored." });
    return withUploadLock(about.workspaceId, () => saveFile(about, file, body.mediaType, ctx));
  });

/** Lets `work` read the body as a temporary file; its bytes count towards the workspace's daily quota. */
export function withBody<T>(
  { workspaceId }: About,
  { chunks, declaredBytes, declaredDigest }: FileBody,
  { bytesMax }: { bytesMax: number },
  ctx: Context,
  work: (file: Blob & { path: string }) => Promise<T>,
): Promise<T> {
  let arrived = 0;
  const counted = async function* () {
    for await (const chunk of chunks) {
      arrived += chunk.byteLength;
      yield chunk;
    }
  };
  return withReceivedFile(counted(), { bytesMax, declaredBytes }, (file) => {
    if (declaredDigest === undefined || declaredDigest === file.digest) return work(file);
    throw fail("invalid_value", {
      message: `The body arrived with SHA-256 ${file.digest}, not ${declaredDigest}. It was not stored. Send it again.`,
    });
  }).finally(() => (arrived > 0 ? recordFetchedBytes(workspaceId, arrived, ctx.now()) : undefined));
}

/** Turns a received file into an upload, under the workspace's lock for uploads. */
export async function saveFile(
  about: About,
  { bytes, digest, path }: Blob & { path: string },
  mediaType: string,
  ctx: Context,
): Promise<SavedUpload> {
  await requireRoom(about.workspaceId, bytes, digest);
  await blobStore().put(digest, path);
  const actor = builderOf(ctx);
  return recordUpload({ ...about, digest, bytes, mediaType, actor, at: ctx.now() }, builderAuthor(ctx));
}

/** Fails if a file of this size does not fit in addition to stored files and those still arriving. */
export async function requireRoom(workspaceId: string, bytes: number, digest: string): Promise<void> {
  const { UPLOADS_BYTES_WORKSPACE } = env();
  const isOther = (file: UnfinishedFile) => file.digest !== digest || file.totalBytes !== bytes;
  const arriving = (await listUnfinished(workspaceId)).filter(isOther);
  const expected = arriving.reduce((sum, { totalBytes }) => sum + totalBytes, 0);
  const stored = await uploadedBytes(workspaceId, digest);
  if (stored + expected + bytes <= UPLOADS_BYTES_WORKSPACE) return;
  const most = UPLOADS_BYTES_WORKSPACE.toLocaleString("en");
  const also =
    expected > 0
      ? `, with ${expected.toLocaleString("en")} of unfinished files, which are deleted two days after their last ` +
        "part"
      : "";
  const message = `The workspace's uploads would exceed ${most} bytes${also}. Delete files first. Nothing was stored.`;
  throw fail("conflict", { message });
}
