import { createHash, randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { PRIVATE_FOLDER } from "./data-folder";
import type { BlobHandle } from "./object-store";
import { tempDir } from "./paths";

/** Kept text, opened for one reader, who closes it. */
export interface OpenText {
  /** A strong ETag. */
  etag: string;
  bytes: number;
  file: Pick<BlobHandle, "read" | "close">;
}

/**
 * Text of any length, kept in an unlinked file. It disappears with the process, or once it was let go and its last
 * reader has closed it.
 */
export class CachedText {
  #readers = 0;
  #isLetGo = false;

  private constructor(
    private readonly file: FileHandle,
    private readonly etag: string,
    private readonly bytes: number,
  ) {}

  /** Writes the pieces one after another, so no more than one is held in memory. */
  static async write(pieces: AsyncIterable<string> | Iterable<string>): Promise<CachedText> {
    await mkdir(tempDir(), PRIVATE_FOLDER);
    const path = join(tempDir(), `text-${process.pid}-${randomBytes(6).toString("hex")}`);
    const file = await open(path, "wx+", 0o600);
    try {
      await unlink(path);
      const hash = createHash("sha256");
      let bytes = 0;
      for await (const piece of pieces) {
        const content = Buffer.from(piece);
        hash.update(content);
        for (let at = 0; at < content.length; ) at += (await file.write(content, at)).bytesWritten;
        bytes += content.length;
      }
      return new CachedText(file, `"${hash.digest("base64url").slice(0, 32)}"`, bytes);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Opens the text for one more reader; undefined once it is gone. */
  open(): OpenText | undefined {
    if (this.#isLetGo) return undefined;
    this.#readers += 1;
    let isOpen = true;
    const close = async () => {
      if (!isOpen) return;
      isOpen = false;
      this.#readers -= 1;
      await this.#closeUnread();
    };
    const read: BlobHandle["read"] = (buffer, offset, length, position) =>
      this.file.read(buffer, offset, length, position);
    return { etag: this.etag, bytes: this.bytes, file: { read, close } };
  }

  /** Releases the text. It can no longer be opened. */
  async letGo(): Promise<void> {
    if (this.#isLetGo) return;
    this.#isLetGo = true;
    await this.#closeUnread();
  }

  async #closeUnread(): Promise<void> {
    if (this.#isLetGo && this.#readers === 0) await this.file.close();
  }
}
