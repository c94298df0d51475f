import { afterAll, expect, test } from "vitest";
import { database } from "@/lib/store/postgres/database";
import { storeSchedule, wakeForRelease, wakeForUpload } from "@/lib/store/recipes/schedules";
import { closeJobs } from "@/lib/store/runs/jobs";
import { useTestState } from "@/lib/testing/database";
import { httpSource, type RecipeSketch, type RecordedDataset, recordedDataset } from "@/lib/testing/recorded-dataset";
import { runSchedules } from "./run-schedules";

useTestState({ BUILD_RUNS_DAY: "3" });
afterAll(closeJobs);

const at = (text: string): Date => new Date(`${text.includes("T") ? text : `${text}T00:00`}Z`);
const DAILY = { refresh: { every: "P1D", anchor: "2026-01-01T06:00" } };
const MONTHLY = { every: "P1M", anchor: "2026-01-20T00:00" };
/** Times are given without the few minutes by which a dataset's readings are delayed. */
const hour = (time: Date | null | undefined) => time?.toISOString().slice(0, 13);

async function scheduleOf({ datasetId }: RecordedDataset) {
  const { prisma } = await database();
  return prisma.schedule.findUniqueOrThrow({ where: { datasetId } });
}

async function runsOf({ datasetId }: RecordedDataset) {
  const { prisma } = await database();
  return prisma.run.findMany({ where: { datasetId, trigger: { not: "person" } }, orderBy: { createdAt: "asc" } });
}

const latest = async (dataset: RecordedDataset) => (await runsOf(dataset)).at(-1);

/** Ends the run that is under way. */
async function end(dataset: RecordedDataset, finishedAt: Date, failureCode?: string, status?: number): Promise<void> {
  const { prisma } = await database();
  const run = await latest(dataset);
  if (!run) throw new Error("no run");
  const state = failureCode === undefined ? ("sealed" as const) : ("failed" as const);
  await prisma.run.update({ where: { id: run.id }, data: { state, finishedAt, failureCode: failureCode ?? null } });
  const event = {
    runId: run.id,
    seq: 50,
    at: finishedAt,
    kind: "failed",
    message: "",
    data: { status: status ?? null },
  };
  if (failureCode !== undefined) await prisma.runEvent.create({ data: event });
}

async function planned(sketch: RecipeSketch = DAILY, now = "2026-01-01"): Promise<RecordedDataset> {
  const dataset = await recordedDataset(sketch, at("2026-01-01"));
  await runSchedules(at(now));
  return dataset;
}

test("an approved recipe's ticks each start one run, and a long suspension only one", async () => {
  const dataset = await planned();
  expect(hour((await scheduleOf(dataset)).nextAt)).toBe("2026-01-01T06");
  await runSchedules(at("2026-01-01T05:59"));
  expect(await runsOf(dataset)).toEqual([]);
  await Promise.all([1, 2, 3].map(() => runSchedules(at("2026-01-01T06:10")))); // several workers
  expect(await runsOf(dataset)).toMatchObject([{ kind: "refresh", trigger: "schedule", state: "queued_full" }]);
  await end(dataset, at("2026-01-01T06:12"));
  await runSchedules(at("2026-01-01T06:13"));
  expect(hour((await scheduleOf(dataset)).nextAt)).toBe("2026-01-02T06");
  await runSchedules(at("2026-01-09T12:00")); // a week later
  await runSchedules(at("2026-01-09T12:01"));
  expect(await runsOf(dataset)).toHaveLength(2);
  expect(hour((await scheduleOf(dataset)).nextAt)).toBe("2026-01-10T06");
});

test("a time that comes while a run is under way starts one run once it ends, not more", async () => {
  const dataset = await planned();
  await runSchedules(at("2026-01-01T06:10"));
  for (const now of ["2026-01-02T06:11", "2026-01-03T06:11", "2026-01-03T07:00"]) await runSchedules(at(now));
  expect(await runsOf(dataset)).toHaveLength(1);
  await end(dataset, at("2026-01-03T07:30"));
  await runSchedules(at("2026-01-03T07:31"));
  expect(await runsOf(dataset)).toHaveLength(2);
  await end(dataset, at("2026-01-03T07:32"));
  await runSchedules(at("2026-01-03T07:33"));
  expect(await runsOf(dataset)).toHaveLength(2);
  expect(hour((await scheduleOf(dataset)).nextAt)).toBe("2026-01-04T06");
});

test("temporary failures are retried after 5, 15 and 60 minutes, then at the next tick", async () => {
  const dataset = await planned();
  await runSchedules(at("2026-01-01T06:10"));
  const times = [];
  for (const failed of ["06:20", "06:30", "06:50", "08:00"]) {
    const finishedAt = at(`2026-01-01T${failed}`);
    await end(dataset, finishedAt, "source_timeout");
    await runSchedules(finishedAt);
    const { wakeAt, nextAt } = await scheduleOf(dataset);
    times.push((wakeAt ?? nextAt)?.toISOString().slice(0, wakeAt ? 16 : 13));
    const { prisma } = await database();
    await prisma.buildUsage.deleteMany();
    await runSchedules(wakeAt ?? at("2026-01-02T06:10"));
  }
  expect(times).toEqual(["2026-01-01T06:25", "2026-01-01T06:45", "2026-01-01T07:50", "2026-01-02T06"]);
  expect((await scheduleOf(dataset)).failuresInRow).toBe(4);
  await end(dataset, at("2026-01-02T06:12"));
  await runSchedules(at("2026-01-02T06:13"));
  expect(await scheduleOf(dataset)).toMatchObject({ failuresInRow: 0, wakeAt: null });
});

