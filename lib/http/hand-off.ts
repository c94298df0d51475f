import { randomBytes } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { Readable } from "node:stream";
import { processWide } from "@/lib/process-wide";
import type { VerifiedBlob } from "@/lib/storage/verified-blob";
import { fileStream, madeStream } from "./file-stream";
import { cameThroughListener } from "./listener-mark";
import { log } from "./log";

/** Response header that names a registered body; the listener removes it before the head goes out. */
export const HAND_OFF_HEADER = "x-parquetry-hand-off";
const EXPIRY_MS = 30_000;

/** First and last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface Sent {
  /** Body bytes handed to the operating system. */
  bytes: number;
  /** The whole body (or range) went out, and its digest was right where one was asked for. */
  complete: boolean;
}

interface Handed {
  onSent?: (sent: Sent) => void;
  /** The credential that the reply is counted for while it is read, such as `key:…`. */
  reader?: string | undefined;
}

export interface HandOffBytes extends Handed {
  kind: "bytes";
  bytes: Uint8Array;
  range?: ByteRange;
}

/** The sender owns the file from here on and closes it whatever happens. */
export interface HandOffFile extends Handed {
  kind: "file";
  file: FileHandle;
  sizeBytes: number;
  /**
   * Hex SHA-256 to check while sending; the connection is cut before the last chunk when it differs. Whole sends only.
   */
  digest?: string;
  /** Told when it differs. */
  onMismatch?: () => void;
  range?: ByteRange;
}

/**
 * Made while it is sent; the connection is cut when it fails or ends at another length. The sender destroys it whatever
 * happens.
 */
export interface HandOffStream extends Handed {
  kind: "stream";
  stream: Readable;
  sizeBytes: number;
}

export type HandOffBody = HandOffBytes | HandOffFile | HandOffStream;

interface Entry {
  body: HandOffBody;
  expiry: NodeJS.Timeout;
}

const entries = (): Map<string, Entry> => processWide("hand-offs", () => new Map<string, Entry>());

/** Registers a body for the listener to send, once, within 30 s; returns the token for the response header. */
export function handOff(body: HandOffBody): string {
  const token = randomBytes(24).toString("base64url");
  const expiry = setTimeout(() => dropHandOff(token), EXPIRY_MS).unref();
  entries().set(token, { body, expiry });
  return token;
}

/** The registered body, exactly once; undefined when unknown, taken or expired. */
export function takeHandOff(token: string): HandOffBody | undefined {
  const entry = entries().get(token);
  if (!entry) return undefined;
  clearTimeout(entry.expiry);
  entries().delete(token);
  return entry.body;
}

/** Forgets a body that will not be sent. */
export function dropHandOff(token: string): void {
  const body = takeHandOff(token);
  if (body) void discardBody(body);
}

/** Closes what the body holds and reports that nothing was sent. */
export async function discardBody(body: HandOffBody): Promise<void> {
  if (body.kind === "file") await body.file.close().catch(() => undefined);
  if (body.kind === "stream") body.stream.destroy();
  reportSent(body, { bytes: 0, complete: false });
}

/**
 * Tells the body's owner how it went; what the owner then fails at is logged, since no caller is left to hear of it.
 */
export function reportSent({ onSent }: { onSent?: ((sent: Sent) => void) | undefined }, sent: Sent): void {
  try {
    onSent?.(sent);
  } catch (error) {
    log().error({ err: error }, "after a body was sent");
  }
}

export const bodyLength = (body: HandOffBody): number => {
  if (body.kind !== "stream" && body.range) return body.range.end - body.range.start + 1;
  return body.kind === "bytes" ? body.bytes.byteLength : body.sizeBytes;
};

/**
 * What a route handler puts into its Response: behind our listener a null body and the token, elsewhere (`next dev`)
 * the bytes themselves.
 * Content-Length is the sender's to set.
 */
export function bodyOrHandOff(
  request: Request,
  body: HandOffBody,
): { headers: Record<string, string>; body: BodyInit | null } {
  if (cameThroughListener(request.headers)) return { headers: { [HAND_OFF_HEADER]: handOff(body) }, body: null };
  if (request.method === "HEAD") {
    void discardBody(body);
    return { headers: {}, body: null };
  }
  if (body.kind === "stream") return { headers: {}, body: madeStream(body) };
  return { headers: {}, body: body.kind === "bytes" ? plainBytes(body) : fileStream(body) };
}

function plainBytes(body: HandOffBytes): BodyInit {
  const { bytes, range } = body;
  const part = range ? bytes.subarray(range.start, range.end + 1) : bytes;
  reportSent(body, { bytes: part.byteLength, complete: true });
  return part as Uint8Array<ArrayBuffer>;
}

/**
 * A verified blob, or a range of it, as a body; from here on the sender closes it. A file sent whole is hashed again on
 * its way.
 */
export function blobBody(
  blob: VerifiedBlob,
  options: { range?: ByteRange; onSent?: (sent: Sent) => void } = {},
): HandOffBody {
  if (blob.content.kind === "bytes") return { kind: "bytes", bytes: blob.content.bytes, ...options };
  return {
    kind: "file",
    file: blob.content.file,
    sizeBytes: blob.bytes,
    ...(!options.range && { digest: blob.digest, onMismatch: blob.distrust }),
    ...options,
  };
}
