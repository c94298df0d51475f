import { randomUUID } from "node:crypto";
import { chmod, constants, copyFile, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { whenMissing } from "@/lib/kernel/missing-file";
import { syncPath } from "./blobs";
import { PRIVATE_FOLDER } from "./data-folder";
import { openFile } from "./file-handle";
import { digestOfFile } from "./hash-threads";
import type { ObjectStore, PutOptions, StoredObject, Stray } from "./object-store";
import { isKey, objectPath } from "./paths";
import { copyOrLink } from "./place-file";

const COPY = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;

/** Ends the name of a file that is being written. */
const DRAFT = ".draft";

/** Objects as files in the data folder, at their keys; a local path is the object itself. */
export function filesystemObjects(): ObjectStore {
  return {
    put,
    stat: async (key) => {
      const found = await stat(objectPath(key)).catch(whenMissing(undefined));
      return found && { bytes: found.size };
    },
    open: async (key) => openFile(objectPath(key)),
    withLocalPath: async (key, _digest, work) => work(objectPath(key)),
    localFolder: (prefix) => objectPath(prefix).replace(/\/$/, ""),
    list,
    strays,
    remove: async (key) => rm(objectPath(key), { force: true }),
    removeAll: async (prefix) => rm(objectPath(prefix), { recursive: true, force: true }),
  };
}

/** The bytes reach the disk before the name does. A file on the same file system is moved rather than copied. */
async function put(
  key: string,
  digest: string,
  fromFile: string,
  { keep = false, copy = false }: PutOptions = {},
): Promise<void> {
  const target = objectPath(key);
  const folder = dirname(target);
  await mkdir(folder, PRIVATE_FOLDER);
  if (copy) await putDraft(digest, target, (draft) => copyFile(fromFile, draft, COPY).then(() => chmod(draft, 0o444)));
  else if (keep) await putDraft(digest, target, (draft) => copyOrLink(fromFile, draft));
  else await putMoved(digest, fromFile, target);
  await syncPath(folder);
  await syncPath(dirname(folder));
}

async function putMoved(digest: string, fromFile: string, target: string): Promise<void> {
  await chmod(fromFile, 0o444);
  await syncProven(digest, fromFile);
  await rename(fromFile, target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EXDEV") throw error;
    return putDraft(digest, target, (draft) => copyOrLink(fromFile, draft));
  });
}

async function putDraft(digest: string, target: string, write: (draft: string) => Promise<unknown>): Promise<void> {
  const draft = `${target}.${randomUUID()}${DRAFT}`;
  try {
    await write(draft);
    await syncProven(digest, draft);
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true }); // a link to the object itself also survives the rename
  }
}

async function syncProven(digest: string, path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
    const { size } = await file.stat();
    if ((await digestOfFile(file.fd, size, new AbortController().signal)) !== digest) throw fail("integrity_failure");
  } finally {
    await file.close();
  }
}

async function* list(prefix: string): AsyncGenerator<StoredObject> {
  for (const path of await files(prefix)) {
    const found = isObject(path) ? await facts(path) : undefined;
    if (found) yield { key: keyOf(path), ...found };
  }
}

async function* strays(prefix: string): AsyncGenerator<Stray> {
  for (const path of await files(prefix)) {
    const found = isObject(path) ? undefined : await facts(path);
    if (found) yield { name: keyOf(path), changedAtMs: found.changedAtMs, remove: () => rm(path, { force: true }) };
  }
}

const keyOf = (path: string): string => relative(env().PARQUETRY_DATA_DIR, path).replaceAll(sep, "/");
const isObject = (path: string): boolean => isKey(keyOf(path)) && !path.endsWith(DRAFT);

async function files(prefix: string): Promise<string[]> {
  const entries = await readdir(objectPath(prefix), { recursive: true, withFileTypes: true }).catch(whenMissing([]));
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
}

/** Undefined if the file is gone. A rename counts as a change. */
async function facts(path: string): Promise<{ bytes: number; changedAtMs: number } | undefined> {
  const found = await stat(path).catch(whenMissing(undefined));
  return found && { bytes: found.size, changedAtMs: Math.max(found.mtimeMs, found.ctimeMs) };
}
