import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** Resident memory of a process and all its children, in bytes; 0 if the system does not report it. */
export async function residentBytes(pid: number): Promise<number> {
  const own = await residentOf(pid);
  const children = await childrenOf(pid);
  const theirs = await Promise.all(children.map(residentBytes));
  return theirs.reduce((sum, bytes) => sum + bytes, own);
}

async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(status);
  return found ? Number(found[1]) * 1024 : 0;
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return text
    .split(" ")
    .map(Number)
    .filter((child) => child > 0);
}

/** Bytes of all files below a folder. Files that disappear in the meantime count as 0. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return await folderBytes(path);
      return (await stat(path).catch(() => undefined))?.size ?? 0;
    }),
  );
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}
