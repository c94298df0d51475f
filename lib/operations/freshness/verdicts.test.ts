import { describe, expect, test } from "vitest";
import { FRESHNESS_REASONS } from "@/lib/schemas/freshness";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { httpSource, type RecordedDataset, type RecordedPiece, recordedDataset } from "@/lib/testing/recorded-dataset";
import { freshnessOf, type Sees } from "./verdicts";

useTestState();

const DAY_MS = 86_400_000;
const at = (text: string): Date => new Date(`${text.includes("T") ? text : `${text}T00:00`}Z`);
const WEEKLY = { every: "P7D", anchor: "2026-01-05T00:00" };
const piece = (how: RecordedPiece["how"], source = "source"): RecordedPiece[] => [{ source, how }];

async function verdictAt(dataset: RecordedDataset, now: string, sees?: Sees) {
  return (await freshnessOf([dataset.datasetId], at(now), sees))(dataset.datasetId).verdict;
}

/** Reads every day from one day to another; the rows change on Mondays. */
async function readDaily(dataset: RecordedDataset, from: string, until: string): Promise<void> {
  for (let day = at(from); day <= at(until); day = new Date(day.getTime() + DAY_MS))
    await dataset.read(day, piece(day.getUTCDay() === 1 ? "new_rows" : "same_bytes"));
}

test("a file that its publisher prepared has no source that is read", async () => {
  const verdict = (await freshnessOf([crypto.randomUUID()], at("2026-01-01")))("other").verdict;
  expect(verdict).toMatchObject({ state: "unknown", reason: "no_observation", confidence: "none" });
});

test("no release, a first reading, and no second one", async () => {
  const dataset = await recordedDataset();
  await dataset.read(at("2026-01-02"), piece("first"), { kind: "build" });
  expect(await verdictAt(dataset, "2026-01-02T00:10")).toMatchObject({ reason: "no_release" });
  await dataset.release("rows", at("2026-01-02T00:01"));
  expect(await verdictAt(dataset, "2026-01-02T00:10")).toMatchObject({ reason: "not_enough_history" });
  expect(await verdictAt(dataset, "2026-01-02T02:00")).toMatchObject({ reason: "observation_overdue" });
});

describe("weekly changes under a daily schedule", () => {
  async function learned() {
    const dataset = await recordedDataset({ refresh: { every: "P1D" } });
    await dataset.read(at("2026-01-01"), piece("first"), { kind: "build" });
    await dataset.release("rows", at("2026-01-01"), "2025-12-31");
    await readDaily(dataset, "2026-01-02", "2026-03-02");
    return dataset;
  }

  test("the window is learned from what was read, and the verdict follows it", async () => {
    const dataset = await learned();
    const verdict = await verdictAt(dataset, "2026-03-03");
    expect(verdict).toMatchObject({ state: "fresh", confidence: "medium", dataThrough: "2025-12-31" });
    expect(verdict.lastChangedAt).toBe(at("2026-03-02").getTime());
    expect(verdict.window?.earliest).toBe(at("2026-03-09").getTime());
  });

  test("two failed readings make the source unhealthy, and a failed refresh after the release is shown", async () => {
    const dataset = await learned();
    await dataset.read(at("2026-03-03"), piece("failed"), { failed: true });
    expect(await verdictAt(dataset, "2026-03-03T12:00")).toMatchObject({
      state: "fresh",
      lastGoodAfterFailedRefresh: true,
    });
    await dataset.read(at("2026-03-04"), piece("failed"), { failed: true });
    expect(await verdictAt(dataset, "2026-03-04T12:00")).toMatchObject({
      state: "source_unhealthy",
      blockingSource: "source",
      sources: [{ name: "source", consecutiveFailures: 2 }],
    });
    await dataset.read(at("2026-03-05"), piece("same_rows"));
    expect(await verdictAt(dataset, "2026-03-05T12:00")).toMatchObject({
      state: "fresh",
      lastGoodAfterFailedRefresh: false,
    });
  });
});

