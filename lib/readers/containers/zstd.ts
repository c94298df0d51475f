import { Transform } from "node:stream";
import { Decompress } from "fzstd";
import { ReadFailure } from "@/lib/readers/failure";

/** Maximum window of a frame, which is the memory that decoding takes before the first byte is returned. */
const WINDOW_BYTES_MAX = 128 * 1024 * 1024;
const HEADER_BYTES_MAX = 18;

/** Decodes all frames of zstd, while Node's own decoder ends after the first. The window is checked beforehand. */
export function zstdDecoder(): Transform {
  let head: Buffer | undefined = Buffer.alloc(0);
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      attempt(() => {
        if (head !== undefined) {
          head = Buffer.concat([head, chunk]);
          if (head.length < HEADER_BYTES_MAX) return;
          checkWindow(head);
          decoder.push(head);
          head = undefined;
        } else decoder.push(chunk);
      }, done);
    },
    flush(done) {
      attempt(() => {
        if (head !== undefined) decoder.push(head);
        decoder.push(new Uint8Array(), true);
      }, done);
    },
  });
  const decoder = new Decompress((chunk) => void stream.push(chunk));
  return stream;
}

function attempt(work: () => void, done: (error?: Error) => void): void {
  try {
    work();
    done();
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
}

/** RFC 8878, section 3.1.1.1. */
function checkWindow(head: Buffer): void {
  const descriptor = head[4] ?? 0;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const bytes = isSingleSegment ? contentSize(head, descriptor) : windowSize(head[5] ?? 0);
  if (bytes > WINDOW_BYTES_MAX)
    throw new ReadFailure("archive_unsafe", "The zstd window is larger than 128 MiB. Compress it without --ultra.");
}

function windowSize(byte: number): number {
  const base = 2 ** (10 + (byte >> 3));
  return base + (base / 8) * (byte & 7);
}

function contentSize(head: Buffer, descriptor: number): number {
  const start = 5 + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  const sizes = [1, 2, 4, 8][descriptor >> 6] ?? 1;
  if (sizes === 8) return Number(head.readBigUInt64LE(start));
  return head.readUIntLE(start, sizes) + (sizes === 2 ? 256 : 0);
}
