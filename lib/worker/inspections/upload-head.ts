import { constants } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { UploadSource } from "@/lib/schemas/recipe-source";
import { blobStore } from "@/lib/storage/blob-store";
import { uploadOf } from "@/lib/worker/sources/read-sources";

export interface HeadWanted {
  folder: string;
  file: string;
  tail: string;
  headBytes: number;
  tailBytes: number;
  /** An upload that cannot be inspected from its beginning is copied completely, up to this size. */
  wholeBytes: number;
  needsWhole(path: string, name: string): Promise<boolean>;
}

/** Copies the beginning of an upload into an inspection's folder, and also its end, or all of it. */
export async function copyUploadHead(source: UploadSource, workspaceId: string, wanted: HeadWanted) {
  const upload = await uploadOf(source, workspaceId);
  const { digest } = upload;
  const bytes = Number(upload.bytes);
  const name = upload.fileName || upload.name;
  const [file, tail] = [join(wanted.folder, wanted.file), join(wanted.folder, wanted.tail)];
  const cut = Math.min(bytes, wanted.headBytes);
  await writeFile(file, await part(digest, 0, cut));
  const isAll = cut === bytes || (bytes <= wanted.wholeBytes && (await wanted.needsWhole(file, name)));
  if (isAll && cut < bytes)
    await blobStore().withLocalPath(digest, (path) => copyFile(path, file, constants.COPYFILE_FICLONE));
  if (!isAll) await writeFile(tail, await part(digest, bytes - wanted.tailBytes, wanted.tailBytes));
  return { upload, name, bytes, isWhole: isAll, hasTail: !isAll, bytesRead: isAll ? bytes : cut + wanted.tailBytes };
}

async function part(digest: string, from: number, length: number): Promise<Buffer> {
  const blob = await blobStore().open(digest);
  try {
    const buffer = Buffer.alloc(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await blob.read(buffer, filled, length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  } finally {
    await blob.close();
  }
}