test("a declared schedule: fresh before its tick, awaited in its window, stale after it", async () => {
  const refresh = { ...WEEKLY, expected_by: "PT12H", grace: "PT6H" };
  const dataset = await recordedDataset({ refresh });
  await dataset.read(at("2026-01-05"), piece("first"), { kind: "build" });
  await dataset.release("rows", at("2026-01-05"));
  for (const day of ["06", "07", "08", "09", "10", "11"])
    await dataset.read(at(`2026-01-${day}`), piece("not_modified"));
  expect((await verdictAt(dataset, "2026-01-11T23:00")).state).toBe("fresh");
  await dataset.read(at("2026-01-12"), piece("not_modified"));
  expect((await verdictAt(dataset, "2026-01-12T01:00")).state).toBe("awaiting_update");
  expect((await verdictAt(dataset, "2026-01-12T06:01")).reason).toBe("observation_overdue"); // due every three hours
  for (let hour = 3; hour <= 21; hour += 3)
    await dataset.read(at(`2026-01-12T${String(hour).padStart(2, "0")}:00`), piece("not_modified"));
  expect((await verdictAt(dataset, "2026-01-12T21:00")).state).toBe("awaiting_update");
  await dataset.read(at("2026-01-13"), piece("not_modified"));
  expect((await verdictAt(dataset, "2026-01-13T01:00")).state).toBe("stale");
});

test("a new partition is a change of the source; what a build reads for the first time is not", async () => {
  const dataset = await recordedDataset({ refresh: { every: "P1M" } });
  const first = ["2025-12", "2026-01"].map((partition) => ({ source: "source", how: "first" as const, partition }));
  await dataset.read(at("2026-01-10"), first, { kind: "build" });
  await dataset.release("rows", at("2026-01-10"));
  expect((await verdictAt(dataset, "2026-01-11")).lastChangedAt).toBeNull();
  await dataset.read(at("2026-01-20"), [{ source: "source", how: "first", partition: "2025-11" }], { kind: "build" });
  expect((await verdictAt(dataset, "2026-01-21")).lastChangedAt).toBeNull();
  const pieces: RecordedPiece[] = [
    { source: "source", how: "same_bytes", partition: "2026-01" },
    { source: "source", how: "first", partition: "2026-02" },
  ];
  await dataset.read(at("2026-02-01"), pieces);
  expect((await verdictAt(dataset, "2026-02-02")).lastChangedAt).toBe(at("2026-02-01").getTime());
});

test("a source with one failed part counts as not read", async () => {
  const dataset = await recordedDataset({ refresh: { every: "P1D" } });
  const pieces = (how: RecordedPiece["how"]): RecordedPiece[] => [
    { source: "source", how: "first", partition: "a" },
    { source: "source", how, partition: "b" },
  ];
  await dataset.read(at("2026-01-02"), pieces("first"), { kind: "build" });
  await dataset.release("rows", at("2026-01-02"));
  for (const day of ["03", "04"]) await dataset.read(at(`2026-01-${day}`), pieces("failed"), { failed: true });
  expect((await verdictAt(dataset, "2026-01-04T01:00")).reason).toBe("source_reads_failing");
});

test("readers see listed sources, members all", async () => {
  const sources = [httpSource("source"), httpSource("hidden", { listed: false })];
  const tables = [
    { name: "rows", from: "source", columns: [{ name: "id", type: "int64" }], order_by: ["id"] },
    { name: "more", from: "hidden", columns: [{ name: "id", type: "int64" }], order_by: ["id"] },
  ];
  const dataset = await recordedDataset({ sources, tables, refresh: { every: "P1D" } });
  await dataset.read(at("2026-01-02"), [...piece("first"), ...piece("first", "hidden")], { kind: "build" });
  const { tableId: rows } = await dataset.release("rows", at("2026-01-02"));
  const { tableId: more } = await dataset.release("more", at("2026-01-02"));
  const seen = async (sees: Sees) => {
    const freshness = (await freshnessOf([dataset.datasetId], at("2026-01-02T01:00"), sees))(dataset.datasetId);
    return [freshness.verdict, freshness.ofTable(rows).verdict, freshness.ofTable(more).verdict].map(
      ({ sources: told, unlistedSourceCount }) => [...told.map(({ name }) => name), unlistedSourceCount],
    );
  };
  expect(await seen("listed")).toEqual([["source", 1], ["source", 0], [1]]);
  expect(await seen("all")).toEqual([
    ["hidden", "source", 0],
    ["source", 0],
    ["hidden", 0],
  ]);
});

