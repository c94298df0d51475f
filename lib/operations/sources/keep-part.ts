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
import { type About, type KeptUpload, keepFile, requireRoom, withBody } from "./keep-upload";

/** Per workspace, so that unfinished files cannot fill the folder. */
const UNFINISHED_MAX = 8;

type PartBody = FileBody & { part: FilePart };

/** Adds a part to its file, or returns how much of the file has arrived; the last part makes the file an upload. */
export async function keepPart(about: About, body: PartBody, ctx: Context): Promise<KeptUpload | { held: number }> {
  const { part } = body;
  const { workspaceId } = about;
  const file = { workspaceId, digest: part.digest, totalBytes: part.totalBytes };
  requireSizes(part);
  if (!part.range) return ask(about, file, body, ctx);
  const { start, bytes } = part.range;
  await requirePlace(file, start);
  return withBody(about, body, { bytesMax: bytes }, ctx, async (received) => {
    if (received.bytes !== bytes)
      throw fail("invalid_request", {
        message: `Content-Range declares ${bytes} bytes, but ${received.bytes} were received. The part was not stored.`,
      });
    return withUploadLock(workspaceId, async () => {
      await requirePlace(file, start);
      if (start === 0) await requireBeginning(file);
      if (start === 0) await keepNames(file, about);
      const held = await appendPart(file, received.path);
      return held < file.totalBytes ? { held } : finish(about, file, body, ctx);
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

async function requirePlace(file: UnfinishedFile, start: number): Promise<void> {
  const held = await heldBytes(file);
  if (start === held) return;
  const [have, all] = [held, file.totalBytes].map((bytes) => bytes.toLocaleString("en"));
  throw fail("range_not_satisfiable", {
    message: `${have} of the file's ${all} bytes are stored, so the next part begins at byte ${held}, not ${start}.`,
    headers: { "Upload-Offset": String(held) },
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
const ask = (
  about: About,
  file: UnfinishedFile,
  body: PartBody,
  ctx: Context,
): Promise<KeptUpload | { held: number }> =>
  withUploadLock(about.workspaceId, async () => {
    const held = await heldBytes(file);
    if (held === file.totalBytes) return finish(about, file, body, ctx);
    const newest = await findUpload(about.workspaceId, about.name);
    if (newest?.digest !== file.digest) return { held };
    await removeUnfinished(file);
    const { digest, bytes, mediaType } = newest;
    const again = { ...about, digest, bytes: Number(bytes), mediaType, actor: builderOf(ctx), at: ctx.now() };
    return recordUpload(again, builderAuthor(ctx));
  });

async function finish(about: About, file: UnfinishedFile, body: PartBody, ctx: Context): Promise<KeptUpload> {
  const { digest, totalBytes: bytes } = file;
  try {
    const kept = await keepFile(about, { digest, bytes, path: unfinishedPath(file) }, body.mediaType, ctx);
    await removeUnfinished(file);
    return kept;
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
