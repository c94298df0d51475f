import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDiskFull } from "@/lib/kernel/disk-full";
import { whenMissing } from "@/lib/kernel/missing-file";
import { PRIVATE_FOLDER } from "./data-folder";
import { unfinishedDir } from "./paths";
import { diskFull } from "./receive-file";

/** A file that arrives in parts, identified by its final digest and size. */
export interface UnfinishedFile {
  workspaceId: string;
  /** SHA-256 of the whole file, 64 hex digits. */
  digest: string;
  totalBytes: number;
}

/** The names of a file: in recipes, and on the computer that it comes from. */
export interface FileNames {
  name: string;
  fileName: string;
}

/** The received part of a file; the names are those sent with its first part. */
export interface HeldFile extends UnfinishedFile, Partial<FileNames> {
  heldBytes: number;
  changedAt: Date;
}

const NAME = /^([0-9a-f-]{36})\.([0-9a-f]{64})\.([1-9]\d{0,14})$/;

/** Where the parts are stored, one after another. The file's size is the number of bytes received. */
export function unfinishedPath({ workspaceId, digest, totalBytes }: UnfinishedFile): string {
  const name = `${workspaceId}.${digest}.${totalBytes}`;
  if (!NAME.test(name)) throw new Error("An unfinished upload is named by its workspace, SHA-256 and size");
  return join(unfinishedDir(), name);
}

const namesPath = (file: UnfinishedFile): string => `${unfinishedPath(file)}.names`;

/** Stores a file's names next to its parts. */
export async function keepNames(file: UnfinishedFile, { name, fileName }: FileNames): Promise<void> {
  await mkdir(unfinishedDir(), PRIVATE_FOLDER);
  await writeFile(namesPath(file), JSON.stringify({ name, fileName }), { mode: 0o600 });
}

/** Empty for a file that was begun before names were stored. */
async function namesOf(file: UnfinishedFile): Promise<Partial<FileNames>> {
  const text = await readFile(namesPath(file), "utf8").catch(whenMissing("{}"));
  try {
    return JSON.parse(text) as Partial<FileNames>;
  } catch {
    return {}; // cut by a crash
  }
}

/** How many bytes of a file have been received, counted from its start; 0 if none. */
export async function heldBytes(file: UnfinishedFile): Promise<number> {
  return (await stat(unfinishedPath(file)).catch(whenMissing(undefined)))?.size ?? 0;
}

/** Appends a part, all of it or nothing. One call at a time. */
export async function appendPart(file: UnfinishedFile, partPath: string): Promise<number> {
  await mkdir(unfinishedDir(), PRIVATE_FOLDER);
  const target = await open(unfinishedPath(file), "a", 0o600);
  try {
    const { size } = await target.stat();
    try {
      for await (const chunk of createReadStream(partPath)) await target.writeFile(chunk as Buffer);
      await target.sync();
    } catch (cause) {
      await target.truncate(size);
      throw isDiskFull((cause as NodeJS.ErrnoException).code) ? diskFull(cause) : cause;
    }
    return (await target.stat()).size;
  } finally {
    await target.close();
  }
}

/** The unfinished files of all workspaces or of one. */
export async function listUnfinished(workspaceId?: string): Promise<HeldFile[]> {
  const names = await readdir(unfinishedDir()).catch(whenMissing<string[]>([]));
  const files = names.flatMap((name) => {
    const [, own = "", digest = "", total] = NAME.exec(name) ?? [];
    return total && (!workspaceId || own === workspaceId)
      ? [{ workspaceId: own, digest, totalBytes: Number(total) }]
      : [];
  });
  const held = files.map(async (file) => {
    const found = await stat(unfinishedPath(file)).catch(whenMissing(undefined));
    return found ? [{ ...file, ...(await namesOf(file)), heldBytes: found.size, changedAt: found.mtime }] : [];
  });
  return (await Promise.all(held)).flat();
}

/** Removes the received part of a file. */
export async function removeUnfinished(file: UnfinishedFile): Promise<void> {
  await rm(unfinishedPath(file), { force: true });
  await rm(namesPath(file), { force: true });
}
