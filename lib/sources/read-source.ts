import { rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { isDiskFull } from "@/lib/kernel/disk-full";
import { formatCount } from "@/lib/kernel/format";
import { type Connecting, explained } from "./connection";
import { secretTexts } from "./credential";
import { EchoGuard } from "./echo-guard";
import { type Followed, follow, type SourceCall } from "./follow";
import { appendBody, BodyFile, type BodyLimits } from "./read-body";
import { SourceFailure } from "./source-failure";
import { type StatedTotal, statedInHead } from "./stated-total";

export interface SourceReading extends SourceCall {
  /** Where the body is written. */
  path: string;
  /** Validators of the last successful read of the same URL. */
  validators?: { etag: string | null; lastModified: string | null };
  /** Files are requested without compression, so that they can be resumed; pages may be compressed. */
  isPage?: boolean;
  accept?: string;
  /** How often a temporary failure is retried; five times by default. */
  retriesMax?: number;
  limits: BodyLimits & { seconds: number };
}

export interface SourceRead {
  outcome: "read" | "not_modified";
  status: number;
  finalAddress: string;
  redirects: number;
  etag: string | null;
  lastModified: string | null;
  mediaType: string | null;
  /** Link header (RFC 8288), for pagination. */
  link: string | null;
  /** How many records there are, according to the head of the reply. */
  stated?: StatedTotal;
  /** Content-Length of a reply without content coding. */
  length: number | null;
  /** Whether the server supports ranges. */
  hasRanges: boolean;
  /** Hex SHA-256 and size of the file; null for not_modified. */
  digest: string | null;
  bytes: number;
  isCut: boolean;
}

/** What reading needs from its environment. */
export interface ReadingContext {
  connecting: Connecting;
  signal: AbortSignal;
  /** Waits. Rejects when the signal is aborted. */
  wait(ms: number): Promise<void>;
  /**
   * A turn at this host: two at once and ten starts per second. Call the returned function at the end; it does not
   * reject.
   */
  turn(host: string): Promise<() => Promise<void>>;
  /** Called with the bytes of bodies as they arrive. */
  onBytes?(bytes: number): void;
}

const RETRIES_MAX = 5;
const RESUMES_MAX = 5;
const RESTARTS_MAX = 2;
const RETRY_AFTER_MAX_MS = 10 * 60_000;
const BACKOFF_MS = [2_000, 4_000, 8_000, 16_000, 32_000];
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Reads one URL into a file. Rejects with `SourceFailure`, or with our own disk's error if it is full, and then leaves
 * no file.
 */
export async function readSource(reading: SourceReading, context: ReadingContext): Promise<SourceRead> {
  const { seconds } = reading.limits;
  const late = new SourceFailure("source_timeout", `Reading the source took longer than ${seconds} s.`);
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(late), seconds * 1000);
  const signal = AbortSignal.any([context.signal, controller.signal]);
  try {
    return await retried(reading, { ...context, signal });
  } catch (error) {
    await rm(reading.path, { force: true });
    if (isDiskFull((error as NodeJS.ErrnoException).code)) throw error;
    if (error instanceof BrokenReply && !signal.aborted) throw new SourceFailure("source_unreachable", error.message);
    throw explained(error, new URL(reading.url), signal);
  } finally {
    clearTimeout(timer);
  }
}

async function retried(reading: SourceReading, context: ReadingContext): Promise<SourceRead> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await inTurn(reading.url, context, () => attempted(reading, context));
    } catch (error) {
      const pause = attempt < (reading.retriesMax ?? RETRIES_MAX) ? pauseAfter(error, attempt) : undefined;
      if (pause === undefined || context.signal.aborted) throw error;
      await context.wait(pause);
    }
  }
}

/** How long to wait before a retry; undefined for failures that a retry does not help. */
function pauseAfter(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof SourceFailure)) return undefined;
  const mayPass =
    error.code === "source_unreachable" ||
    error.code === "source_timeout" ||
    (error.code === "source_status" && PASSING.has(error.status ?? 0));
  if (!mayPass) return undefined;
  const backoff = BACKOFF_MS[attempt] ?? 60_000;
  if (error.retryAfterMs === undefined) return backoff;
  return error.retryAfterMs > RETRY_AFTER_MAX_MS ? undefined : Math.max(error.retryAfterMs, backoff / 2);
}

/** Makes a request in a turn at its host, which ends with it. */
export async function inTurn<T>(url: string, { turn }: ReadingContext, request: () => Promise<T>): Promise<T> {
  const end = await turn(new URL(url).host);
  try {
    return await request();
  } finally {
    await end();
  }
}

async function attempted(reading: SourceReading, context: ReadingContext): Promise<SourceRead> {
  const file = await BodyFile.create(reading.path, context.onBytes); // before the reply, which is read immediately
  try {
    const call = { ...reading, own: ownHeaders(reading) };
    const first = await follow(call, context.connecting, context.signal);
    if (first.reply.statusCode === 304 && reading.validators) return await notModified(first, file, reading.path);
    refuseStatus(first);
    await appendResuming(first, file, { reading, context, guard: () => guardOf(reading) });
    context.signal.throwIfAborted(); // the last bytes may have passed a limit of the caller's
    return { ...headOf(first), outcome: "read", digest: await file.finish(), bytes: file.bytes, isCut: file.isCut };
  } catch (error) {
    await file.drop();
    throw error;
  }
}

const guardOf = ({ credential }: SourceReading): EchoGuard => new EchoGuard(credential ? secretTexts(credential) : []);

function ownHeaders({ accept, isPage, validators }: SourceReading): Record<string, string> {
  return {
    accept: accept ?? "*/*",
    "accept-encoding": isPage ? "gzip, br" : "identity",
    ...(validators?.etag && { "if-none-match": validators.etag }),
    ...(validators?.lastModified && { "if-modified-since": validators.lastModified }),
  };
}

