import { randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { CompletedPart, GetObjectCommandOutput, S3Client } from "@aws-sdk/client-s3";
import { env, type Settings } from "@/lib/kernel/env";
import { Failure, fail } from "@/lib/kernel/errors";
import { measure } from "@/lib/kernel/telemetry";
import { digestOfFile, sharedBuffer, ThreadHash } from "./hash-threads";
import { LocalCache } from "./local-cache";
import type { BlobHandle, ObjectStore, PutOptions, StoredObject, Stray } from "./object-store";
import { isKey, requireKey, tempDir } from "./paths";
import { type ExpectedBlob, inTime, verified } from "./verified-blob";

const MIB = 2 ** 20;
/** Of a part of a larger upload; a file up to this size is sent as a whole. A store takes 5 MiB to 5 GiB. */
const PART_BYTES = 16 * MIB;
const PARTS_MAX = 10_000;
/** Attempts to store an object that others store or replace at the same time. */
const PUT_ATTEMPTS = 5;
/** Attempts to receive a range completely, each from where the reply before was cut off. */
const READ_ATTEMPTS = 3;
/** Sequential reads of one handle are requested in growing ranges, up to this size. */
const RANGE_BYTES_MAX = 16 * MIB;
const CONNECT_MS = 5_000;
/** Of each request, which together take no longer than STORAGE_SECONDS. */
const ATTEMPTS = 3;

/** The SDK is loaded at the first use, so that a service without S3 does not load it. */
const sdk = () => import("@aws-sdk/client-s3");

/** Where objects are: the bucket, and a prefix before their keys. */
interface Place {
  bucket: string;
  prefix: string;
  /** How long the store may take for a reply. */
  timeoutMs: number;
  /** With its own connections. */
  client(): Promise<S3Client>;
}

export type S3Settings = Pick<
  Settings,
  "S3_BUCKET" | "S3_ENDPOINT" | "S3_REGION" | "S3_PREFIX" | "S3_CACHE_MB" | "STORAGE_SECONDS"
>;

/**
 * Objects of an S3 bucket, named as in a data folder (`blobs/<2 hex>/<digest>.parquet`), so that a folder can be copied
 * into a bucket and back. A handle reads one object only: once it has been replaced, reads fail. Local paths are copies
 * in a folder of this process. Credentials come from the SDK's own chain (variables, files, roles).
 */
export function s3Objects(settings: S3Settings = env()): ObjectStore {
  let opened: Promise<S3Client> | undefined;
  const place = {
    bucket: settings.S3_BUCKET ?? "",
    prefix: settings.S3_PREFIX,
    timeoutMs: settings.STORAGE_SECONDS * 1000,
    client: () => {
      opened ??= openClient(settings).catch((error: unknown) => {
        opened = undefined; // the next caller tries again
        throw error;
      });
      return opened;
    },
  };
  const folder = join(tempDir(), `cache-${process.pid}-${randomUUID()}`);
  const cache = new LocalCache(folder, settings.S3_CACHE_MB * MIB, (key) => openObject(place, key));
  return {
    put: (key, digest, fromFile, options) => put(place, requireKey(key), { digest, fromFile }, options),
    stat: async (key) => {
      const head = await headOf(place, requireKey(key));
      return head && { bytes: head.bytes };
    },
    open: async (key) => openObject(place, requireKey(key)),
    withLocalPath: async (key, digest, work) => cache.withPath(requireKey(key), digest, work),
    localFolder: (prefix) => cache.folderOf(prefix),
    list: (prefix) => list(place, prefix),
    strays: (prefix) => strays(place, prefix),
    remove: async (key) => removeObject(place, requireKey(key)),
    removeAll: async (prefix) => {
      for await (const { key } of objects(place, requireKey(prefix))) await removeObject(place, key);
      for await (const upload of unfinished(place, prefix)) await upload.remove();
    },
  };
}

async function removeObject(place: Place, key: string): Promise<void> {
  const { DeleteObjectCommand } = await sdk();
  await answered(place, (client) => client.send(new DeleteObjectCommand(nameOf(place, key))));
}

const nameOf = ({ bucket, prefix }: Place, key: string) => ({ Bucket: bucket, Key: prefix + key });

/**
 * A client whose bucket is known to be there: replies about an object do not say whether it or its bucket is missing.
 */
async function openClient({ S3_BUCKET, S3_ENDPOINT, S3_REGION, STORAGE_SECONDS }: S3Settings): Promise<S3Client> {
  const { HeadBucketCommand, S3Client } = await sdk();
  const client = new S3Client({
    region: S3_REGION,
    ...(S3_ENDPOINT && { endpoint: S3_ENDPOINT, forcePathStyle: true }),
    requestChecksumCalculation: "WHEN_REQUIRED", // all that is stored has a SHA-256 of ours
    responseChecksumValidation: "WHEN_REQUIRED", // all that is read is hashed by its reader
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: (STORAGE_SECONDS * 1000) / ATTEMPTS,
      socketTimeout: STORAGE_SECONDS * 1000,
      throwOnRequestTimeout: true,
    },
  });
  measureRequests(client);
  await client.send(new HeadBucketCommand({ Bucket: S3_BUCKET })).catch((error: unknown) => {
    client.destroy();
    throw isMissing(error) ? new Error(`There is no bucket ${S3_BUCKET}. Create it, or correct S3_BUCKET.`) : error;
  });
  return client;
}