test.each([
  ["source_status", 503, true],
  ["source_status", 404, false],
  ["check_failed", undefined, false],
] as const)("a run that failed with %s (%s) is retried: %s", async (code, status, isRetried) => {
  const dataset = await planned();
  await runSchedules(at("2026-01-01T06:10"));
  await end(dataset, at("2026-01-01T06:20"), code, status);
  await runSchedules(at("2026-01-01T06:21"));
  expect((await scheduleOf(dataset)).wakeAt).toEqual(isRetried ? at("2026-01-01T06:25") : null);
  const { prisma } = await database();
  const { id } = (await latest(dataset)) ?? { id: "" };
  expect(await prisma.runEvent.count({ where: { runId: id, kind: "retry_planned" } })).toBe(isRetried ? 1 : 0);
});

test("a refresh that ran out of memory is retried with more, once", async () => {
  const dataset = await planned();
  const { prisma } = await database();
  const memory = async () => ((await latest(dataset))?.plan as { memoryMb?: number } | undefined)?.memoryMb;
  await runSchedules(at("2026-01-01T06:10"));
  expect(await memory()).toBeUndefined();
  await end(dataset, at("2026-01-01T06:20"), "memory_exceeded");
  await runSchedules(at("2026-01-01T06:21"));
  expect((await scheduleOf(dataset)).wakeAt).toEqual(at("2026-01-01T06:25"));
  await runSchedules(at("2026-01-01T06:26"));
  expect(await memory()).toBe(1536);
  await end(dataset, at("2026-01-01T06:30"), "memory_exceeded");
  await runSchedules(at("2026-01-01T06:31"));
  expect((await scheduleOf(dataset)).wakeAt).toBeNull();
  await prisma.buildUsage.deleteMany();
  await runSchedules(at("2026-01-02T06:10"));
  expect([(await runsOf(dataset)).length, await memory()]).toEqual([3, undefined]);
});

test("after ten failures in a row a schedule reads once a day, and pauses after thirty days of that", async () => {
  const dataset = await planned({ refresh: { every: "PT1H", anchor: "2026-01-01T00:00" } });
  const { prisma } = await database();
  await runSchedules(at("2026-01-01T01:10"));
  const fail = async (finishedAt: Date) => {
    await prisma.buildUsage.deleteMany();
    await end(dataset, finishedAt, "check_failed");
    await runSchedules(finishedAt);
    return scheduleOf(dataset);
  };
  let now = at("2026-01-01T01:11");
  for (let failure = 1; failure <= 9; failure += 1) {
    const { nextAt, slowedAt } = await fail(now);
    expect(slowedAt).toBeNull();
    await runSchedules(nextAt ?? now);
    now = new Date((nextAt?.getTime() ?? 0) + 60_000);
  }
  const slowed = await fail(now);
  expect(slowed.slowedAt).toEqual(now);
  expect((slowed.nextAt?.getTime() ?? 0) - now.getTime()).toBe(86_400_000);
  const month = new Date(now.getTime() + 30 * 86_400_000);
  await runSchedules(month);
  expect(await fail(new Date(month.getTime() + 1000))).toMatchObject({ pausedReason: "failing" });
  const count = (await runsOf(dataset)).length;
  await runSchedules(new Date(month.getTime() + 90 * 86_400_000));
  expect(await runsOf(dataset)).toHaveLength(count);
  const audit = await prisma.auditEvent.findFirst({ where: { action: "schedule.paused", subject: dataset.slug } });
  expect(audit).toMatchObject({ actor: "service", details: { reason: "failing" } });
});

test("sources are not read for a workspace whose plan has ended, and again once it is paid for", async () => {
  const dataset = await planned();
  const { prisma } = await database();
  const where = { id: dataset.workspaceId };
  await prisma.workspace.update({ where, data: { plan: "free" } });
  await runSchedules(at("2026-01-01T06:10"));
  expect(await scheduleOf(dataset)).toMatchObject({ pausedReason: "plan_ended" });
  await prisma.workspace.update({ where, data: { plan: "paid" } });
  await runSchedules(at("2026-01-05T07:00"));
  const resumed = await scheduleOf(dataset);
  expect([resumed.pausedAt, hour(resumed.nextAt)]).toEqual([null, "2026-01-06T06"]);
  expect(await runsOf(dataset)).toEqual([]);
});

test("an approval that is 400 days old starts no run", async () => {
  const dataset = await planned();
  await runSchedules(at("2027-02-06T07:00"));
  expect(await scheduleOf(dataset)).toMatchObject({ pausedReason: "approval_expired" });
  expect(await runsOf(dataset)).toEqual([]);
});

