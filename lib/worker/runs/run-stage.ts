import { constants } from "node:fs";
import { copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { slugOf } from "@/lib/builds/document/read-recipe";
import type { BuildPlan, PlannedSource, StepRows } from "@/lib/builds/plan";
import { leftOutCountText } from "@/lib/describe/left-out-text";
import { leftOutText } from "@/lib/describe/step-rows-text";
import { duckdbVersion } from "@/lib/engine/duckdb/duckdb";
import { env } from "@/lib/kernel/env";
import { fileDigest } from "@/lib/kernel/file-digest";
import { LEFT_OUT_CAUSES, LOSSES } from "@/lib/readers/left-out";
import type { DecodedSource } from "@/lib/sandbox/decode-source";
import { PLAN_FILE, type SandboxEvent } from "@/lib/sandbox/events";
import { SandboxFailure } from "@/lib/sandbox/failure";
import { runSandbox } from "@/lib/sandbox/run-sandbox";
import { takeSnapshot } from "@/lib/sources/snapshots";
import { blobStore } from "@/lib/storage/blob-store";
import { PRIVATE_FOLDER } from "@/lib/storage/data-folder";
import { runsDir } from "@/lib/storage/paths";
import { withProvenPath } from "@/lib/storage/read-blob";
import { withTableLock } from "@/lib/store/datasets/versions";
import type { StoredJson } from "@/lib/store/postgres/stored-json";
import { addWorkerEvent, type ClaimedRun, storeReads, type WorkerEvent } from "@/lib/store/runs/run-claims";
import type { StoredRun } from "@/lib/store/runs/runs";
import { storeFailure } from "@/lib/store/runs/samples";
import { recordUnreadable } from "@/lib/store/sources/source-reads";
import type { Pulse } from "@/lib/worker/heartbeat";
import { FetchBudget } from "@/lib/worker/sources/fetch-budget";
import { type Reading, readSources } from "@/lib/worker/sources/read-sources";
import type { BuildOutput } from "./build-output";
import { finishFull } from "./finish-full";
import { finishSample } from "./finish-sample";
import { cleanText, type Interrupted, RunFailure } from "./run-failure";
import { materialOf, type RunMaterial, repeats, requireRunnable } from "./run-material";
import { builtTables, resultFor, storeTable } from "./run-outcome";
import { inputsOf, type RunBefore, rawDigest, recordSame, runBefore, sealSameBytes, sealUnchanged } from "./same-rows";
import type { Stage } from "./stage";
import { tableArtifact, textArtifacts } from "./text-artifacts";
import { forgetRecords, removeRunFolder } from "./unrecorded";

const SAMPLE_ROWS = 10_000;
const READERS = 1;

/**
 * Reads sources into raw files, runs the sandbox and records its output. The run's folder is removed afterwards.
 * `program` is the compiled sandbox; the one next to the compiled worker if absent.
 */
export const stageWith =
  (program?: string): Stage =>
  (run, pulse) =>
    workIn(run, pulse, program);

async function workIn(run: ClaimedRun, pulse: Pulse, program: string | undefined): Promise<void> {
  const folder = join(runsDir(), `${run.id}.${run.fence}`);
  await mkdir(join(folder, "raw"), PRIVATE_FOLDER);
  try {
    const material = await materialOf(run);
    await requireRunnable(material);
    const say = (event: WorkerEvent) => addWorkerEvent(run, event, new Date());
    pulse.progress({ phase: "fetch", done: 0, of: null, unit: "bytes" });
    const reading = { material, folder, pulse, say, budget: await FetchBudget.open(run.workspaceId) };
    const sources = material.replayed ? await replaySources(reading, material.replayed) : await readSources(reading);
    if (material.mode === "full")
      await storeReads(run, { ...(run.plan as StoredJson), sources } as unknown as StoredJson);
    const before = await runBefore(material);
    if (before?.inputs.raw === rawDigest(sources)) return await sealSameBytes(material, before, sources);
    const plan = { ...(await planOf(material, folder, sources)), ...(before && { unchangedIf: before.inputs.rows }) };
    await writeFile(join(folder, PLAN_FILE), JSON.stringify(plan), { mode: 0o600 });
    const outcome = await build({ folder, plan, program }, pulse, say);
    const output = { material, folder, plan, outcome };
    if (outcome.build?.failure) await storeFailed(output);
    await finish(output, before);
    await forgetRecords(folder);
  } finally {
    await removeRunFolder(folder).catch(() => undefined); // without a database it is left for the upkeep
  }
}

async function finish(output: BuildOutput, before: RunBefore | undefined): Promise<void> {
  const { material, plan, outcome } = output;
  if (material.mode === "sample") return await finishSample(output);
  const inputs = inputsOf(plan.sources, outcome);
  if (before) await recordSame(material, before, inputs.rows);
  if (before && outcome.build === null) await sealUnchanged(material, before, { inputs, sources: plan.sources });
  else await finishFull(output, inputs);
}

async function planOf(material: RunMaterial, folder: string, sources: PlannedSource[]): Promise<BuildPlan> {
  const settings = env();
  const { mode, run, dataset, document, lock, now } = material;
  const isSample = mode === "sample";
  return {
    plan: "service-plan.v1",
    run: run.id,
    mode,
    dataset: { slug: dataset.slug, title: dataset.title },
    recipe: document.canonical,
    lock,
    sources,
    previous: repeats(material) ? {} : await copyPrevious(material, folder), // reproductions ignore what is current
    limits: {
      rows: isSample ? SAMPLE_ROWS : settings.BUILD_ROWS_MAX,
      unpackedBytes: Math.ceil(1.5 * (isSample ? settings.SOURCE_BYTES_SAMPLE : settings.SOURCE_BYTES)),
      diskMb: settings.BUILD_DISK_MB,
      seconds: isSample ? settings.BUILD_SECONDS_SAMPLE : settings.BUILD_SECONDS_FULL,
    },
    engine: { duckdb: duckdbVersion(), readers: READERS, memoryMb: memoryOf(run), threads: 1 },
    now: now.toISOString(),
  };
}

/** A refresh that is retried because it ran out of memory gets more. */
const memoryOf = ({ plan }: ClaimedRun): number => (plan as { memoryMb?: number }).memoryMb ?? env().BUILD_MEMORY_MB;

/** Runs the sandbox. Faults in the data, or an exceeded limit, become a `RunFailure`. */
async function build(
  { folder, plan, program }: { folder: string; plan: BuildPlan; program: string | undefined },
  pulse: Pulse,
  say: (event: WorkerEvent) => Promise<boolean>,
) {
  const events: Promise<unknown>[] = [];
  const onEvent = (event: SandboxEvent) => {
    const progress = progressOf(event);
    if (progress) pulse.progress(progress);
    for (const message of workerEventsOf(event)) events.push(say(message).catch(() => undefined));
  };
  const call = { folder, plan, signal: pulse.signal, onEvent, ...(program && { program }) };
  try {
    const outcome = await runSandbox(call).catch(async (error: unknown) => {
      if (!isCrash(error)) throw error;
      await say({ kind: "warning", message: "the sandbox ended unexpectedly; trying again" });
      await emptyFolder(folder);
      return runSandbox(call);
    });
    await Promise.all(events);
    return outcome;
  } catch (error) {
    if (pulse.signal.aborted) throw pulse.signal.reason as Interrupted;
    if (!(error instanceof SandboxFailure)) throw error;
    const { source, row } = error.at;
    if (source !== undefined && isUnreadable(error)) await recordUnreadable(plan.run, source, error.code);
    const location = { ...(source !== undefined && { source }), ...(row !== undefined && { row }) };
    throw new RunFailure(error.code, error.message, location);
  }
}

/** Failures that mean a source sent something other than its data, such as a sign-in page. */
const UNREADABLE: ReadonlySet<string> = new Set([
  ...(["reader_mismatch", "header_mismatch", "encoding_invalid", "archive_unsafe", "archive_member"] as const),
]);
const isUnreadable = ({ code }: SandboxFailure): boolean => UNREADABLE.has(code);

const isCrash = (error: unknown): boolean => error instanceof SandboxFailure && error.code === "sandbox_crashed";

/** Empties the folder, except for what the sandbox was given. */
async function emptyFolder(folder: string): Promise<void> {
  const inputs = new Set(["raw", "prev", PLAN_FILE]);
  for (const name of await readdir(folder))
    if (!inputs.has(name)) await rm(join(folder, name), { recursive: true, force: true });
}

function progressOf(event: SandboxEvent) {
  if ("phase" in event) return { phase: "decode", done: event.bytes, of: null, unit: "bytes" };
  if ("step" in event) return { phase: "build", done: event.step.step + 1, of: null, unit: "steps" };
  return undefined;
}

/** The words for a person in the run's events; none for mere progress. */
function workerEventsOf(event: SandboxEvent): WorkerEvent[] {
  if ("rejects" in event) {
    const { table, column, cells } = event.rejects;
    const message = cleanText(`${table}.${column}: ${cells} ${cells === 1 ? "cell" : "cells"} rejected`);
    return [{ kind: "rejects", message, data: { ...event.rejects } }];
  }
  if ("check" in event) {
    const { table, check, outcome, failures, message } = event.check;
    const text = cleanText(`${table}: ${check} ${outcome.replace("_", " ")}: ${message}`);
    return [{ kind: "check_done", message: text, data: { table, check, outcome, failures } }];
  }
  if ("decoded" in event) return decodedText(event.decoded);
  if ("step" in event) return event.step.told ? stepText(event.step.told) : [];
  if ("staged" in event) {
    const { source, rows, columns } = event.staged;
    const message = cleanText(`${source}: ${rows} rows of ${columns} columns`);
    return [{ kind: "phase", message, data: { ...event.staged } }];
  }
  return [];
}

function stepText(counts: StepRows): WorkerEvent[] {
  const leftOut = leftOutText(counts);
  const message = cleanText(`${counts.table}: step ${counts.step + 1} (${counts.kind}) ${leftOut}`);
  return leftOut === "" ? [] : [{ kind: "phase", message, data: { ...counts } }];
}

/** What a source states about its number of records, and what its reader left out. */
function decodedText({ name, remarks = [], leftOut }: DecodedSource): WorkerEvent[] {
  const doubts = remarks.map((remark): WorkerEvent => {
    const data = { source: name, warning: "total_doubtful" };
    return { kind: "warning", message: cleanText(`${name}: ${remark}`), data };
  });
  const counts = leftOut.map(({ cause, rows, cells, examples }): WorkerEvent => {
    const text = leftOutCountText({ words: LEFT_OUT_CAUSES[cause], rows, cells, examples });
    const message = cleanText(`${name}: ${text}`);
    return { kind: LOSSES.includes(cause) ? "rejects" : "phase", message, data: { source: name, cause, rows, cells } };
  });
  return [...doubts, ...counts];
}

const DAY_MS = 86_400_000;

/**
 * Stores what a build produced that failed because of its data: checks, rejects, and the tables that it would have
 * sealed, so that somebody can inspect the rows. Whether another worker has the run is detected when its failure is
 * written.
 */
async function storeFailed(output: BuildOutput): Promise<void> {
  const { run, dataset } = output.material;
  const tables = await builtTables(output);
  const result = await resultFor(output, tables, null);
  await withTableLock(dataset.slug, "", async () => {
    const now = new Date();
    const expiresAt = new Date(now.getTime() + env().ARTIFACT_DAYS * DAY_MS);
    for (const table of tables) await storeTable(output, table);
    const artifacts = [
      ...(await textArtifacts(output, now)),
      ...tables.map((table) => tableArtifact("candidate_table", table, expiresAt)),
    ];
    await storeFailure(run, { result, artifacts, now });
  });
}

/**
 * Copies the current releases into the run's folder. Never links them, which would share their bytes with the sandbox.
 */
async function copyPrevious({ dataset, document }: RunMaterial, folder: string): Promise<Record<string, string>> {
  const previous: Record<string, string> = {};
  await mkdir(join(folder, "prev"), { recursive: true });
  for (const [at, table] of document.recipe.tables.entries()) {
    const current = dataset.tables.find(({ slug }) => slug === slugOf(table))?.currentVersion;
    if (!current || table.internal) continue;
    const file = join("prev", `${at}.parquet`);
    const blob = { digest: current.digest, bytes: Number(current.bytes) };
    await withProvenPath(blob, (path) => copyFile(path, join(folder, file), constants.COPYFILE_FICLONE));
    previous[table.name] = file;
  }
  return previous;
}

/** The bytes that a full run read, by the names kept in its plan. Throws snapshot_missing, naming the source. */
async function replaySources({ material, folder, pulse, say }: Reading, replayed: StoredRun): Promise<PlannedSource[]> {
  const { sources = [] } = replayed.plan as unknown as { sources?: PlannedSource[] };
  const planned = material.document.recipe.sources.map(({ name }, at) => {
    const recorded = sources.find((source) => source.name === name);
    if (!recorded) throw gone(name, replayed);
    return { ...recorded, ordinal: at + 1 };
  });
  for (const { name, parts } of planned) {
    pulse.signal.throwIfAborted();
    for (const { file } of parts)
      if (!(await takeStored(basename(file), join(folder, file)))) throw gone(name, replayed);
    const message = `${name}: ${parts.length} kept ${parts.length === 1 ? "file" : "files"} of run ${replayed.id}`;
    await say({ kind: "source_unchanged", message, data: { source: name, replayed: replayed.id } });
  }
  return planned;
}

/** Takes a source's snapshot, or the file of a published table, verified by its digest. */
async function takeStored(digest: string, to: string): Promise<boolean> {
  if (await takeSnapshot(digest, to)) return true;
  if (!(await blobStore().stat(digest))) return false;
  await blobStore().withLocalPath(digest, (path) => copyFile(path, to, constants.COPYFILE_FICLONE));
  return (await fileDigest(to)) === digest;
}

const gone = (source: string, { finishedAt, createdAt }: StoredRun): RunFailure => {
  const day = (finishedAt ?? createdAt).toISOString().slice(0, 10);
  return new RunFailure("snapshot_missing", `The bytes of ${source} of ${day} are gone.`, { source });
};
