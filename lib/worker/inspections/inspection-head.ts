import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { env } from "@/lib/kernel/env";
import type { HttpSource, PackageSource, RecipeSource, UploadSource } from "@/lib/schemas/recipe-source";
import type { SourceCredential } from "@/lib/sources/credential";
import { partitionRequests } from "@/lib/sources/partition-requests";
import { firstPage } from "@/lib/sources/read-pages";
import { type ReadingContext, readSource, type SourceRead, type SourceReading } from "@/lib/sources/read-source";
import { readTail } from "@/lib/sources/read-tail";
import type { StoredInspection } from "@/lib/store/sources/inspections";
import { RunFailure } from "@/lib/worker/runs/run-failure";
import { callOf } from "@/lib/worker/sources/http-source";
import { readFromRegistry } from "@/lib/worker/sources/read-sources";
import { contextOf, FetchBudget, IDLE_MS, sourceCredential } from "@/lib/worker/sources/reading";

import { copyUploadHead } from "./upload-head";

/** What was fetched from a source. Paths are relative to the folder. */
export interface FetchedHead {
  file: string;
  tail: string | null;
  name: string;
  isWhole: boolean;
  /** How many bytes of it are unpacked. */
  headBytes: number;
  /** Null for an upload. */
  url: string | null;
  member: string | null;
  /** Set if a package's files are listed. */
  lists?: true;
  /** The length of the entire source; null if unknown. */
  length: number | null;
  /** The reply; null for an upload. */
  read: SourceRead | null;
  bytesRead: number;
  seconds: number;
}

export interface Fetching {
  source: RecipeSource;
  depth: "quick" | "full";
  folder: string;
  inspection: StoredInspection;
  signal: AbortSignal;
}

const HEAD_BYTES = 2 * 1024 * 1024;
const TAIL_BYTES = 64 * 1024;
const SECONDS = { quick: 30, full: 60 };
/** Signatures of files that cannot be inspected from their beginning: zip files, workbooks among them, and Parquet. */
const WHOLE_SIGNS = ["PK\x03\x04", "PAR1"];
const PACKED_TAR = /\.(?:tgz|tar\.gz|tar\.zst|tar)$/i;
const FILE = join("raw", "head");
const TAIL = join("raw", "tail");

/** Reads the beginning of a source, all of it if it cannot be inspected otherwise, and its end if that is cheap. */
export async function fetchHead(fetching: Fetching): Promise<FetchedHead> {
  const { inspection } = fetching;
  const startedAt = performance.now();
  const budget = await FetchBudget.open(inspection.workspaceId);
  try {
    const head = await headOf(fetching, contextOf({ pulse: fetching, budget }));
    return { ...head, seconds: Math.round(performance.now() - startedAt) / 1000 };
  } finally {
    await budget.record();
  }
}

type Head = Omit<FetchedHead, "seconds">;

function headOf(fetching: Fetching, context: ReadingContext): Promise<Head> {
  const { source } = fetching;
  switch (source.kind) {
    case "http":
      return httpHead(source, fetching, context);
    case "package":
      return packageHead(source, fetching, context);
    case "upload":
      return uploadHead(source, fetching);
    default:
      throw new RunFailure("source_refused", `Sources of kind ${source.kind} cannot be inspected.`);
  }
}