function refuseStatus({ reply, url }: Followed): void {
  const status = reply.statusCode ?? 0;
  if (status === 200) return;
  reply.destroy();
  const retryAfterMs = retryAfter(reply.headers["retry-after"], reply.headers.date);
  throw new SourceFailure("source_status", `${url.host} answered with status ${status}.`, {
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** Retry-After in seconds, or as a date, which is relative to the server's clock. */
export function retryAfter(value: string | undefined, date: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value) - Date.parse(date ?? "");
  return Number.isNaN(until) ? undefined : Math.max(0, until);
}

interface Resuming {
  reading: SourceReading;
  context: ReadingContext;
  guard(): EchoGuard;
}

/** A reply that ended before its end, however often it was read again. */
class BrokenReply extends Error {
  constructor({ reply: { headers }, url }: Followed, bytes: number) {
    const declared = headers["content-encoding"] === undefined ? headers["content-length"] : undefined;
    const of = declared === undefined ? "" : ` of ${formatCount(Number(declared))}`;
    super(
      `The reply of ${url.host} ended after ${formatCount(bytes)}${of} bytes, before it was complete. Start the run ` +
        "again; if it ends there again, tell the publisher.",
    );
  }
}

/** A body that breaks off is resumed where it broke, as long as a strong entity tag proves that it is the same. */
async function appendResuming(first: Followed, file: BodyFile, resuming: Resuming): Promise<void> {
  const etag = resuming.reading.isPage ? undefined : strongTag(first.reply);
  const left = { resumes: RESUMES_MAX, restarts: RESTARTS_MAX };
  let [next, guard] = [first, resuming.guard()];
  for (;;) {
    const fault = await appendBody(next.reply, file, resuming.reading.limits, guard).catch((error: unknown) => ({
      error,
    }));
    if (fault === undefined) return;
    const tag = file.bytes > 0 && left.resumes > 0 ? etag : undefined;
    left[tag === undefined ? "restarts" : "resumes"] -= 1;
    refuseBroken(fault.error, left.restarts, { first, file, resuming });
    next = await askRest(resuming, file.bytes, tag);
    if (await continues(next, { first, file, tag })) continue;
    guard = resuming.guard();
  }
}

/** Throws unless the reply may be asked for again. */
function refuseBroken(
  error: unknown,
  restarts: number,
  { first, file, resuming }: { first: Followed; file: BodyFile; resuming: Resuming },
): void {
  if (resuming.context.signal.aborted || !isBroken(error)) throw error;
  if (restarts < 0) throw new BrokenReply(first, file.bytes);
}

/** Whether the reply continues where the file ends. Otherwise the file is started again. */
async function continues(
  next: Followed,
  { first, file, tag }: { first: Followed; file: BodyFile; tag: string | undefined },
): Promise<boolean> {
  if (next.reply.statusCode === 206 && tag !== undefined) {
    checkRange(next, file.bytes, first.reply);
    return true;
  }
  refuseStatus(next);
  await file.restart();
  return false;
}

function askRest({ reading, context }: Resuming, from: number, tag: string | undefined): Promise<Followed> {
  const range = tag === undefined ? {} : { range: `bytes=${from}-`, "if-range": tag };
  const own = { ...ownHeaders({ ...reading, validators: NONE }), ...range };
  return follow({ ...reading, own }, context.connecting, context.signal);
}

const NONE = { etag: null, lastModified: null };

const isBroken = (error: unknown): boolean =>
  !(error instanceof SourceFailure) &&
  /^(?:ECONNRESET|EPIPE|ETIMEDOUT|ERR_STREAM_PREMATURE_CLOSE|Z_BUF_ERROR)$/.test(
    String((error as NodeJS.ErrnoException).code),
  );

/** The strong entity tag, only if the bytes are the entity itself: a compressed reply is generated each time. */
function strongTag({ headers }: IncomingMessage): string | undefined {
  const { etag } = headers;
  if (etag === undefined || !/^"[^"]*"$/.test(etag) || headers["accept-ranges"] !== "bytes") return undefined;
  return headers["content-encoding"] === undefined ? etag : undefined;
}

function checkRange({ reply, url }: Followed, from: number, first: IncomingMessage): void {
  const found = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(reply.headers["content-range"] ?? "");
  const total = first.headers["content-length"];
  if (
    found &&
    Number(found[1]) === from &&
    (total === undefined || found[2] === total) &&
    reply.headers.etag === first.headers.etag
  )
    return;
  reply.destroy();
  throw new SourceFailure("source_changed", `The file at ${url.host} changed while it was read.`);
}

async function notModified(followed: Followed, file: BodyFile, path: string): Promise<SourceRead> {
  followed.reply.destroy();
  await file.drop();
  await rm(path, { force: true });
  return { ...headOf(followed), outcome: "not_modified", digest: null, bytes: 0, isCut: false };
}

function headOf({ reply, finalAddress, redirects }: Followed) {
  const { etag } = reply.headers;
  const link = [reply.headers.link ?? []].flat().join(", ") || null;
  const stated = statedInHead(reply.headers, link);
  const length = Number(reply.headers["content-length"] ?? Number.NaN);
  const isPlain = reply.headers["content-encoding"] === undefined;
  return {
    status: reply.statusCode ?? 0,
    finalAddress,
    redirects,
    etag: etag ?? null,
    lastModified: reply.headers["last-modified"] ?? null,
    mediaType: reply.headers["content-type"]?.slice(0, 200) ?? null,
    link,
    ...(stated && { stated }),
    length: isPlain && Number.isSafeInteger(length) ? length : null,
    hasRanges: reply.headers["accept-ranges"] === "bytes",
  };
}
