import type { Context } from "@/lib/access/context";
import { env } from "@/lib/kernel/env";
import { Failure, fail } from "@/lib/kernel/errors";
import { builderAuthor, builderOf } from "@/lib/operations/datasets/builder";
import type { FileBody, FilePart } from "@/lib/operations/file-body";
import { UPLOAD_PART_BYTES } from "@/lib/schemas/upload";
import {
  appendPart,
  heldBytes,
  keepNames,
  listUnfinished,
  removeUnfinished,
  type UnfinishedFile,
  unfinishedPath,
} from "@/lib/storage/unfinished-uploads";
import { findUpload, recordUpload, withUploadLock } from "@/lib/store/sources/uploads";
import { type About, requireRoom, type SavedUpload, saveFile, withBody } from "./save-upload";

/** Per workspace, so that unfinished files cannot fill the folder. */
const UNFINISHED_MAX = 8;

type PartBody = FileBody & { part: FilePart };

/** Adds a part to its file, or returns how much of the file has arrived; the last part makes the file an upload. */
export async function savePart(
  about: About,
  body: PartBody,
  ctx: Context,
): Promise<SavedUpload | { storedBytes: number }> {
  const { part } = body;
  const { workspaceId } = about;
  const file = { workspaceId, digest: part.digest, totalBytes: part.totalBytes };
  requireSizes(part);
  if (!part.range) return checkProgress(about, file, body, ctx);
  const { start, bytes } = part.range;
  await requireOffset(file, start);
  return withBody(about, body, { bytesMax: bytes }, ctx, async (received) => {
    if (received.bytes !== bytes)
      throw fail("invalid_request", {
        message: `Content-Range declares ${bytes} bytes, but ${received.bytes} were received. The part was not stored.`,
      });
    return withUploadLock(workspaceId, async () => {
      await requireOffset(file, start);
      if (start === 0) await requireBeginning(file);
      if (start === 0) await keepNames(file, about);
      const storedBytes = await appendPart(file, received.path);
      return storedBytes < file.totalBytes ? { storedBytes } : finish(about, file, body, ctx);
    });
  });
}

/** Checked before any byte is read. */
function requireSizes({ totalBytes, range }: FilePart): void {
  const { UPLOAD_BYTES } = env();
  if (totalBytes > UPLOAD_BYTES)
    throw fail("request_too_large", {
      message: `The file is too large (maximum ${UPLOAD_BYTES.toLocaleString("en")} bytes). Nothing was stored.`,
    });
  if (range && range.bytes > UPLOAD_PART_BYTES)
    throw fail("request_too_large", {
      message: `The part is too large. Send at most ${UPLOAD_PART_BYTES.toLocaleString("en")} bytes at once.`,
    });
}

async function requireOffset(file: UnfinishedFile, start: number): Promise<void> {
  const storedBytes = await heldBytes(file);
  if (start === storedBytes) return;
  const [have, all] = [storedBytes, file.totalBytes].map((bytes) => bytes.toLocaleString("en"));
  throw fail("range_not_satisfiable", {
    message:
      `${have} of the file's ${all} bytes are stored, so the next part begins at byte ${storedBytes}, ` +
      `not ${start}.`,
    headers: { "Upload-Offset": String(storedBytes) },
  });
}

async function requireBeginning({ workspaceId, totalBytes, digest }: UnfinishedFile): Promise<void> {
  await requireRoom(workspaceId, totalBytes, digest);
  if ((await listUnfinished(workspaceId)).length < UNFINISHED_MAX) return;
  throw fail("conflict", {
    message: `${UNFINISHED_MAX} files of the workspace are unfinished. Finish or delete one first.`,
  });
}

/** If the file already exists, for example after a lost reply, none of its bytes are needed again. */
const checkProgress = (
  about: About,
  file: UnfinishedFile,
  body: PartBody,
  ctx: Context,
): Promise<SavedUpload | { storedBytes: number }> =>
  withUploadLock(about.workspaceId, async () => {
    const storedBytes = await heldBytes(file);
    if (storedBytes === file.totalBytes) return finish(about, file, body, ctx);
    const newest = await findUpload(about.workspaceId, about.name);
    if (newest?.digest !== file.digest) return { storedBytes };
    await removeUnfinished(file);
    const { digest, bytes, mediaType } = newest;
    const again = { ...about, digest, bytes: Number(bytes), mediaType, actor: builderOf(ctx), at: ctx.now() };
    return recordUpload(again, builderAuthor(ctx));
  });

async function finish(about: About, file: UnfinishedFile, body: PartBody, ctx: Context): Promise<SavedUpload> {
  const { digest, totalBytes: bytes } = file;
  try {
    const saved = await saveFile(about, { digest, bytes, path: unfinishedPath(file) }, body.mediaType, ctx);
    await removeUnfinished(file);
    return saved;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "integrity_failure") throw error;
    await removeUnfinished(file);
    throw fail("invalid_value", {
      message:
        `Checksum mismatch: the SHA-256 of the assembled file is not ${digest}. ` +
        "The upload was discarded. Send the file again.",
    });
  }
}