async function httpHead(
  source: HttpSource,
  { folder, depth, inspection }: Fetching,
  context: ReadingContext,
): Promise<Head> {
  const request = partitionRequests(source, inspection.createdAt, "UTC").at(-1);
  const { url } = request ?? { url: "" };
  const { SOURCE_BYTES_SAMPLE } = env();
  const headBytes = headBytesOf(depth);
  const target = request ?? { url, body: undefined };
  const first = source.pages ? firstPage({ ...callOf(source, target, undefined), pages: source.pages }) : target;
  const call = callOf(source, first, await credentialOf(source, inspection));
  const path = join(folder, FILE);
  const limits = { bytes: headBytes, idleMs: IDLE_MS, mayCut: true, seconds: SECONDS[depth] };
  const reading: SourceReading = { ...call, path, limits, retriesMax: 1 };
  let read = await readSource(reading, context);
  let bytesRead = read.bytes;
  if (read.isCut && headBytes < SOURCE_BYTES_SAMPLE && (await needsWhole(path, nameOf(url)))) {
    const whole = { ...limits, bytes: SOURCE_BYTES_SAMPLE, seconds: SECONDS.full };
    read = await readSource({ ...reading, limits: whole }, context);
    bytesRead += read.bytes;
  }
  const wantsTail = read.isCut && read.hasRanges && call.body === undefined;
  const tail = { ...call, path: join(folder, TAIL), bytes: TAIL_BYTES, idleMs: IDLE_MS, etag: read.etag };
  const hasTail = wantsTail && (await readTail(tail, context));
  return {
    ...{ file: FILE, tail: hasTail ? TAIL : null, name: nameOf(url), isWhole: !read.isCut, headBytes, url },
    ...{ member: source.archive?.member ?? null, read, length: read.length },
    bytesRead: bytesRead + (hasTail ? TAIL_BYTES : 0),
  };
}

function headBytesOf(depth: Fetching["depth"]): number {
  const { SOURCE_BYTES_SAMPLE } = env();
  return depth === "quick" ? Math.min(HEAD_BYTES, SOURCE_BYTES_SAMPLE) : SOURCE_BYTES_SAMPLE;
}

async function uploadHead(source: UploadSource, { folder, depth, inspection }: Fetching): Promise<Head> {
  const headBytes = headBytesOf(depth);
  const wholeBytes = env().SOURCE_BYTES_SAMPLE;
  const files = { folder, file: FILE, tail: TAIL, needsWhole };
  const sizes = { headBytes, tailBytes: TAIL_BYTES, wholeBytes };
  const found = await copyUploadHead(source, inspection.workspaceId, { ...files, ...sizes });
  const { name, isWhole, hasTail, bytes, bytesRead } = found;
  return {
    ...{ file: FILE, tail: hasTail ? TAIL : null, name, isWhole, headBytes, url: null, length: bytes, bytesRead },
    ...{ member: source.archive?.member ?? null, read: null },
  };
}

const credentialOf = async (
  { credential }: HttpSource,
  { id, workspaceId }: StoredInspection,
): Promise<SourceCredential | undefined> =>
  credential === undefined ? undefined : sourceCredential(credential, { workspaceId, usedBy: `inspection ${id}` });

async function packageHead(source: PackageSource, { folder }: Fetching, context: ReadingContext): Promise<Head> {
  const path = join(folder, "raw", "package");
  const { SOURCE_BYTES, PACKAGE_REGISTRY } = env();
  const limits = { bytes: SOURCE_BYTES, idleMs: IDLE_MS, mayCut: false, seconds: SECONDS.full };
  const read = await readFromRegistry({ source, registry: PACKAGE_REGISTRY, path, limits }, context);
  await rename(path, join(folder, FILE));
  const about = {
    file: FILE,
    tail: null,
    name: source.path ?? "",
    isWhole: true,
    headBytes: env().SOURCE_BYTES_SAMPLE,
  };
  const wanted = source.path ?? source.paths;
  const chosen = wanted === undefined ? { member: null, lists: true as const } : { member: `package/${wanted}` };
  return { ...about, ...chosen, url: read.finalAddress, read, length: read.length, bytesRead: read.bytes };
}

async function needsWhole(path: string, name: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return PACKED_TAR.test(name) || WHOLE_SIGNS.includes(buffer.toString("latin1"));
  } finally {
    await file.close();
  }
}

/** The last segment of a URL's path. */
function nameOf(url: string): string {
  const { pathname } = new URL(url);
  return pathname.slice(pathname.lastIndexOf("/") + 1).slice(0, 200);
}