/** Measures every request with all its attempts, and what is sent. */
function measureRequests(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (sent) => {
        const request = commandName.replace(/Command$/, "");
        const beganMs = performance.now();
        const ended = (outcome: string, { attempts = 1 }: { attempts?: number | undefined } = {}) => {
          measure("storeRequests", (performance.now() - beganMs) / 1000, { request, outcome });
          if (attempts > 1) measure("storeRetries", attempts - 1, { request });
        };
        try {
          const reply = await next(sent);
          ended("ok", reply.output.$metadata);
          const { Body } = sent.input as { Body?: Uint8Array };
          if (Body) measure("storeBytes", Body.byteLength, { direction: "sent" });
          return reply;
        } catch (error) {
          ended(outcomeOf(error), (error as StoreError).$metadata);
          throw error;
        }
      },
    { step: "initialize", name: "measureRequests" },
  );
}

interface StoreError {
  name?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number; attempts?: number };
}

const statusOf = (error: unknown): number | undefined => (error as StoreError).$metadata?.httpStatusCode;
const isMissing = (error: unknown): boolean => statusOf(error) === 404 && (error as StoreError).name !== "NoSuchBucket";
/** Another request stored or replaced the object first. */
const isConflict = (error: unknown): boolean => [409, 412].includes(statusOf(error) ?? 0);

/** The SDK calls connections that were cut by the same name. */
const isTimeout = ({ name, code = "" }: StoreError): boolean =>
  code === "ETIMEDOUT" || (name === "TimeoutError" && !["ECONNRESET", "EPIPE"].includes(code));

/** What an error of a request means, as a code of the error table. */
function outcomeOf(error: unknown): "not_found" | "conflict" | "integrity_failure" | "storage_timeout" | "unavailable" {
  if (isMissing(error)) return "not_found";
  if (isConflict(error)) return "conflict";
  if ((error as StoreError).name === "BadDigest") return "integrity_failure";
  return isTimeout(error as StoreError) ? "storage_timeout" : "unavailable";
}

/** What the store answers. Rejects with `storage_timeout` if it is too slow, `unavailable` if it fails or refuses. */
async function answered<T>({ client }: Place, request: (client: S3Client) => Promise<T>): Promise<T> {
  try {
    return await request(await client());
  } catch (error) {
    const outcome = error instanceof Failure ? undefined : outcomeOf(error);
    if (outcome === undefined || outcome === "not_found" || outcome === "conflict") throw error;
    throw fail(outcome, { ...(outcome === "unavailable" && { retryAfterSeconds: 5 }), cause: error });
  }
}

interface Head {
  bytes: number;
  etag: string;
  /** Changes with every write, even of the same bytes. */
  mark: string;
  changedAtMs: number;
}

