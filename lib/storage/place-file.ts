import { chmod, constants, copyFile, link, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { syncPath } from "./blobs";

/** Another file system, one without hard links, or a file that we may not link. */
const CANNOT_LINK = new Set(["EXDEV", "EPERM", "EACCES", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/**
 * Adds an immutable file at another path: as a hard link, or as a copy if that is impossible. The caller syncs the
 * folder.
 */
export async function placeFile(from: string, to: string): Promise<"linked" | "copied"> {
  await mkdir(dirname(to), { recursive: true });
  return await copyOrLink(from, to);
}

/** Like `placeFile`, into an existing folder. */
export async function copyOrLink(from: string, to: string): Promise<"linked" | "copied"> {
  try {
    await link(from, to);
    return "linked";
  } catch (error) {
    if (!CANNOT_LINK.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await chmod(to, 0o444);
  await syncPath(to);
  return "copied";
}
