import { randomUUID } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { PRIVATE_FOLDER } from "./data-folder";
import { openFile } from "./file-handle";
import type { BlobHandle } from "./object-store";
import { type ExpectedBlob, verified } from "./verified-blob";

const CHUNK_BYTES = 1 << 20;

interface Entry {
  /** Belongs to this copy only: removing it never affects a later copy of the same object. */
  path: string;
  bytes: number;
  users: number;
  filling: Promise<void>;
}

/**
 * Copies of objects for a driver whose storage has no paths: filled on first use, verified before each use, evicted
 * least recently used first once they exceed `bytesMax` in total. A copy in use is kept, even beyond that. One process
 * owns the folder and empties it at its first use.
 */
export class LocalCache {
  readonly #entries = new Map<string, Entry>();
  #emptied: Promise<void> | undefined;

  constructor(
    private readonly folder: string,
    private readonly bytesMax: number,
    private readonly openObject: (key: string) => Promise<BlobHandle>,
  ) {}

  /** The folder of the copies of objects whose keys begin with this folder's name. */
  folderOf(key: string): string {
    return join(this.folder, key.slice(0, key.indexOf("/")));
  }

  /** Runs `work` on the path of a copy of the object with that SHA-256, which is valid until it settles. */
  async withPath<T>(key: string, digest: string, work: (path: string) => Promise<T>): Promise<T> {
    const entry = this.#entries.get(key) ?? { path: "", bytes: 0, users: 0, filling: Promise.resolve() };
    this.#entries.delete(key);
    this.#entries.set(key, entry); // the newest is last
    if (entry.users === 0) entry.filling = this.#fill(key, digest, entry);
    entry.users += 1;
    try {
      await entry.filling;
      return await work(entry.path);
    } finally {
      entry.users -= 1;
      await this.#trim();
    }
  }

  async #fill(key: string, digest: string, entry: Entry): Promise<void> {
    this.#emptied ??= rm(this.folder, { recursive: true, force: true });
    await this.#emptied;
    if (entry.bytes > 0 && (await isSound(entry.path, { digest, bytes: entry.bytes }))) return;
    if (entry.bytes > 0) await rm(entry.path, { force: true });
    entry.bytes = 0;
    const folder = this.folderOf(key);
    await mkdir(folder, PRIVATE_FOLDER);
    const path = join(folder, `${digest}-${randomUUID()}`);
    const blob = await this.openObject(key);
    try {
      await copyOut(blob, path);
      await prove(path, { digest, bytes: blob.bytes });
      Object.assign(entry, { path, bytes: blob.bytes });
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await blob.close();
    }
  }

  async #trim(): Promise<void> {
    let bytes = [...this.#entries.values()].reduce((sum, entry) => sum + entry.bytes, 0);
    for (const [key, entry] of [...this.#entries]) {
      if (entry.users > 0 || (bytes <= this.bytesMax && entry.bytes > 0)) continue;
      this.#entries.delete(key);
      bytes -= entry.bytes;
      await rm(entry.path, { force: true });
    }
  }
}

async function prove(path: string, expected: ExpectedBlob): Promise<void> {
  await (await verified(() => openFile(path), expected, { ranged: true })).close();
}

const isSound = (path: string, expected: ExpectedBlob): Promise<boolean> =>
  prove(path, expected).then(
    () => true,
    () => false,
  );

async function copyOut(blob: BlobHandle, path: string): Promise<void> {
  const file = await open(path, "wx", 0o400);
  const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK_BYTES, blob.bytes)));
  try {
    for (let position = 0; position < blob.bytes; ) {
      const { bytesRead } = await blob.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) return; // verification reports what is missing
      await file.writeFile(buffer.subarray(0, bytesRead));
      position += bytesRead;
    }
  } finally {
    await file.close();
  }
}