test("a source that is declared finished is dormant, and a change after that contradicts it", async () => {
  const dataset = await recordedDataset({ sources: [httpSource("source", { status: "static" })] }, at("2026-02-01"));
  await dataset.read(at("2026-01-01"), piece("first"), { kind: "build" });
  await dataset.read(at("2026-01-05"), piece("new_rows"));
  await dataset.release("rows", at("2026-01-05"));
  expect((await verdictAt(dataset, "2027-01-01")).reason).toBe("source_static");
  await dataset.read(at("2026-03-01"), piece("new_rows"));
  expect((await verdictAt(dataset, "2027-01-01")).reason).toBe("evidence_conflict");
});

test("a table that the recipe no longer makes is dormant, and one without a release is unknown", async () => {
  const dataset = await recordedDataset({ refresh: { every: "P1D" } });
  await dataset.read(at("2026-01-02"), piece("first"), { kind: "build" });
  const { tableId } = await dataset.release("dropped", at("2026-01-02"));
  await dataset.release("rows", at("2026-01-02"));
  const freshness = (await freshnessOf([dataset.datasetId], at("2026-01-02T01:00")))(dataset.datasetId);
  expect(freshness.ofTable(tableId).verdict.reason).toBe("source_retired");
  expect(freshness.ofTable(crypto.randomUUID()).verdict.reason).toBe("no_release");
  const { prisma } = await database();
  await prisma.version.updateMany({ where: { tableId }, data: { withdrawnAt: at("2026-01-02") } });
  const after = (await freshnessOf([dataset.datasetId], at("2026-01-02T01:00")))(dataset.datasetId);
  expect(after.ofTable(tableId).verdict.reason).toBe("no_release");
});

test("a table without a release shows what is watched for it, to readers only by listed names", async () => {
  const sources = [httpSource("source"), httpSource("hidden", { listed: false })];
  const tables = ["rows", "more"].map((name, place) => ({
    ...{ name, from: sources[place]?.name, columns: [{ name: "id", type: "int64" }], order_by: ["id"] },
  }));
  const dataset = await recordedDataset({ sources, tables, refresh: { every: "P1D" } });
  const told = async (slug: string, sees: Sees = "all") => {
    const freshness = (await freshnessOf([dataset.datasetId], at("2026-01-04"), sees))(dataset.datasetId);
    const { verdict } = freshness.ofTable(crypto.randomUUID(), slug);
    return [verdict.reason, ...verdict.sources.map(({ name, lastObservedAt: read }) => [name, read !== null])];
  };
  expect(await told("rows")).toEqual(["no_release", ["source", false]]);
  await dataset.read(at("2026-01-02"), piece("failed"), { kind: "build", failed: true });
  await dataset.read(at("2026-01-03"), piece("failed"), { failed: true });
  expect(await told("rows")).toEqual(["no_release", ["source", true]]);
  expect(await told("more")).toEqual(["no_release", ["hidden", false]]);
  expect(await told("more", "listed")).toEqual(["no_release"]);
  const all = (await freshnessOf([dataset.datasetId], at("2026-01-04")))(dataset.datasetId);
  expect(all.ofTable(crypto.randomUUID(), "rows").verdict.lastGoodAfterFailedRefresh).toBe(false);
});

