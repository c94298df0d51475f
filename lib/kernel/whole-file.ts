import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";

/**
 * Replaces a file durably: a crash leaves either the old content or the new one. An existing file keeps its owner. The
 * new file has `mode` from its first byte on. Missing folders are created.
 */
export function replaceFile(path: string, content: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileAtomic.sync(path, content, { mode });
  syncFolder(dirname(path));
}

/** Creates a file atomically. Returns false if another process created it first; that file is left unchanged. */
export function createFile(path: string, content: string, mode: number): boolean {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, content, { mode, flag: "wx", flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft);
  }
  syncFolder(dirname(path));
  return true;
}

/** Flushes a folder to disk, which makes the names in it durable. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