async function headOf(place: Place, key: string): Promise<Head | undefined> {
  const { HeadObjectCommand } = await sdk();
  try {
    const head = await answered(place, (s3) => s3.send(new HeadObjectCommand(nameOf(place, key))));
    const { ContentLength = 0, ETag = "", VersionId = "", LastModified } = head;
    const changedAtMs = LastModified?.getTime() ?? 0;
    return {
      bytes: ContentLength,
      etag: ETag,
      mark: [place.bucket, place.prefix + key, ETag, VersionId].join(" "),
      changedAtMs,
    };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Conditions of a write: that there is no object yet, or that it is still this one. */
type Condition = { IfNoneMatch: "*" } | { IfMatch: string };

async function put(
  place: Place,
  key: string,
  { digest, fromFile }: { digest: string; fromFile: string },
  { keep = false, copy = false }: PutOptions = {},
): Promise<void> {
  const file = await open(fromFile, "r");
  try {
    const { size } = await file.stat();
    if ((await digestOfFile(file.fd, size, new AbortController().signal)) !== digest) throw fail("integrity_failure");
    const source = { fd: file, size, digest };
    await untilStored(place, key, { digest, bytes: size }, (condition) =>
      size <= PART_BYTES ? putWhole(place, key, source, condition) : putParts(place, key, source, condition),
    );
  } finally {
    await file.close();
  }
  if (!keep && !copy) await rm(fromFile, { force: true });
}

/** Stores unless the object is there with the right bytes; one with other bytes is replaced. */
async function untilStored(
  place: Place,
  key: string,
  blob: ExpectedBlob,
  store: (condition: Condition) => Promise<void>,
): Promise<void> {
  let condition: Condition = { IfNoneMatch: "*" };
  let conflict: unknown;
  for (let attempt = 1; attempt <= PUT_ATTEMPTS; attempt += 1) {
    conflict = await conflictOf(store(condition));
    if (conflict === undefined) return;
    const head = await headOf(place, key);
    if (head && (await isSound(place, key, blob))) return;
    condition = head ? { IfMatch: head.etag } : { IfNoneMatch: "*" };
  }
  throw fail("unavailable", { retryAfterSeconds: 5, cause: conflict });
}

/** The error of a write whose condition was not met: another one stored, replaced or removed the object first. */
const conflictOf = (write: Promise<void>): Promise<unknown> =>
  write.then(
    () => undefined,
    (error: unknown) => {
      if (isConflict(error) || isMissing(error)) return error;
      throw error;
    },
  );

/** Whether the stored object has these bytes. */
async function isSound(place: Place, key: string, expected: ExpectedBlob): Promise<boolean> {
  try {
    await (await verified(() => openObject(place, key), expected, { ranged: true })).close();
    return true;
  } catch (error) {
    if (error instanceof Failure && error.code === "integrity_failure") return false;
    throw error;
  }
}

interface Source {
  fd: { read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }> };
  size: number;
  digest: string;
}

async function readPart({ fd }: Source, start: number, length: number): Promise<Buffer> {
  const part = sharedBuffer(length);
  for (let at = 0; at < length; ) {
    const { bytesRead } = await fd.read(part, at, length - at, start + at);
    if (bytesRead === 0) throw fail("integrity_failure"); // the file has become shorter
    at += bytesRead;
  }
  return part;
}

const base64Of = (digest: string): string => Buffer.from(digest, "hex").toString("base64");

/** The store compares the bytes that it receives with their SHA-256. */
async function putWhole(place: Place, key: string, source: Source, condition: Condition): Promise<void> {
  const { PutObjectCommand } = await sdk();
  const Body = await readPart(source, 0, source.size);
  const object = { ...nameOf(place, key), Body, ChecksumSHA256: base64Of(source.digest), ...condition };
  await answered(place, (s3) => s3.send(new PutObjectCommand(object)));
}

/** Each part is compared by the store, the whole by us before it becomes an object. */
async function putParts(place: Place, key: string, source: Source, condition: Condition): Promise<void> {
  const { AbortMultipartUploadCommand, CompleteMultipartUploadCommand, CreateMultipartUploadCommand } = await sdk();
  const object = nameOf(place, key);
  const begun = await answered(place, (s3) =>
    s3.send(new CreateMultipartUploadCommand({ ...object, ChecksumAlgorithm: "SHA256" })),
  );
  const upload = { ...object, UploadId: begun.UploadId };
  try {
    const Parts = await sendParts(place, upload, source);
    await answered(place, (s3) =>
      s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts }, ...condition })),
    );
  } catch (error) {
    // what cannot be ended now is found as a stray
    await answered(place, (s3) => s3.send(new AbortMultipartUploadCommand(upload))).catch(() => undefined);
    throw error;
  }
}

