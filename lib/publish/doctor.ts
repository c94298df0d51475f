import { readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { whenMissing } from "@/lib/kernel/missing-file";
import { blobSize, listBlobs } from "@/lib/storage/blobs";
import { copiesDir, tempDir } from "@/lib/storage/paths";
import { listDigests, listEmptyTables, withBlobsLock } from "@/lib/store/versions";

export interface Finding {
  problem:
    | "temp_leftover"
    | "blob_without_version"
    | "stray_file"
    | "copy_without_version"
    | "blob_missing"
    | "blob_wrong_size"
    | "table_without_version";
  /** A path, a digest, or `dataset/table`. */
  subject: string;
  /** Whether `fix` removed it; losses can only be mended by publishing again. */
  fixed: boolean;
}

interface DoctorOptions {
  /** Removes what no version needs. */
  fix: boolean;
  /** What is younger may belong to a running publishing and is left alone; an hour when absent. */
  olderThanMs?: number;
}

const HOUR_MS = 3_600_000;

/** Looks for leftovers of killed work and for losses in the data folder. */
export async function doctor({ fix, olderThanMs = HOUR_MS }: DoctorOptions): Promise<Finding[]> {
  return await withBlobsLock(() => examine(fix, olderThanMs));
}

async function examine(fix: boolean, olderThanMs: number): Promise<Finding[]> {
  const removable = await oldEnough(await leftovers(), olderThanMs);
  const fixed = await Promise.all(
    removable.map(async (finding) => ({ ...finding, fixed: fix && (await remove(finding.subject)) })),
  );
  return [...fixed, ...(await losses())];
}

type Leftover = Pick<Finding, "problem" | "subject">;

async function leftovers(): Promise<Leftover[]> {
  const [temps, blobs, copies] = [await filesIn(tempDir()), await listBlobs(), await filesIn(copiesDir())];
  const named = new Set((await listDigests()).map(({ digest }) => digest));
  const findings: Leftover[] = temps
    .filter((path) => !isRunning(path))
    .map((subject) => ({ problem: "temp_leftover", subject }));
  for (const { path, digest } of blobs) {
    if (digest === undefined) findings.push({ problem: "stray_file", subject: path });
    else if (!named.has(digest)) findings.push({ problem: "blob_without_version", subject: path });
  }
  const isCopy = (path: string) => path.endsWith(".duckdb") || path.endsWith(".duckdb.proof");
  const strays = copies.filter((path) => !named.has(basename(path).slice(0, 64)) || !isCopy(path));
  return [...findings, ...strays.map((subject): Leftover => ({ problem: "copy_without_version", subject }))];
}

/** A folder of a publishing whose process lives is no leftover, however old. */
function isRunning(path: string): boolean {
  const pid = /^publish-(\d+)-/.exec(basename(path))?.[1];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function losses(): Promise<Finding[]> {
  const findings: Finding[] = (await listEmptyTables()).map((subject) => ({
    problem: "table_without_version",
    subject,
    fixed: false,
  }));
  for (const { digest, bytes } of await listDigests()) {
    const size = await blobSize(digest);
    if (size !== bytes)
      findings.push({
        problem: size === undefined ? "blob_missing" : "blob_wrong_size",
        subject: digest,
        fixed: false,
      });
  }
  return findings;
}

async function oldEnough(findings: Leftover[], ageMs: number): Promise<Leftover[]> {
  const ages = await Promise.all(findings.map(({ subject }) => ageOf(subject)));
  return findings.filter((_, index) => (ages[index] ?? -1) >= ageMs);
}

/**
 * Time since the newest change in a file or folder, in milliseconds; undefined when it is gone. A rename counts as a
 * change.
 */
async function ageOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  const inner = found.isDirectory() ? await Promise.all((await filesIn(path)).map(ageOf)) : [];
  return Math.min(
    Date.now() - Math.max(found.mtimeMs, found.ctimeMs),
    ...inner.map((age) => age ?? Number.POSITIVE_INFINITY),
  );
}

async function remove(path: string): Promise<boolean> {
  await rm(path, { recursive: true, force: true });
  return true;
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(whenMissing<string[]>([]));
  return names.map((name) => join(folder, name));
}
