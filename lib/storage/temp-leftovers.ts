import { readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { forEachAlone } from "@/lib/kernel/each-alone";
import { whenMissing } from "@/lib/kernel/missing-file";
import { tempDir } from "./paths";

/** Newer files may belong to a publication or upload of another machine on the same data folder. */
export const LEFTOVER_AFTER_MS = 3_600_000;

/**
 * Removes what killed publications, uploads and processes with local copies left in the folder of work in progress:
 * named after a process that has ended, and unchanged for an hour.
 */
export async function removeTempLeftovers(now: Date): Promise<void> {
  const paths = (await filesIn(tempDir())).filter((path) => processOf(path) !== undefined && !isRunning(path));
  await forEachAlone(paths, async (path) => {
    const changedAtMs = await changedAt(path);
    if (changedAtMs !== undefined && now.getTime() - changedAtMs >= LEFTOVER_AFTER_MS)
      await rm(path, { recursive: true, force: true });
  });
}

/** Whether a path belongs to a publication or upload whose process is alive, and so is not a leftover, however old. */
export function isRunning(path: string): boolean {
  const pid = processOf(path);
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function processOf(path: string): number | undefined {
  const pid = /^(?:cache|publish|upload)-(\d{1,10})-/.exec(basename(path))?.[1];
  return pid === undefined ? undefined : Number(pid);
}

/**
 * The newest change in a file or folder, in milliseconds; undefined if it has been deleted. A rename counts as a
 * change.
 */
export async function changedAt(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  const inner = found.isDirectory() ? await Promise.all((await filesIn(path)).map(changedAt)) : [];
  return Math.max(found.mtimeMs, found.ctimeMs, ...inner.map((at) => at ?? 0));
}

/** The paths in a folder; none if it is missing. */
export async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(whenMissing<string[]>([]));
  return names.map((name) => join(folder, name));
}
