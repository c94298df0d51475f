import type { Context } from "@/lib/access/context";
import { env } from "@/lib/kernel/env";
import { Failure, fail } from "@/lib/kernel/errors";
import { isMissing } from "@/lib/kernel/missing-file";
import { builderAuthor, builderOf } from "@/lib/operations/datasets/builder";
import type { FileBody, FilePart } from "@/lib/operations/file-body";
import { UPLOAD_PART_BYTES } from "@/lib/schemas/upload";
import { withTempFile } from "@/lib/storage/receive-file";
import {
  addPart,
  beginUnfinished,
  findUnfinished,
  listUnfinished,
  readParts,
  removeUnfinished,
  type StoredParts,
  type UnfinishedFile,
} from "@/lib/store/sources/unfinished-uploads";
import { findUpload, recordUpload, withUploadLock } from "@/lib/store/sources/uploads";
import { type About, requireRoom, type SavedUpload, saveFile, withBody } from "./save-upload";

/** Per workspace, so that unfinished files cannot fill the storage. */
const UNFINISHED_MAX = 8;
/** Of one file: each is an object of its own. */
const PARTS_MAX = 10_000;

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
  requireOffset(file, start, await findUnfinished(file));
  return withBody(about, body, { bytesMax: bytes }, ctx, async (received) => {
    if (received.bytes !== bytes)
      throw fail("invalid_request", {
        message: `Content-Range declares ${bytes} bytes, but ${received.bytes} were received. The part was not stored.`,
      });
    const parts = start === 0 ? await begin(about, file, ctx) : await findUnfinished(file);
    requireOffset(file, start, parts);
    const storedBytes = parts && (await addPart(parts, received, ctx.now()));
    if (storedBytes === undefined) throw overtaken((await findUnfinished(file))?.storedBytes ?? 0);
    return storedBytes < file.totalBytes ? { storedBytes } : checkProgress(about, file, body, ctx);
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

/** Fails unless the next part begins at this byte. */
function requireOffset(file: UnfinishedFile, start: number, parts: StoredParts | undefined): void {
  const storedBytes = parts?.storedBytes ?? 0;
  if (start !== storedBytes) {
    const [have, all] = [storedBytes, file.totalBytes].map((bytes) => bytes.toLocaleString("en"));
    throw fail("range_not_satisfiable", {
      message:
        `${have} of the file's ${all} bytes are stored, so the next part begins at byte ${storedBytes}, ` +
        `not ${start}.`,
      headers: { "Upload-Offset": String(storedBytes) },
    });
  }
  if ((parts?.parts.length ?? 0) < PARTS_MAX) return;
  throw fail("conflict", {
    message:
      `The file has arrived in ${PARTS_MAX.toLocaleString("en")} parts, which is the most. Delete it, and send it ` +
      "again in larger ones.",
  });
}

/** Another client has stored a part there meanwhile, or the same one on another instance. */
const overtaken = (storedBytes: number) =>
  fail("conflict", {
    message: `Another part arrived at the same time. The next part begins at byte ${storedBytes}.`,
    headers: { "Upload-Offset": String(storedBytes) },
  });

const begin = (about: About, file: UnfinishedFile, ctx: Context): Promise<StoredParts> =>
  withUploadLock(file.workspaceId, async () => {
    const begun = await findUnfinished(file);
    if (begun) return begun;
    await requireBeginning(file);
    return beginUnfinished(file, about, ctx.now());
  });

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
    const parts = await findUnfinished(file);
    if (parts?.storedBytes === file.totalBytes) return finish(about, parts, body, ctx);
    const newest = await findUpload(about.workspaceId, about.name);
    if (newest?.digest !== file.digest) return { storedBytes: parts?.storedBytes ?? 0 };
    if (parts) await removeUnfinished(parts);
    const { digest, bytes, mediaType } = newest;
    const again = { ...about, digest, bytes: Number(bytes), mediaType, actor: builderOf(ctx), at: ctx.now() };
    return recordUpload(again, builderAuthor(ctx));
  });

/** Puts the parts together. They are discarded if they are not the file, or if one of them is gone. */
async function finish(about: About, parts: StoredParts, body: PartBody, ctx: Context): Promise<SavedUpload> {
  const { digest, totalBytes } = parts;
  const whole = { bytesMax: totalBytes, declaredBytes: totalBytes };
  try {
    const saved = await withTempFile(readParts(parts), whole, (file) => {
      if (file.digest !== digest || file.bytes !== totalBytes) throw fail("integrity_failure");
      return saveFile(about, file, body.mediaType, ctx);
    });
    await removeUnfinished(parts);
    return saved;
  } catch (cause) {
    if (!isMissing(cause) && !(cause instanceof Failure && cause.code === "integrity_failure")) throw cause;
    await removeUnfinished(parts);
    throw fail("invalid_value", {
      message:
        `Checksum mismatch: the SHA-256 of the assembled file is not ${digest}. ` +
        "The upload was discarded. Send the file again.",
      cause,
    });
  }
}
