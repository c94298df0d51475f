import { mkdirSync, readdirSync, watch } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { doctor } from "@/lib/publish/doctor";
import { verifyBlobs } from "@/lib/publish/verify";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { connectBuilder } from "@/lib/testing/builder";
import {
  databaseProcesses,
  filesHolding,
  killProcess,
  sandboxesOver,
  sandboxOf,
  useKillableState,
  WorkerProcess,
} from "@/lib/testing/killable-service";
import { trialRuns } from "@/lib/testing/property";
import { startSource } from "@/lib/testing/source-server";
import { storeSecret } from "@/lib/vault/secrets";
import type { RunState } from "@/prisma/generated/client";
import { runUpkeep } from "./upkeep";

const KILLS = trialRuns("BUILD_KILLS", 1);
const WITHIN_MS = 60_000;
/** Of a run that hangs. */
const END_MS = 240_000;
const TOKEN = "kept-secret-9d1f6c0a27";
const ROWS = 60_000;
const SETTINGS = { BUILD_RUNS_DAY: "100000", BUILD_DATASETS: "100000", WORKERS: "0" };

const source = await startSource();
const settings = { ...SETTINGS, SOURCE_PRIVATE_HOSTS: new URL(source.origin).host };
const state = useKillableState(() => settings);
let builder: Awaited<ReturnType<typeof connectBuilder>>;
let worker: WorkerProcess;

beforeAll(async () => {
  let reads = 0;
  source.answer((request, reply) => {
    expect(request.headers.authorization).toBe(`Bearer ${TOKEN}`);
    reads += 1;
    const row = (at: number) => `${at};gauge ${at % 97};${(at * 7919 + reads) % 10_007},25\n`;
    reply.writeHead(200, { "content-type": "text/csv" });
    reply.end(`id;gauge;level\n${Array.from({ length: ROWS }, (_, at) => row(at)).join("")}`);
  });
  for (const name of WATCHED) mkdirSync(join(state.folder(), name), { recursive: true, mode: 0o700 });
  builder = await connectBuilder();
  const secret = { name: "office", kind: "bearer", token: TOKEN } as const;
  await storeSecret(ADMINISTRATOR, builder.workspaceId, secret, new Date());
  const { prisma } = await database();
  await prisma.sourceCredential.updateMany({ data: { hosts: ["127.0.0.1"] } });
  worker = new WorkerProcess(settings);
});
afterAll(async () => {
  await worker?.stop();
  await builder?.close();
  await source.close();
});

const recipe = () => `
schema_version: service-recipe.v1
sources:
  - name: office
    kind: http
    url: ${source.origin}/levels.csv
    credential: office
    reader: {format: csv, options: {delimiter: ";"}}
tables:
  - name: levels
    from: office
    steps:
      - {step: parse, columns: [level], as: "decimal(12,2)", number: {decimal: ","}}
      - {step: cast, columns: {id: int32}}
      - {step: sort, by: [{column: level}]}
    columns: [{name: id, type: int32}, {name: gauge, type: string}, {name: level, type: "decimal(12,2)"}]
    primary_key: [id]
  - name: gauges
    from: levels
    steps: [{step: aggregate, group_by: [gauge], aggregates: [{function: max, column: level, as: highest}]}]
    columns: [{name: gauge, type: string}, {name: highest}]
publish: {license: CC0-1.0, publisher: {name: Office of levels}, auto_promote: true}
`;

/** Calls a tool, retrying while the database is down. */
async function call<T = Record<string, string>>(name: string, args: Record<string, unknown>): Promise<T> {
  for (;;) {
    const { structuredContent, content, isError } = await builder.client.callTool({ name, arguments: args });
    if (!isError) return structuredContent as T;
    const words = JSON.stringify(content);
    if (!words.includes("unavailable")) throw new Error(`${name}: ${words}`);
    await answered(async () => (await database()).pool.query("SELECT 1"));
  }
}

/** Starts the sample of a new dataset. */
async function startSample(): Promise<{ runId: string; slug: string }> {
  const { dataset } = await call<{ dataset: { slug: string } }>("create_dataset", { title: "Levels" });
  const args = { dataset: dataset.slug, recipe: recipe(), start: true };
  const { run } = await call<{ run: { run_id: string } }>("register_recipe", args);
  await call("confirm_run", { run_id: run.run_id, wait_ms: 0 });
  return { runId: run.run_id, slug: dataset.slug };
}

