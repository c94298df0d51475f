import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "lossless-json";
import { readSource as readDocumentSource } from "@/lib/builds/document/source-shape";
import type { BuildPlan } from "@/lib/builds/plan";
import { duckdbVersion } from "@/lib/engine/duckdb/duckdb";
import { env } from "@/lib/kernel/env";
import { PLAN_FILE } from "@/lib/sandbox/events";
import { runSandbox } from "@/lib/sandbox/run-sandbox";
import type { InspectionFound } from "@/lib/schemas/inspection";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import { PRIVATE_FOLDER } from "@/lib/storage/data-folder";
import { runsDir } from "@/lib/storage/paths";
import type { StoredInspection } from "@/lib/store/sources/inspections";
import { RunFailure } from "@/lib/worker/runs/run-failure";
import { type FetchedHead, fetchHead } from "./inspection-head";
import { type InspectionRequest, presentFound } from "./inspection-result";

import { provePaging } from "./prove-paging";
import { type Looked, requestPages } from "./requested-pages";

const MIB = 1024 * 1024;
/** Rows of the part that was fetched, all of which a proposal must read. */
const ROWS = { quick: 1_000_000, full: 5_000_000 };
const READERS = 1;

/** Fetches the head of a source, inspects it in a sandbox and returns the findings. Removes the folder afterwards. */
export async function inspect(
  inspection: StoredInspection,
  signal: AbortSignal,
  program: string | undefined,
): Promise<InspectionFound> {
  const request = JSON.parse(inspection.request) as InspectionRequest;
  const source = sourceOf(inspection.request);
  const folder = join(runsDir(), `${inspection.id}.${inspection.fence}`);
  const look = (requested: RecipeSource, until: AbortSignal) =>
    lookAt({ inspection, request, source: requested, folder, signal: until, program });
  try {
    const first = await look(source, signal);
    const { looked, query, warning } = await requestPages(first, source, look, signal);
    const requested = source.kind === "http" ? { ...source, query: { ...source.query, ...query } } : source;
    const { looked: proven, warning: unsure } = await provePaging(looked, requested, look, signal);
    const warnings = [warning ?? [], proven.found.warnings, unsure ?? []].flat();
    return presentFound({ ...proven.found, warnings }, proven.head, withQuery(request, query));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Looking {
  inspection: StoredInspection;
  request: InspectionRequest;
  source: RecipeSource;
  folder: string;
  signal: AbortSignal;
  program: string | undefined;
}

/** One request and one inspection, in a folder that is emptied first. */
async function lookAt({ inspection, request, source, folder, signal, program }: Looking): Promise<Looked> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, "raw"), PRIVATE_FOLDER);
  const head = await fetchHead({ source, depth: request.depth, folder, inspection, signal });
  const plan = planOf(inspection.id, request, source, head);
  await writeFile(join(folder, PLAN_FILE), JSON.stringify(plan), { mode: 0o600 });
  const call = { folder, plan, signal, onEvent: () => undefined, ...(program !== undefined && { program }) };
  const { inspection: found } = await runSandbox(call);
  if (!found) throw new RunFailure("sandbox_crashed", "The sandbox returned no findings.");
  return { head, found };
}

/** The request, with the paging parameters that the source turned out to need. */
function withQuery(request: InspectionRequest, query: Readonly<Record<string, string>>): InspectionRequest {
  if (Object.keys(query).length === 0) return request;
  const { source } = request;
  return { ...request, source: { ...source, query: { ...(source.query as object | undefined), ...query } } };
}

/** The stored source with every default filled in. It was checked before it was stored. */
function sourceOf(request: string): RecipeSource {
  const { source } = parse(request) as { source: unknown };
  const { value } = readDocumentSource(source, "");
  if (!value) throw new RunFailure("internal", "The inspection's source cannot be read.");
  return value;
}

function planOf(id: string, { depth, reader }: InspectionRequest, source: RecipeSource, head: FetchedHead): BuildPlan {
  const { BUILD_DISK_MB, BUILD_MEMORY_MB, BUILD_SECONDS_SAMPLE, SOURCE_BYTES_SAMPLE } = env();
  const { file, tail, name, isWhole, headBytes, url, member, lists } = head;
  return {
    plan: "service-plan.v1",
    run: id,
    mode: "sample",
    dataset: { slug: "inspection", title: "Inspection" },
    recipe: "{}",
    lock: null,
    sources: [],
    previous: {},
    limits: {
      rows: Math.min(ROWS[depth], source.limits?.rows ?? Infinity),
      unpackedBytes: Math.min(Math.max(64 * MIB, 2 * SOURCE_BYTES_SAMPLE), source.limits?.unpacked_bytes ?? Infinity),
      diskMb: BUILD_DISK_MB,
      seconds: BUILD_SECONDS_SAMPLE,
    },
    engine: { duckdb: duckdbVersion(), readers: READERS, memoryMb: BUILD_MEMORY_MB, threads: 1 },
    now: new Date(0).toISOString(),
    inspect: {
      ...{ file, tail, name, isWhole, headBytes, url, reader, member, ...(lists && { lists }) },
      mediaType: head.read?.mediaType ?? null,
      link: head.read?.link ?? null,
      ...(head.read?.stated && { stated: head.read.stated }),
      ...(source.kind === "http" && source.pages && { hasPages: true as const }),
    },
  };
}
