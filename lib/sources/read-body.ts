import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { PassThrough, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { EchoGuard } from "./echo-guard";
import { SourceFailure } from "./source-failure";

const KEPT_BYTES = 1024 * 1024;
const RATIO_MAX = 200;
const RATIO_FROM_BYTES = 1024 * 1024;

export interface BodyLimits {
  bytes: number;
  idleMs: number;
  /** Whether the body is cut off at `bytes` instead of rejected, for a sample. */
  mayCut: boolean;
}

/** A file that one or more bodies are appended to, with its digest. */
export class BodyFile {
  bytes = 0;
  isCut = false;
  private hash = createHash("sha256");
  private readonly file: Awaited<ReturnType<typeof open>>;
  private readonly onBytes: (bytes: number) => void;

  private constructor(file: Awaited<ReturnType<typeof open>>, onBytes: (bytes: number) => void) {
    this.file = file;
    this.onBytes = onBytes;
  }

  /** `onBytes` is called with every byte that arrives, including those that are dropped again. */
  static async create(path: string, onBytes: (bytes: number) => void = () => undefined): Promise<BodyFile> {
    return new BodyFile(await open(path, "w"), onBytes);
  }

  async restart(): Promise<void> {
    await this.file.truncate(0);
    this.bytes = 0;
    this.hash = createHash("sha256");
  }

  async write(chunk: Buffer): Promise<void> {
    this.onBytes(chunk.length);
    this.hash.update(chunk);
    await this.file.write(chunk, 0, chunk.length, this.bytes);
    this.bytes += chunk.length;
  }

  async finish(): Promise<string> {
    await this.file.sync();
    await this.file.close();
    return this.hash.digest("hex");
  }

  async drop(): Promise<void> {
    await this.file.close().catch(() => undefined); // finished already
  }
}

/** Appends a reply's body to the file. Bytes are counted as they arrive, whatever the head says. */
export async function appendBody(
  reply: IncomingMessage,
  file: BodyFile,
  limits: BodyLimits,
  guard: EchoGuard,
): Promise<void> {
  try {
    const declared = Number(reply.headers["content-length"] ?? 0);
    if (!limits.mayCut && file.bytes + declared > limits.bytes) throw tooLarge(limits.bytes);
    reply.setTimeout(limits.idleMs, () => reply.destroy(stalled(limits.idleMs)));
    await appendBytes(decoded(reply), file, limits, guard);
  } finally {
    reply.destroy(); // always: an unread socket would take up one of its host's two
  }
}

async function appendBytes(body: Body, file: BodyFile, limits: BodyLimits, guard: EchoGuard): Promise<void> {
  for await (const chunk of body.bytes as AsyncIterable<Buffer>) {
    if (guard.finds(chunk)) throw echoed();
    checkRatio(file.bytes, body.packedBytes());
    if (await appendChunk(chunk, file, limits)) return;
  }
  const broken = body.broken();
  if (broken) throw broken;
}

/** Whether the body ends here because a sample is full. */
async function appendChunk(chunk: Buffer, file: BodyFile, { bytes, mayCut }: BodyLimits): Promise<boolean> {
  const room = bytes - file.bytes;
  if (chunk.length > room && !mayCut) throw tooLarge(bytes);
  await file.write(chunk.length > room ? chunk.subarray(0, room) : chunk);
  file.isCut = mayCut && chunk.length >= room;
  return file.isCut;
}

function checkRatio(bytes: number, packedBytes: number | undefined): void {
  if (packedBytes !== undefined && bytes > RATIO_FROM_BYTES && bytes > packedBytes * RATIO_MAX)
    throw new SourceFailure("source_too_large", `The reply unpacks to more than ${RATIO_MAX} times its size.`);
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
};

interface Body {
  bytes: Readable;
  /** Number of encoded bytes that arrived; undefined without a content coding. */
  packedBytes(): number | undefined;
  /** Why the reply broke off. Call it once its bytes have been read. */
  broken(): Error | undefined;
}

/** The body with its single content coding decoded. */
function decoded(reply: IncomingMessage): Body {
  const coding = (reply.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (coding === "identity" || coding === "") return plain(reply);
  if (reply.errored) throw reply.errored; // it broke off before anybody read it
  const decoder = DECODERS[coding]?.();
  if (!decoder) throw new SourceFailure("source_refused", `Content-Encoding ${coding.slice(0, 50)} is not supported.`);
  let packed = 0;
  reply.on("data", (chunk: Buffer) => {
    packed += chunk.length;
  });
  reply.once("error", (error) => decoder.destroy(error));
  return { bytes: reply.pipe(decoder), packedBytes: () => packed, broken: () => undefined };
}

/** A reply that breaks off drops what it has buffered. Those bytes are kept here and need not be requested again. */
function plain(reply: IncomingMessage): Body {
  if (reply.errored) throw reply.errored;
  const kept = new PassThrough({ highWaterMark: KEPT_BYTES });
  let broken: Error | undefined;
  reply.once("error", (error) => {
    broken = error;
    kept.end();
  });
  return { bytes: reply.pipe(kept), packedBytes: () => undefined, broken: () => broken };
}

const tooLarge = (bytes: number): SourceFailure =>
  new SourceFailure("source_too_large", `The source is larger than ${bytes} bytes.`);

const stalled = (ms: number): SourceFailure =>
  new SourceFailure("source_timeout", `The source sent nothing for ${ms / 1000} s.`);

const echoed = (): SourceFailure =>
  new SourceFailure("secret_echoed", "The reply contains the credential of the request, so nothing of it was stored.");