const AT_REST: readonly RunState[] = ["awaiting_approval", "sealed", "failed", "cancelled", "expired"];

const findRun = async (runId: string) => (await database()).prisma.run.findUnique({ where: { id: runId } });

/** Retries while the database is down. */
async function untilAtRest(runId: string) {
  const stateOf = () =>
    findRun(runId).then(
      (run) => run?.state,
      () => undefined,
    );
  const isAtRest = (now: RunState | undefined) => now !== undefined && AT_REST.includes(now);
  await expect.poll(stateOf, { timeout: END_MS, interval: 50 }).toSatisfy(isAtRest);
  const run = await answered(() => findRun(runId));
  if (!run) throw new Error("the run is gone");
  return run;
}

/** What the database says, with retries while it is down: its kill may come after the run's last write. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  let said: { value: T } | undefined;
  const asked = async () => {
    said = await ask().then(
      (value) => ({ value }),
      () => undefined,
    );
    return said !== undefined;
  };
  await expect.poll(asked, { timeout: END_MS, interval: 50 }).toBe(true);
  if (!said) throw new Error("the database is gone");
  return said.value;
}

const WATCHED = ["runs", "blobs", "artifacts", "snapshots"];
const OF_SANDBOX = /\/(?:cells|unpacked|out|spill|stage\.duckdb|outcome)/;

/** Calls back at each change of a file in a run, with the number of changes so far: in total, and by its sandbox. */
function watchFiles(onChange: (counts: { all: number; sandbox: number }) => void = () => undefined) {
  const counts = { all: 0, sandbox: 0 };
  const watchers = WATCHED.map((name) =>
    watch(join(state.folder(), name), { recursive: true }, (_kind, path) => {
      counts.all += 1;
      if (name === "runs" && OF_SANDBOX.test(`/${path}`)) counts.sandbox += 1;
      onChange(counts);
    }),
  );
  return { counts, close: () => watchers.forEach((watcher) => void watcher.close()) };
}

const TARGETS = ["worker", "sandbox", "database"] as const;
type Target = (typeof TARGETS)[number];
type Mode = "sample" | "full";

/** Kills it; false if it does not exist at the moment. */
function kill(target: Target, nth: number): boolean {
  if (target === "worker") worker.kill();
  if (target === "sandbox") {
    const pid = sandboxOf(worker.pid);
    return pid !== undefined && killProcess(pid);
  }
  if (target === "database") {
    const { server, clients } = databaseProcesses(state.folder());
    return killProcess(nth % 4 < 2 ? server : (clients[nth % clients.length] ?? server));
  }
  return true;
}

let dataset = "";
let baseline: Record<Mode, { all: number; sandbox: number }>;
const start = async (mode: Mode): Promise<string> =>
  mode === "sample" ? (await startSample()).runId : (await call<{ run_id: string }>("start_run", { dataset })).run_id;

interface Outcome {
  target: Target;
  mode: Mode;
  at: string;
  end: string;
  attempts: number;
  ms: number;
}

/** Kills it after this share of a run's file changes; undefined if the run ended before that. */
async function killAt(target: Target, nth: number, share: number): Promise<Outcome | undefined> {
  const mode = nth % 2 === 0 ? "full" : "sample";
  const counted = target === "sandbox" ? "sandbox" : "all";
  const wanted = Math.max(1, Math.floor(baseline[mode][counted] * share));
  let killedAt: number | undefined;
  const watching = watchFiles((counts) => {
    if (killedAt === undefined && counts[counted] >= wanted && kill(target, nth)) killedAt = performance.now();
  });
  const runId = await start(mode);
  const run = await untilAtRest(runId);
  const endedAt = performance.now();
  watching.close();
  if (killedAt === undefined) return undefined;
  const end = run.state === "failed" ? `failed: ${run.failureCode}` : run.state;
  const at = `${Math.round(share * 100)}%`;
  const attempts = await answered(() => attemptsOf(runId));
  return { target, mode, at, end, attempts, ms: Math.round(endedAt - killedAt) };
}

async function attemptsOf(runId: string): Promise<number> {
  const { prisma } = await database();
  return prisma.runEvent.count({ where: { runId, kind: { in: ["started", "warning"] } } });
}

