import { createHash } from "node:crypto";

import type { Readable } from "node:stream";
import type { BlobHandle } from "@/lib/storage/object-store";

export interface Sent {
  /** Body bytes handed to the operating system. */
  bytes: number;
  /** Whether the entire body (or range) was sent and its digest, if one was required, matched. */
  complete: boolean;
}

/** First and last byte, inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface Deferred {
  onSent?: (sent: Sent) => void;
  /** The credential that the reply is counted for while it is being read, such as `key:…`. */
  reader?: string | undefined;
}

/** The sender owns the file from here on and always closes it. */
export interface DeferredFile extends Deferred {
  kind: "file";
  file: Pick<BlobHandle, "read" | "close">;
  sizeBytes: number;
  /**
   * Hex SHA-256 to verify while sending. On a mismatch the connection is cut before the last chunk. Whole files only.
   */
  digest?: string;
  /** Called on a mismatch. */
  onMismatch?: () => void;
  range?: ByteRange;
}

/**
 * Generated while it is sent. If it fails or ends at another length, the connection is cut. The sender always destroys
 * the stream.
 */
export interface DeferredStream extends Deferred {
  kind: "stream";
  stream: Readable;
  /** Absent if the length is known only at the end; the body is then sent in chunks. */
  sizeBytes?: number;
  /** Memory that it holds until its reader has received what was generated; 1 MiB if absent. */
  heldBytes?: number;
  /** Trailers that follow the last chunk; the reply's Trailer header announces them. */
  trailers?: () => Readonly<Record<string, string>>;
}

const CHUNK_BYTES = 1 << 20;

/**
 * The file as a web stream, for servers without our listener. Makes the same checks as the listener's sender, but is
 * much slower.
 */
export function fileStream({ file, sizeBytes, digest, range, onSent }: DeferredFile): ReadableStream<Uint8Array> {
  const end = range ? range.end + 1 : sizeBytes;
  const hash = digest !== undefined && !range ? createHash("sha256") : undefined;
  let position = range?.start ?? 0;
  let sentBytes = 0;
  const finish = async (complete: boolean) => {
    await file.close().catch(() => undefined);
    onSent?.({ bytes: sentBytes, complete });
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, end - position));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
      position += bytesRead;
      hash?.update(chunk.subarray(0, bytesRead));
      const short = bytesRead === 0 && position < end;
      if (short || (position === end && hash && hash.digest("hex") !== digest)) {
        await finish(false);
        return controller.error(new Error("the file changed while it was being sent"));
      }
      sentBytes += bytesRead;
      if (bytesRead > 0) controller.enqueue(chunk.subarray(0, bytesRead));
      if (position < end) return;
      await finish(true);
      controller.close();
    },
    cancel: () => finish(false),
  });
}

/** A body generated while it is sent, as a web stream. Makes the same checks as the listener's sender. */
export function countedStream({ stream, sizeBytes, onSent }: DeferredStream): ReadableStream<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let bytes = 0;
  const finish = (complete: boolean) => {
    stream.destroy();
    onSent?.({ bytes, complete });
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (!done) {
          bytes += value.byteLength;
          return controller.enqueue(value);
        }
        if (sizeBytes !== undefined && bytes !== sizeBytes)
          throw new Error("the body's length does not match its Content-Length");
      } catch (error) {
        finish(false);
        return controller.error(error);
      }
      finish(true);
      controller.close();
    },
    cancel: () => finish(false),
  });
}
