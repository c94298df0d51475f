import type { ServerResponse } from "node:http";
import type { Logger } from "pino";
import { bodyLength, type DeferredBody, type DeferredBytes, reportSent } from "@/lib/http/deferred-body";
import type { DeferredFile, DeferredStream, Sent } from "@/lib/http/file-stream";

import { sharedBuffer, ThreadHash } from "@/lib/storage/hash-threads";
import type { Bounds } from "./bounds";
import { type Pace, timeLeftMs } from "./reading-pace";

const CHUNK_BYTES = 256 * 1024;
const RING_HASHED = 4;
const RING_PLAIN = 2;
/** Bytes that an archive's stream buffers between storage and socket. */
const STREAM_BYTES = 1 << 20;

interface Sender {
  bounds: Bounds;
  logger: Pick<Logger, "error" | "warn">;
  requestId: string;
  head: boolean;
}

/**
 * Sends a deferred body, with its Content-Length if known. Resolves when it has ended, whether or not it succeeded.
 * Closes the file and calls `onSent`.
 */
export async function sendBody(res: ServerResponse, body: DeferredBody, sender: Sender): Promise<void> {
  const sent: Sent = { bytes: 0, complete: false };
  try {
    const length = bodyLength(body);
    if (length !== undefined) res.setHeader("Content-Length", length);
    if (sender.head || res.destroyed) res.end();
    else if (body.kind === "bytes") await sendBytes(res, body, sender, sent);
    else if (body.kind === "stream") await sendStream(res, body, sender, sent);
    else await sendFile(res, body, sender, sent);
  } catch (error) {
    if (error instanceof BrokenFile)
      sender.logger.error({ request_id: sender.requestId, reason: error.message }, "download interrupted");
    res.destroy(); // the client sees a short body, never a wrong one
  } finally {
    // not awaited: closing waits for a read that storage may never complete
    if (body.kind === "file") void body.file.close().catch(() => undefined);
    if (body.kind === "stream") body.stream.destroy();
    reportSent(body, sent);
  }
}

class BrokenFile extends Error {}

/** Memory that a body holds until its reader has received all of it. */
export function heldBytes(body: DeferredBody): number {
  if (body.kind === "bytes") return body.bytes.byteLength;
  if (body.kind === "stream") return body.heldBytes ?? STREAM_BYTES;
  const ring = body.digest !== undefined && !body.range ? RING_HASHED : RING_PLAIN;
  return ring * Math.min(CHUNK_BYTES, bodyLength(body));
}

async function sendBytes(
  res: ServerResponse,
  { bytes, range }: DeferredBytes,
  { bounds }: Sender,
  sent: Sent,
): Promise<void> {
  const part = range ? bytes.subarray(range.start, range.end + 1) : bytes;
  const write = pacedWriter(res, bounds);
  while (sent.bytes < part.byteLength) {
    const chunk = part.subarray(sent.bytes, sent.bytes + CHUNK_BYTES);
    await write(chunk);
    sent.bytes += chunk.byteLength;
  }
  sent.complete = true;
  res.end();
}

/** The rest is read only once the client has received the preceding bytes. */
async function sendStream(
  res: ServerResponse,
  { stream, sizeBytes, trailers }: DeferredStream,
  { bounds }: Sender,
  sent: Sent,
): Promise<void> {
  const write = pacedWriter(res, bounds);
  for await (const chunk of brokenWhenFailing(stream)) {
    if (sizeBytes !== undefined && sent.bytes + chunk.length > sizeBytes)
      throw new BrokenFile("the body is longer than its Content-Length");
    await write(chunk);
    sent.bytes += chunk.length;
  }
  if (sizeBytes !== undefined && sent.bytes < sizeBytes) throw new BrokenFile("the body ended early");
  sent.complete = true;
  if (trailers && res.hasHeader("Trailer")) res.addTrailers(trailers());
  res.end();
}

async function* brokenWhenFailing(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch (error) {
    throw new BrokenFile(error instanceof Error ? error.message : "the body could not be produced", { cause: error });
  }
}

/**
 * Uses a ring of buffers: one is filled while the previous one is written, and refilled only once it is written and
 * hashed.
 */
