import { afterAll, beforeAll, expect, test } from "vitest";
import { database } from "@/lib/store/postgres/database";
import { closeJobs, enqueueRun } from "@/lib/store/runs/jobs";
import { addWorkerEvent, claimRun, failRun } from "@/lib/store/runs/run-claims";
import { useTestState } from "@/lib/testing/database";
import { trialRuns } from "@/lib/testing/property";
import { storedRun } from "@/lib/testing/stored-run";
import { newWorkspace } from "@/lib/testing/workspace";
import type { Stage } from "./runs/run-job";
import { startWorker } from "./worker";

const CAPS = { all: 4, workspace: 2 };
const WORKSPACES = 20;
/** Half of them belong to the others, so that each has one. */
const RUNS = Math.max(trialRuns("QUEUED_RUNS", 60), 2 * WORKSPACES);

useTestState({ WORKER_RUNS: "4" });

const workspaces: string[] = [];
beforeAll(async () => {
  for (let at = 0; at < WORKSPACES; at++) workspaces.push((await newWorkspace()).workspaceId);
});
afterAll(closeJobs);

/** A queued run of its own dataset. */
async function queuedRun(workspaceId: string) {
  const { prisma } = await database();
  return prisma.$transaction(async (transaction) => {
    const run = await storedRun(transaction, workspaceId);
    await enqueueRun(transaction, run);
    return run;
  });
}

const statesOf = async (): Promise<Record<string, number>> => {
  const { prisma } = await database();
  const groups = await prisma.run.groupBy({ by: ["state"], _count: true });
  return Object.fromEntries(groups.map(({ state, _count }) => [state, _count]));
};

test("a run that replays the showcase is taken over after 15 s without a heartbeat, not before", async () => {
  const { id } = await queuedRun(workspaces[0] ?? "");
  const { prisma } = await database();
  await prisma.run.update({ where: { id }, data: { plan: { installed: {} } } });
  const at = (ms: number) => new Date(1_800_000_000_000 + ms);
  expect(await claimRun(id, "fill", CAPS, at(0))).toMatchObject({ kind: "claimed" });
  expect(await claimRun(id, "worker", CAPS, at(14_999))).toEqual({ kind: "nothing" });
  expect(await claimRun(id, "next fill", CAPS, at(15_000))).toMatchObject({ kind: "claimed", run: { attempt: 2 } });
  await prisma.run.delete({ where: { id } });
});

test("a run that was taken over rejects writes of its first worker, and the fourth attempt fails it", async () => {
  const run = await queuedRun(workspaces[0] ?? "");
  const claims = [];
  for (const worker of ["a", "b", "c"]) claims.push(await claimRun(run.id, worker, CAPS, new Date()));
  const held = claims.map((claim) => (claim.kind === "claimed" ? claim.run : undefined));
  expect(held.map((claimed) => claimed?.attempt)).toEqual([1, 2, 3]);
  const [first, , third] = held;
  if (!first || !third) throw new Error("not claimed");
  expect(await addWorkerEvent(first, { kind: "phase", message: "late" }, new Date())).toBe(false);
  expect(await failRun(first, { code: "internal", message: "late" }, new Date())).toBe(false);
  expect(await addWorkerEvent(third, { kind: "phase", message: "now" }, new Date())).toBe(true);
  expect(await claimRun(run.id, "d", CAPS, new Date())).toEqual({ kind: "nothing" });
  const { prisma } = await database();
  expect(await prisma.run.findUnique({ where: { id: run.id } })).toMatchObject({
    state: "failed",
    failureCode: "worker_lost",
  });
  const kinds = (await prisma.runEvent.findMany({ where: { runId: run.id }, orderBy: { seq: "asc" } })).map(
    ({ kind }) => kind,
  );
  expect(kinds).toEqual([
    "started",
    "worker_lost",
    "started",
    "worker_lost",
    "started",
    "phase",
    "worker_lost",
    "failed",
  ]);
});

/** Of one workspace, which initially queues half of all runs, and of the others in turn. */
function queuedWorkspaces(): string[] {
  const [greedy = "", ...others] = workspaces;
  return Array.from({ length: RUNS }, (_, at) => (at < RUNS / 2 ? greedy : (others[at % others.length] ?? "")));
}

test("runs of 20 workspaces, two workers: caps are never exceeded, nobody waits for the busiest, all end", async () => {
  const { prisma } = await database();
  await prisma.run.deleteMany();
  for (const workspaceId of queuedWorkspaces()) await queuedRun(workspaceId);
  const ends: string[] = [];
  const underWay = new Map<string, number>();
  const most = { all: 0, workspace: 0 };
  const stage: Stage = async (run) => {
    const own = (underWay.get(run.workspaceId) ?? 0) + 1;
    underWay.set(run.workspaceId, own);
    most.workspace = Math.max(most.workspace, own);
    most.all = Math.max(
      most.all,
      [...underWay.values()].reduce((sum, count) => sum + count, 0),
    );
    if (most.all > 1) both.resolve();
    await both.promise; // the first run lasts until the other worker has one too
    await statesOf();
    underWay.set(run.workspaceId, (underWay.get(run.workspaceId) ?? 1) - 1);
    await failRun(run, { code: "cancelled", message: "the end of the trial" }, new Date());
    ends.push(run.workspaceId);
    if (ends.length === RUNS) ended.resolve();
  };
  const errors: unknown[] = [];
  const both = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const workers = [await startWorker({ stage, onError: (error) => errors.push(error) })];
  workers.push(await startWorker({ stage, onError: (error) => errors.push(error) }));
  await ended.promise;
  expect(await statesOf()).toEqual({ failed: RUNS });
  for (const worker of workers) await worker.stop();
  expect(most.all).toBeGreaterThan(1);
  expect(most.all).toBeLessThanOrEqual(CAPS.all);
  expect(most.workspace).toBeLessThanOrEqual(CAPS.workspace);
  expect(new Set(ends.slice(0, ends.lastIndexOf(workspaces[0] ?? ""))).size).toBe(WORKSPACES);
  expect(errors).toEqual([]);
});