async function sendParts(
  place: Place,
  upload: { Bucket: string; Key: string; UploadId: string | undefined },
  source: Source,
): Promise<CompletedPart[]> {
  const { UploadPartCommand } = await sdk();
  const partBytes = Math.max(PART_BYTES, Math.ceil(source.size / PARTS_MAX));
  const whole = new ThreadHash();
  const parts: CompletedPart[] = [];
  try {
    for (let start = 0; start < source.size; start += partBytes) {
      const Body = await readPart(source, start, Math.min(partBytes, source.size - start));
      const [ChecksumSHA256] = await Promise.all([digestOfPart(Body), whole.update(Body)]);
      const part = { PartNumber: parts.length + 1, ChecksumSHA256 };
      const { ETag } = await answered(place, (s3) => s3.send(new UploadPartCommand({ ...upload, ...part, Body })));
      parts.push({ ...part, ETag });
    }
    if ((await whole.digest()) !== source.digest) throw fail("integrity_failure"); // the file has changed
    return parts;
  } finally {
    whole.release();
  }
}

async function digestOfPart(part: Buffer): Promise<string> {
  const hash = new ThreadHash();
  try {
    await hash.update(part);
    return base64Of(await hash.digest());
  } finally {
    hash.release();
  }
}

async function openObject(place: Place, key: string): Promise<BlobHandle> {
  const head = await headOf(place, key);
  if (!head) throw Object.assign(new Error("There is no such object"), { code: "ENOENT" });
  return new ObjectHandle(place, key, head);
}

type Body = NonNullable<GetObjectCommandOutput["Body"]> & AsyncIterable<Buffer> & { destroy(): void };

/** The rest of a range that was requested. */
interface OpenRange {
  position: number;
  end: number;
  body: Body;
  chunks: AsyncIterator<Buffer>;
  /** Received and not yet read. */
  buffered: Buffer;
  /** How long the store may still take for the rest. */
  leftMs: number;
}

/** Reads of one object, as it was when it was opened. Sequential reads share a growing range. */
class ObjectHandle implements BlobHandle {
  readonly bytes: number;
  #range: OpenRange | undefined;
  #rangeBytes = 0;
  /** Attempts that failed since a range was received completely. */
  #failures = 0;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly place: Place,
    private readonly key: string,
    private readonly head: Head,
  ) {
    this.bytes = head.bytes;
  }

  identity(): { mark: string; changedAtMs: number } {
    return { mark: this.head.mark, changedAtMs: this.head.changedAtMs };
  }

  /** One read at a time: each continues where the one before has ended. */
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
    const read = this.#reading.then(() => this.#read(buffer.subarray(offset, offset + length), position));
    this.#reading = read.catch(() => undefined);
    return read;
  }

  async close(): Promise<void> {
    await this.#reading;
    this.#drop();
  }

  async #read(target: Buffer, position: number): Promise<{ bytesRead: number }> {
    if (target.length === 0 || position >= this.bytes) return { bytesRead: 0 };
    for (;;) {
      try {
        const range = await this.#rangeAt(position, target.length);
        if (range.buffered.length === 0) range.buffered = await nextChunk(range);
        const bytesRead = range.buffered.copy(target);
        range.buffered = range.buffered.subarray(bytesRead);
        range.position += bytesRead;
        if (range.position === range.end) this.#failures = 0;
        return { bytesRead };
      } catch (error) {
        this.#drop();
        this.#countFailure(error);
      }
    }
  }

  /** Throws if the range cannot be asked for again. */
  #countFailure(error: unknown): void {
    if (error instanceof Failure || isMissing(error) || isConflict(error)) throw staleOr(error);
    this.#failures += 1;
    if (this.#failures >= READ_ATTEMPTS) throw fail("unavailable", { retryAfterSeconds: 5, cause: error });
  }

  async #rangeAt(position: number, wanted: number): Promise<OpenRange> {
    const open = this.#range;
    if (open?.position === position && position < open.end) return open;
    const isSequential = open?.position === position;
    this.#drop();
    this.#rangeBytes = isSequential ? Math.min(RANGE_BYTES_MAX, this.#rangeBytes * 4) : 0;
    this.#rangeBytes = Math.max(this.#rangeBytes, wanted);
    const end = Math.min(this.bytes, position + this.#rangeBytes);
    const { GetObjectCommand } = await sdk();
    const requested = {
      ...nameOf(this.place, this.key),
      ...{ Range: `bytes=${position}-${end - 1}`, IfMatch: this.head.etag },
    };
    const reply = await answered(this.place, (s3) => s3.send(new GetObjectCommand(requested)));
    const body = reply.Body as Body;
    if (reply.ContentRange !== `bytes ${position}-${end - 1}/${this.bytes}`) {
      body.destroy();
      throw new Error("The store sent other bytes than were requested");
    }
    const chunks = body[Symbol.asyncIterator]();
    this.#range = { position, end, body, chunks, buffered: Buffer.alloc(0), leftMs: this.place.timeoutMs };
    return this.#range;
  }

  /** Ends the reply that is being received. */
  #drop(): void {
    this.#range?.body.destroy();
    this.#range = undefined;
  }
}