async function sendFile(res: ServerResponse, body: DeferredFile, { bounds }: Sender, sent: Sent): Promise<void> {
  const end = body.range ? body.range.end + 1 : body.sizeBytes;
  const hash = body.digest !== undefined && !body.range ? new ThreadHash() : undefined;
  const ring = makeRing(bodyLength(body), hash !== undefined);
  const slot = (turn: number) => ring[turn % ring.length] as Slot;
  const read = (turn: number, position: number) => readChunk(body, slot(turn).buffer, position, end, bounds.storageMs);
  const write = pacedWriter(res, bounds);
  let position = body.range?.start ?? 0;
  try {
    let reading = read(0, position);
    for (let turn = 0; position < end; turn += 1) {
      const chunk = await reading;
      position += chunk.length;
      if (hash) slot(turn).hashed = observed(hash.update(chunk));
      // the last chunk is still held back, so a wrong file never arrives completely
      if (position === end && hash) await checkDigest(hash, body);
      await slot(turn + 1).hashed;
      if (position < end) reading = observed(read(turn + 1, position));
      await write(chunk);
      sent.bytes += chunk.length;
    }
  } finally {
    hash?.release();
  }
  sent.complete = true;
  res.end();
}

interface Slot {
  buffer: Buffer;
  hashed: Promise<void> | undefined;
}

function makeRing(bytes: number, hashed: boolean): Slot[] {
  const size = Math.min(CHUNK_BYTES, Math.max(1, bytes));
  const allocate = hashed ? sharedBuffer : Buffer.allocUnsafeSlow;
  return Array.from({ length: hashed ? RING_HASHED : RING_PLAIN }, () => ({
    buffer: allocate(size),
    hashed: undefined,
  }));
}

/** For a promise that is awaited later, or never if something else fails first. */
function observed<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

async function checkDigest(hash: ThreadHash, { digest, onMismatch }: DeferredFile): Promise<void> {
  if ((await hash.digest()) === digest) return;
  onMismatch?.();
  throw new BrokenFile("the file's digest does not match");
}

async function readChunk(
  { file }: DeferredFile,
  buffer: Buffer,
  position: number,
  end: number,
  timeoutMs: number,
): Promise<Buffer> {
  const wanted = Math.min(buffer.length, end - position);
  const { bytesRead } = await withDeadline(file.read(buffer, 0, wanted, position), timeoutMs);
  if (bytesRead === 0) throw new BrokenFile("the file ended early");
  return buffer.subarray(0, bytesRead);
}

function withDeadline<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new BrokenFile("storage took too long")), timeoutMs);
    work
      .finally(() => clearTimeout(timer))
      .then(resolve, (error: unknown) => reject(new BrokenFile("storage failed", { cause: error })));
  });
}

/** Writes one chunk after another and tracks the client's pace. Rejects if one chunk or the average is too slow. */
function pacedWriter(res: ServerResponse, bounds: Bounds): (chunk: Uint8Array) => Promise<void> {
  const pace: Pace = { takenBytes: 0, spentMs: 0 };
  return async (chunk) => {
    const start = performance.now();
    await written(res, chunk, timeLeftMs(pace, chunk.byteLength, bounds));
    pace.spentMs += performance.now() - start;
    pace.takenBytes += chunk.byteLength;
  };
}

/** One write. It ends when it calls back, when the connection closes, or when the client took too long to read it. */
function written(res: ServerResponse, chunk: Uint8Array, timeoutMs: number): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const { socket } = res.req; // a pipelined response that awaits its turn has none yet
    const finish = (error?: Error | null) => {
      clearTimeout(timer);
      res.off("close", onClose);
      if (error) reject(error);
      else resolve();
    };
    const onClose = () => finish(new Error("client disconnected"));
    const timer = setTimeout(() => {
      res.socket?.resetAndDestroy(); // what the kernel holds would otherwise be sent on for hours
      finish(new Error("client too slow"));
    }, timeoutMs);
    if (socket.destroyed) return finish(new Error("client disconnected"));
    res.on("close", onClose);
    // Node calls back a pending write without an error if its socket is destroyed
    res.write(chunk, (error) => finish(error ?? (socket.destroyed ? new Error("client disconnected") : null)));
  });
}