test("a quota that is used up holds the schedule until midnight, and is reported", async () => {
  const dataset = await planned();
  const { prisma } = await database();
  const day = at("2026-01-01");
  await prisma.buildUsage.create({ data: { workspaceId: dataset.workspaceId, day, runs: 3 } });
  await runSchedules(at("2026-01-01T06:10"));
  expect(await scheduleOf(dataset)).toMatchObject({ heldReason: "daily_quota_exhausted", nextAt: at("2026-01-02") });
  await runSchedules(at("2026-01-02"));
  expect(await runsOf(dataset)).toHaveLength(1);
});

test("releases of a table that a recipe reads start one run, two minutes after the last", async () => {
  const upstream = await recordedDataset();
  const { tableId } = await upstream.release("rows", at("2026-01-01"));
  const table = { name: "source", kind: "table", table: `${upstream.slug}/rows` };
  const asks = await planned({ sources: [table], refresh: { ...MONTHLY, on_upstream: true } });
  const waits = await planned({ sources: [table], refresh: MONTHLY });
  const { prisma } = await database();
  for (const released of ["2026-01-05T10:00", "2026-01-05T10:01"])
    await prisma.$transaction((transaction) => wakeForRelease(transaction, tableId, at(released)));
  await runSchedules(at("2026-01-05T10:02"));
  expect(await runsOf(asks)).toEqual([]);
  await runSchedules(at("2026-01-05T10:03"));
  expect(await runsOf(asks)).toMatchObject([{ trigger: "upstream" }]);
  expect(await runsOf(waits)).toEqual([]);
});

test("an upload starts a run of its workspace's datasets that read its name", async () => {
  const source = { name: "source", kind: "upload", upload: "figures", reader: { format: "csv" } };
  const pinned = { ...source, digest: `sha256:${"a".repeat(64)}` };
  const [reads, other, fixed] = [
    await planned({ sources: [source], refresh: MONTHLY }),
    await planned({ sources: [source], refresh: MONTHLY }),
    await planned({ sources: [pinned], refresh: MONTHLY }),
  ];
  const { prisma } = await database();
  const { workspaceId } = reads;
  await prisma.build.update({ where: { datasetId: fixed.datasetId }, data: { workspaceId } });
  const upload = { workspaceId, name: "figures", at: at("2026-01-05T10:00") };
  await prisma.$transaction((transaction) => wakeForUpload(transaction, upload));
  await runSchedules(at("2026-01-05T10:00"));
  expect(await runsOf(reads)).toMatchObject([{ trigger: "upload" }]);
  expect([await runsOf(other), await runsOf(fixed)]).toEqual([[], []]);
});

test("a newly approved recipe is planned again; one without a schedule starts nothing", async () => {
  const dataset = await planned();
  const { prisma } = await database();
  const { documentDigest, document } = await prisma.recipeRevision.findUniqueOrThrow({
    where: { id: dataset.revisionId },
  });
  const next = async (number: number, text: string) => {
    await prisma.recipeRevision.updateMany({ where: { datasetId: dataset.datasetId }, data: { state: "superseded" } });
    await prisma.recipeRevision.create({
      data: {
        ...{ datasetId: dataset.datasetId, number, document: text, documentDigest, recipeDigest: "sha256:x" },
        ...{ lock: "{}", origin: "proposed", state: "approved", actor: {} },
        ...{ createdAt: at("2026-01-03"), approvedAt: at("2026-01-03") },
      },
    });
    await runSchedules(at("2026-01-01T05:00"));
    return scheduleOf(dataset);
  };
  expect(hour((await next(2, document.replace("P1D", "P2D").replace("01T06", "02T06"))).nextAt)).toBe("2026-01-02T06");
  expect(await next(3, JSON.stringify({ ...JSON.parse(document), refresh: undefined }))).toMatchObject({
    spec: null,
    nextAt: null,
  });
  await runSchedules(at("2026-03-01"));
  expect(await runsOf(dataset)).toEqual([]);
});

test("a dataset whose recipe cannot be planned does not keep others from being read", async () => {
  const broken = await recordedDataset({ ...DAILY, sources: [httpSource("source")] });
  const { prisma } = await database();
  await prisma.recipeRevision.updateMany({ where: { datasetId: broken.datasetId }, data: { document: "{}" } });
  const dataset = await recordedDataset(DAILY);
  await expect(runSchedules(at("2026-01-01"))).rejects.toThrow();
  expect(hour((await scheduleOf(dataset)).nextAt)).toBe("2026-01-01T06");
  await prisma.dataset.delete({ where: { id: broken.datasetId } });
});

test("a dataset that is deleted while its schedule is planned gets none, without an error", async () => {
  const { datasetId, revisionId } = await planned();
  const { prisma } = await database();
  await prisma.dataset.delete({ where: { id: datasetId } });
  const made = { spec: undefined, upstreams: [], uploads: [], nextAt: null, now: at("2026-01-01") };
  await storeSchedule({ datasetId, revisionId, ...made });
  expect(await prisma.schedule.count({ where: { datasetId } })).toBe(0);
});
