import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { constants, createZstdDecompress } from "node:zlib";
import { ReadFailure } from "@/lib/readers/failure";
import { followed, onlyPadding } from "./padding";
import { through } from "./through";

const CHUNK_BYTES = 256 * 1024;

/**
 * The content of all frames of a zstd file. Node's decoder stops after a frame without a word, so each gets its own,
 * which verifies the frame's checksum and size, and refuses windows of more than 128 MiB.
 */
export async function* unzstd(path: string, isCut: boolean): AsyncGenerator<Buffer> {
  const source = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const frames = new Frames(source, isCut);
  try {
    while (await frames.hasNext()) {
      const decoder = createZstdDecompress({
        chunkSize: CHUNK_BYTES,
        ...(isCut && { finishFlush: constants.ZSTD_e_flush }),
      });
      yield* through(Readable.from(frames.next()), decoder);
    }
  } finally {
    source.destroy();
  }
}

/** Splits a stream into its frames. */
class Frames {
  private rest: Buffer = Buffer.alloc(0);
  private readonly chunks: AsyncIterator<Buffer>;
  private readonly isCut: boolean;

  constructor(source: AsyncIterable<Buffer>, isCut: boolean) {
    this.chunks = source[Symbol.asyncIterator]();
    this.isCut = isCut;
  }

  /** Whether another frame begins here. At the end, or before padding, there is none. */
  async hasNext(): Promise<boolean> {
    while (this.rest.length < MAGIC_BYTES && (await this.more()));
    if (this.rest.length === 0) return false;
    if (this.rest[0] === 0) {
      await onlyPadding(this.remaining(), "zstd");
      return false;
    }
    if (isFrame(this.rest)) return true;
    if (this.isCut && this.rest.length < MAGIC_BYTES) return false;
    throw followed("zstd");
  }

  private async *remaining(): AsyncGenerator<Buffer> {
    do {
      yield this.rest;
      this.rest = Buffer.alloc(0);
    } while (await this.more());
  }

  /** The bytes of one frame. */
  async *next(): AsyncGenerator<Buffer> {
    const frame = new FrameEnd();
    do {
      const chunk = this.rest;
      const end = frame.endIn(chunk);
      this.rest = chunk.subarray(end ?? chunk.length);
      yield chunk.subarray(0, end);
      if (end !== undefined) return;
    } while (await this.more());
    if (!this.isCut)
      throw new ReadFailure("archive_unsafe", "The zstd data is cut short. Fetch or compress the file again.");
  }

  /** Adds another chunk to the rest. */
  private async more(): Promise<boolean> {
    const { done, value } = await this.chunks.next();
    if (!done) this.rest = this.rest.length === 0 ? value : Buffer.concat([this.rest, value]);
    return !done;
  }
}

const MAGIC = 0xfd2fb528;
const MAGIC_BYTES = 4;
const RLE = 1;

/** A skippable frame has one of sixteen signs, and holds no data. */
const isSkippable = (start: Buffer): boolean => start.readUInt32LE() >>> 4 === 0x184d2a5;

const isFrame = (start: Buffer): boolean =>
  start.length >= MAGIC_BYTES && (start.readUInt32LE() === MAGIC || isSkippable(start));

/** Finds the end of a frame by the headers of the frame and of its blocks (RFC 8878, section 3.1). */
class FrameEnd {
  /** The header that is being read, and what reads it once it is complete. */
  private header: number[] = [];
  private wanted = MAGIC_BYTES;
  private read = this.readMagic;
  /** Bytes that have no header. */
  private passing = 0;
  private isLast = false;
  private checksumBytes = 0;

  /** The index after the frame's last byte; undefined if it is not in this chunk. */
  endIn(chunk: Buffer): number | undefined {
    let at = 0;
    while (at < chunk.length) {
      if (this.passing > 0) {
        const passed = Math.min(this.passing, chunk.length - at);
        at += passed;
        this.passing -= passed;
      } else {
        this.header.push(chunk[at] ?? 0);
        at += 1;
        if (this.header.length === this.wanted) this.read(Buffer.from(this.header));
      }
      if (this.isLast && this.passing === 0) return at;
    }
    return undefined;
  }

  private readMagic(bytes: Buffer): void {
    const isSkipped = isSkippable(bytes);
    this.wanted = isSkipped ? 8 : 5;
    this.read = isSkipped ? this.readSkippable : this.readDescriptor;
  }

  private readSkippable(bytes: Buffer): void {
    this.passing = bytes.readUInt32LE(4);
    this.isLast = true;
  }

  private readDescriptor(bytes: Buffer): void {
    const descriptor = bytes[4] ?? 0;
    const isSingleSegment = (descriptor & 0x20) !== 0;
    const contentSizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
    const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
    this.checksumBytes = (descriptor & 4) === 0 ? 0 : 4;
    this.passing = (isSingleSegment ? 0 : 1) + dictionaryBytes + contentSizeBytes;
    this.expectBlock();
  }

  private expectBlock(): void {
    this.header = [];
    this.wanted = 3;
    this.read = this.readBlock;
  }

  private readBlock(bytes: Buffer): void {
    const block = bytes.readUIntLE(0, 3);
    const isRle = ((block >> 1) & 3) === RLE;
    this.isLast = (block & 1) === 1;
    this.passing = (isRle ? 1 : block >> 3) + (this.isLast ? this.checksumBytes : 0);
    this.expectBlock();
  }
}
