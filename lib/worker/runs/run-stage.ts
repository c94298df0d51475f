import { constants } from "node:fs";
import { copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { slugOf } from "@/lib/builds/document/read-recipe";
import type { BuildPlan, PlannedSource, StepRows } from "@/lib/builds/plan";
import { leftOutCountText } from "@/lib/describe/left-out-text";
import { leftOutText } from "@/lib/describe/step-rows-text";
import { duckdbVersion } from "@/lib/engine/duckdb/duckdb";
import { env } from "@/lib/kernel/env";
import { LEFT_OUT_CAUSES, LOSSES } from "@/lib/readers/left-out";
import { type DecodedSource, PLAN_FILE, type SandboxEvent, SandboxFailure } from "@/lib/sandbox/events";

import { runSandbox } from "@/lib/sandbox/run-sandbox";
import { PRIVATE_FOLDER } from "@/lib/storage/data-folder";
import { runsDir } from "@/lib/storage/paths";
import { withProvenPath } from "@/lib/storage/read-blob";
import type { StoredJson } from "@/lib/store/postgres/stored-json";
import { addWorkerEvent, type ClaimedRun, storeReads, type WorkerEvent } from "@/lib/store/runs/run-claims";

import { recordUnreadable } from "@/lib/store/sources/source-reads";
import { readSources } from "@/lib/worker/sources/read-sources";
import { FetchBudget } from "@/lib/worker/sources/reading";
import { finishRun, sealSameBytes } from "./finish-run";
import { cleanText, type Interrupted, RunFailure } from "./run-failure";
import type { Pulse, Stage } from "./run-job";
import { materialOf, type RunMaterial, rawDigest, repeats, runBefore } from "./run-material";
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
    const say = (event: WorkerEvent) => addWorkerEvent(run, event, new Date());
    pulse.progress({ phase: "fetch", done: 0, of: null, unit: "bytes" });
    const reading = { material, folder, pulse, say, budget: await FetchBudget.open(run.workspaceId) };
    const sources = await readSources(reading);
    if (material.mode === "full")
      await storeReads(run, { ...(run.plan as StoredJson), sources } as unknown as StoredJson);
    const before = await runBefore(material);
    if (before?.inputs.raw === rawDigest(sources)) return await sealSameBytes(material, before, sources);
    const plan = { ...(await planOf(material, folder, sources)), ...(before && { unchangedIf: before.inputs.rows }) };
    await writeFile(join(folder, PLAN_FILE), JSON.stringify(plan), { mode: 0o600 });
    const outcome = await build({ folder, plan, program }, pulse, say);
    await finishRun({ material, folder, plan, outcome }, before);
    await forgetRecords(folder);
  } finally {
    await removeRunFolder(folder).catch(() => undefined); // without a database it is left for the upkeep
  }
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