describe("a table that is made from a table of this service", () => {
  /** Read and released at 09:00 on the first of January, read at 06:00 each day. */
  async function chain(upstreamRefresh?: object) {
    const upstream = await recordedDataset({ ...(upstreamRefresh && { refresh: upstreamRefresh }) });
    await upstream.read(at("2026-01-01T09:00"), piece("first"), { kind: "build" });
    const first = "a".repeat(64);
    await upstream.release("rows", at("2026-01-01T09:00"), undefined, { digest: first, bytes: 1 });
    const { prisma } = await database();
    const publisher = { create: { slug: upstream.slug, name: "Office" } };
    await prisma.dataset.update({
      where: { id: upstream.datasetId },
      data: { visibility: "public", license: "CC0-1.0", publisher },
    });
    const source = { name: "source", kind: "table", table: `${upstream.slug}/rows` };
    const dataset = await recordedDataset({ sources: [source], refresh: { every: "P1D" } });
    const take = (text: string, digest: string) =>
      dataset.read(at(text), [{ source: "source", how: "new_rows", digest }]);
    await take("2026-01-01T10:00", first);
    await dataset.release("rows", at("2026-01-01T10:00"));
    return { upstream, dataset, take };
  }

  test("has the verdict of that table, whatever its own schedule", async () => {
    const { upstream, dataset } = await chain({ every: "P1D", anchor: "2026-01-01T06:00", expected_by: "PT1H" });
    expect((await verdictAt(dataset, "2026-01-02T05:00")).state).toBe("fresh");
    await upstream.read(at("2026-01-02T06:00"), piece("not_modified"));
    const verdict = await verdictAt(dataset, "2026-01-02T07:00");
    expect(verdict).toMatchObject({ state: "awaiting_update", blockingSource: "source" });
    expect(verdict.lastObservedAt).toBe(at("2026-01-02T06:00").getTime());
    expect((await verdictAt(dataset, "2026-01-05T07:00")).reason).toBe("observation_overdue");
  });

  test("is awaited, then stale, once that table has a release that it was not made from", async () => {
    const { upstream, dataset, take } = await chain({ every: "P1D", anchor: "2026-01-01T06:00", expected_by: "PT1H" });
    await upstream.read(at("2026-01-02T06:00"), piece("new_rows"));
    const second = "b".repeat(64);
    await upstream.release("rows", at("2026-01-02T06:01"), undefined, { digest: second, bytes: 1 });
    expect((await verdictAt(dataset, "2026-01-02T07:00")).state).toBe("awaiting_update");
    await upstream.read(at("2026-01-03T06:00"), piece("not_modified"));
    expect((await verdictAt(dataset, "2026-01-03T06:10")).state).toBe("stale");
    await take("2026-01-03T06:20", second);
    expect((await verdictAt(dataset, "2026-01-03T06:30")).state).toBe("awaiting_update"); // like that table
  });

  test("is learning like that table, with an explanation that is true of a table with its own schedule", async () => {
    const { dataset, upstream } = await chain({ every: "P1D" });
    await upstream.read(at("2026-01-02T06:00"), piece("not_modified"));
    const verdict = await verdictAt(dataset, "2026-01-02T07:00");
    expect(verdict).toMatchObject({ reason: "not_enough_history", blockingSource: "source" });
    expect(FRESHNESS_REASONS[verdict.reason].meaning).toMatch(/^Nothing declares when its source is updated/);
  });

  test("is unknown if that table was prepared by its publisher, or is gone", async () => {
    const { upstream, dataset } = await chain();
    expect((await verdictAt(dataset, "2026-01-01T11:00")).reason).toBe("observation_overdue");
    const { prisma } = await database();
    await prisma.build.delete({ where: { datasetId: upstream.datasetId } });
    expect((await verdictAt(dataset, "2026-01-01T11:00")).reason).toBe("no_observation");
    await prisma.dataset.update({ where: { id: upstream.datasetId }, data: { visibility: "withdrawn" } });
    expect((await verdictAt(dataset, "2026-01-01T11:00")).reason).toBe("no_observation");
  });
});

test("between uploads nothing arrived, as the service knows; an upload that no run read does not count", async () => {
  const source = { name: "source", kind: "upload", upload: "figures", reader: { format: "csv" } };
  const dataset = await recordedDataset({ sources: [source] });
  const { prisma } = await database();
  const file = { workspaceId: dataset.workspaceId, name: "figures", bytes: 1, fileName: "", mediaType: "", actor: {} };
  await prisma.upload.create({ data: { ...file, digest: "a".repeat(64), at: at("2026-01-01") } });
  await dataset.read(at("2026-01-02"), piece("first"), { kind: "build" });
  await dataset.release("rows", at("2026-01-02"));
  const between = await verdictAt(dataset, "2026-06-01");
  expect(between).toMatchObject({ reason: "not_enough_history", lastObservedAt: at("2026-01-02").getTime() });
  await prisma.upload.create({ data: { ...file, digest: "b".repeat(64), at: at("2026-06-02") } });
  expect((await verdictAt(dataset, "2026-06-03")).reason).toBe("observation_overdue");
});
