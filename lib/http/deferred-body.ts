import type { VerifiedBlob } from "@/lib/storage/verified-blob";
import {
  type ByteRange,
  countedStream,
  type Deferred,
  type DeferredFile,
  type DeferredStream,
  fileStream,
  type Sent,
} from "./file-stream";

import { cameThroughListener, LENGTH_HEADER } from "./listener-mark";
import { log } from "./log";

export interface DeferredBytes extends Deferred {
  kind: "bytes";
  bytes: Uint8Array;
  range?: ByteRange;
}

export type DeferredBody = DeferredBytes | DeferredFile | DeferredStream;

const bodies = new WeakMap<Response, DeferredBody>();

/** A response whose body is written at the sender's pace: the listener with its own buffers, others as a stream. */
export function deferredResponse(body: DeferredBody, init: ResponseInit): Response {
  const response = new Response(null, init);
  bodies.set(response, body);
  return response;
}

/** The response's deferred body, exactly once; undefined if it has none. The caller must send or discard it. */
export function takeDeferredBody(response: Response): DeferredBody | undefined {
  const body = bodies.get(response);
  bodies.delete(response);
  return body;
}

/** Closes the body's resources and reports that nothing was sent. */
export async function discardBody(body: DeferredBody): Promise<void> {
  if (body.kind === "file") await body.file.close().catch(() => undefined);
  if (body.kind === "stream") body.stream.destroy();
  reportSent(body, { bytes: 0, complete: false });
}

/**
 * Reports the outcome to the body's owner. If the owner throws, the error is logged, because no caller is left to
 * receive it.
 */
export function reportSent({ onSent }: { onSent?: ((sent: Sent) => void) | undefined }, sent: Sent): void {
  try {
    onSent?.(sent);
  } catch (error) {
    log().error({ err: error }, "reporting a sent body failed");
  }
}

/** Bytes that will be sent; undefined for a stream whose length is known only at its end. */
export function bodyLength(body: DeferredStream): number | undefined;
export function bodyLength(body: DeferredBytes | DeferredFile): number;
export function bodyLength(body: DeferredBody): number | undefined;
export function bodyLength(body: DeferredBody): number | undefined {
  if (body.kind !== "stream" && body.range) return body.range.end - body.range.start + 1;
  return body.kind === "bytes" ? body.bytes.byteLength : body.sizeBytes;
}

/**
 * The response with its deferred body as a plain one, for what Next serves (`next dev`, a plain Next host, and
 * documents rendered by components). Next drops Content-Length; our listener adds it again.
 */
export function plainResponse(response: Response, { method, headers: requested }: Request): Response {
  const body = takeDeferredBody(response);
  if (!body) return response;
  const { status } = response;
  const headers = new Headers(response.headers);
  const length = bodyLength(body);
  if (cameThroughListener(requested) && length !== undefined) headers.set(LENGTH_HEADER, String(length));
  if (method === "HEAD") {
    void discardBody(body);
    return new Response(null, { status, headers });
  }
  return new Response(plainBody(body), { status, headers });
}

function plainBody(body: DeferredBody): BodyInit {
  if (body.kind === "stream") return countedStream(body);
  return body.kind === "bytes" ? plainBytes(body) : fileStream(body);
}

function plainBytes(body: DeferredBytes): BodyInit {
  const { bytes, range } = body;
  const part = range ? bytes.subarray(range.start, range.end + 1) : bytes;
  reportSent(body, { bytes: part.byteLength, complete: true });
  return part as Uint8Array<ArrayBuffer>;
}

/**
 * A verified blob, or a range of it, as a body. From here on the sender closes it. A whole file is hashed again while
 * it is sent.
 */
export function blobBody(
  blob: VerifiedBlob,
  options: { range?: ByteRange; onSent?: (sent: Sent) => void } = {},
): DeferredBody {
  if (blob.content.kind === "bytes") return { kind: "bytes", bytes: blob.content.bytes, ...options };
  return {
    kind: "file",
    file: blob.content.file,
    sizeBytes: blob.bytes,
    ...(!options.range && { digest: blob.digest, onMismatch: blob.distrust }),
    ...options,
  };
}