async function nextChunk(range: OpenRange): Promise<Buffer> {
  for (;;) {
    const { done, value } = await inItsTime(range);
    if (done) throw new Error("The store sent fewer bytes than it has");
    if (value.length === 0) continue;
    measure("storeBytes", value.length, { direction: "received" });
    return value;
  }
}

/** The time that its reader takes between chunks is not the store's. */
async function inItsTime(range: OpenRange): Promise<IteratorResult<Buffer>> {
  const deadline = AbortSignal.timeout(Math.max(1, Math.ceil(range.leftMs)));
  const began = performance.now();
  const next = await inTime(range.chunks.next(), deadline).catch((error: unknown) => {
    throw deadline.aborted ? fail("storage_timeout", { cause: error }) : error;
  });
  range.leftMs -= performance.now() - began;
  return next;
}

/** An object that was removed or replaced while it was open. */
const staleOr = (error: unknown): unknown =>
  error instanceof Failure ? error : Object.assign(new Error("The object was replaced"), { code: "ENOENT" });

async function* objects(place: Place, prefix: string): AsyncGenerator<StoredObject> {
  const { ListObjectsV2Command } = await sdk();
  const { bucket: Bucket, prefix: own } = place;
  let next: string | undefined;
  do {
    const page = { Bucket, Prefix: own + prefix, ...(next !== undefined && { ContinuationToken: next }) };
    const { Contents = [], NextContinuationToken } = await answered(place, (s3) =>
      s3.send(new ListObjectsV2Command(page)),
    );
    for (const { Key = "", Size: bytes = 0, LastModified } of Contents)
      yield { key: Key.slice(own.length), bytes, changedAtMs: LastModified?.getTime() ?? 0 };
    next = NextContinuationToken;
  } while (next !== undefined);
}

async function* list(place: Place, prefix: string): AsyncGenerator<StoredObject> {
  for await (const found of objects(place, requireKey(prefix))) if (isKey(found.key)) yield found;
}

/** Objects whose names are no keys, and uploads in parts that were never completed. */
async function* strays(place: Place, prefix: string): AsyncGenerator<Stray> {
  for await (const { key, changedAtMs } of objects(place, requireKey(prefix)))
    if (!isKey(key)) yield { name: key, changedAtMs, remove: () => removeObject(place, key) };
  yield* unfinished(place, prefix);
}

/** Uploads in parts that were never completed. */
async function* unfinished(place: Place, prefix: string): AsyncGenerator<Stray> {
  const { AbortMultipartUploadCommand, ListMultipartUploadsCommand } = await sdk();
  const { bucket: Bucket, prefix: own } = place;
  const { Uploads = [] } = await answered(place, (s3) =>
    s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: own + prefix })),
  );
  for (const { Key = "", UploadId, Initiated } of Uploads) {
    const remove = async () =>
      void (await answered(place, (s3) => s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))));
    const name = `${Key.slice(own.length)} (incomplete upload)`;
    yield { name, changedAtMs: Initiated?.getTime() ?? 0, remove };
  }
}
