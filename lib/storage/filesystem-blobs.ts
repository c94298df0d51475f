import { randomUUID } from "node:crypto";
import { chmod, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fail } from "@/lib/kernel/errors";
import { whenMissing } from "@/lib/kernel/missing-file";
import type { BlobStore, StoredBlob, Stray } from "./blob-store";
import { syncPath } from "./blobs";
import { PRIVATE_FOLDER } from "./data-folder";
import { openFile } from "./file-handle";
import { digestOfFile } from "./hash-threads";
import { blobPath, blobsDir } from "./paths";
import { copyOrLink } from "./place-file";

/** Blobs as files in the data folder; a local path is the blob itself. */
export function filesystemBlobs(): BlobStore {
  return {
    put,
    stat: async (digest) => {
      const found = await stat(blobPath(digest)).catch(whenMissing(undefined));
      return found && { bytes: found.size };
    },
    open: async (digest) => openFile(blobPath(digest)),
    withLocalPath: async (digest, work) => work(blobPath(digest)),
    localFolder: blobsDir,
    list,
    strays,
    remove: (digest) => rm(blobPath(digest), { force: true }),
  };
}

/** The bytes reach the disk before the name does. A file on the same file system is moved rather than copied. */
async function put(digest: string, fromFile: string, { keep = false } = {}): Promise<void> {
  const target = blobPath(digest);
  await mkdir(dirname(target), PRIVATE_FOLDER);
  if (keep) await putDraft(digest, fromFile, target);
  else await putMoved(digest, fromFile, target);
  await syncPath(dirname(target));
  await syncPath(blobsDir());
}

async function putMoved(digest: string, fromFile: string, target: string): Promise<void> {
  await chmod(fromFile, 0o444);
  await syncProven(digest, fromFile);
  await rename(fromFile, target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EXDEV") throw error;
    return putDraft(digest, fromFile, target);
  });
}

async function putDraft(digest: string, fromFile: string, target: string): Promise<void> {
  const draft = `${target}.${randomUUID()}.draft`;
  try {
    await copyOrLink(fromFile, draft);
    await syncProven(digest, draft);
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true }); // a link to the blob itself also survives the rename
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

async function* list(): AsyncGenerator<StoredBlob> {
  for (const path of await files()) {
    const digest = digestOf(path);
    const found = digest && (await facts(path));
    if (digest && found) yield { digest, ...found };
  }
}

async function* strays(): AsyncGenerator<Stray> {
  for (const path of await files()) {
    const found = digestOf(path) === undefined && (await facts(path));
    if (found) yield { name: path, changedAtMs: found.changedAtMs, remove: () => rm(path, { force: true }) };
  }
}

async function files(): Promise<string[]> {
  const entries = await readdir(blobsDir(), { recursive: true, withFileTypes: true }).catch(whenMissing([]));
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
}

/** Undefined if the file is gone. A rename counts as a change. */
async function facts(path: string): Promise<{ bytes: number; changedAtMs: number } | undefined> {
  const found = await stat(path).catch(whenMissing(undefined));
  return found && { bytes: found.size, changedAtMs: Math.max(found.mtimeMs, found.ctimeMs) };
}

function digestOf(path: string): string | undefined {
  const digest = basename(path, ".parquet");
  return /^[0-9a-f]{64}$/.test(digest) && blobPath(digest) === path ? digest : undefined;
}