/** Nothing is half-finished, and nothing is left behind. */
async function expectWhole(): Promise<void> {
  await expect.poll(() => sandboxesOver(state.folder())).toEqual([]);
  await answered(() => runUpkeep(new Date())); // as the worker does: again at the next interval
  const { prisma } = await database();
  expect(readdirSync(join(state.folder(), "runs"))).toEqual([]);
  const found = await doctor({ fix: true, olderThanMs: 0 });
  expect(found.filter(({ problem }) => problem !== "temp_leftover")).toEqual([]);
  expect((await verifyBlobs()).bad).toEqual([]);
  const filesOf = (name: string) =>
    readdirSync(join(state.folder(), name), { recursive: true, encoding: "utf8" }).flatMap((path) =>
      path.includes("/") ? [path.slice(3)] : [],
    );
  const [artifacts, snapshots] = [await prisma.runArtifact.findMany(), await prisma.sourceSnapshot.findMany()];
  const named = (rows: readonly { digest: string }[]) => new Set(rows.map(({ digest }) => digest));
  expect(filesOf("artifacts").filter((name) => !named(artifacts).has(name))).toEqual([]);
  expect(filesOf("snapshots").filter((name) => !named(snapshots).has(name))).toEqual([]);
  const runs = await prisma.run.findMany({ include: { releases: true } });
  const wrong = runs.filter(({ releases, outcome, kind, state: end }) => {
    const isReleased = end === "sealed" && outcome === "released";
    return releases.length !== (isReleased ? 2 : 0) && kind !== "replay";
  });
  expect(wrong).toEqual([]);
  expect(await prisma.version.count()).toBe(await prisma.release.count());
}

/** A row of the trial's table. */
const lineOf = ({ target, mode, at, end, attempts, ms }: Outcome): string =>
  `${target.padEnd(9)} ${mode.padEnd(7)} at ${at.padStart(4)}: ${end}, ${attempts} attempts, ${ms} ms`;

/** One run of each mode without a kill, to find how many file changes it has. */
async function measure(): Promise<void> {
  const ofSample = watchFiles();
  const { runId, slug } = await startSample();
  const { state: sampled, recipeDigest } = await untilAtRest(runId);
  expect(sampled).toBe("awaiting_approval");
  ofSample.close();
  await call("approve_full_run", { run_id: runId, recipe_digest: recipeDigest });
  expect(await untilAtRest(runId)).toMatchObject({ state: "sealed" });
  await call("promote_table", { dataset: slug });
  dataset = slug;
  const ofFull = watchFiles();
  expect(await untilAtRest(await start("full"))).toMatchObject({ state: "sealed", outcome: "released" });
  ofFull.close();
  baseline = { sample: ofSample.counts, full: ofFull.counts };
}

/** Moves nearer to the run's beginning if the run had already ended. */
async function killOnce(target: Target, nth: number): Promise<Outcome> {
  for (let share = (nth + 0.5) / KILLS; ; share *= 0.8) {
    const outcome = await killAt(target, nth, share);
    if (outcome) return outcome;
  }
}

/** By target: the number of kills, how the runs ended, and the longest time from the kill to the end. */
function summaryOf(outcomes: readonly Outcome[]): string {
  const lines = TARGETS.map((target) => {
    const own = outcomes.filter((outcome) => outcome.target === target);
    const failed = own.filter(({ end }) => end.startsWith("failed")).length;
    const slowest = Math.max(...own.map(({ ms }) => ms));
    return `${target}: ${own.length} kills, ${own.length - failed} went on, ${failed} failed by name, at most ${slowest} ms`;
  });
  return `${lines.join("\n")}\n`;
}

const NAMED_END = /^(?:sealed|awaiting_approval|failed: (?!internal))/;

test("a run continues, or fails by name, whoever is killed; nothing is half done", { timeout: 3_600_000 }, async () => {
  await measure();
  const outcomes: Outcome[] = [];
  for (const target of TARGETS)
    for (let nth = 0; nth < KILLS; nth += 1) {
      const outcome = await killOnce(target, nth);
      outcomes.push(outcome);
      process.stdout.write(`${lineOf(outcome)}\n`);
      expect(outcome, worker.output).toMatchObject({ end: expect.stringMatching(NAMED_END) });
      await expectWhole();
    }
  process.stdout.write(summaryOf(outcomes));
  expect(outcomes.filter(({ ms }) => ms > WITHIN_MS)).toEqual([]);
  expect(await filesHolding(state.folder(), TOKEN)).toEqual([]);
  expect(worker.output).not.toContain(TOKEN);
});
