import { expect, test } from "vitest";
import { findDatasetIds } from "@/lib/store/catalogue/catalogue";
import { database } from "@/lib/store/postgres/database";
import { storeVerdict } from "@/lib/store/releases/verdicts";
import { useTestState } from "@/lib/testing/database";
import { type RecordedDataset, recordedDataset } from "@/lib/testing/recorded-dataset";
import { storeVerdicts } from "./store-verdicts";

useTestState();

const HOUR_MS = 3_600_000;
const at = (text: string): Date => new Date(`${text}Z`);

async function newsOf({ datasetId }: RecordedDataset) {
  const { prisma } = await database();
  const news = await prisma.news.findMany({ where: { datasetId, kind: { not: "released" } }, orderBy: { at: "asc" } });
  return news.map(({ kind, at: when }) => `${when.toISOString().slice(0, 13)} ${kind}`);
}

/** Reads every hour, from the first time until before the second, and evaluates after each. */
async function readHourly(dataset: RecordedDataset, from: string, until: string, how: "same_bytes" | "failed") {
  for (let hour = at(from).getTime(); hour < at(until).getTime(); hour += HOUR_MS) {
    await dataset.read(new Date(hour), [{ source: "source", how }]);
    await storeVerdicts(new Date(hour + 60_000));
    await storeVerdicts(new Date(hour + 120_000));
  }
}

test("a table that goes stale and recovers is announced once each, even with failures in between", async () => {
  const refresh = { every: "P1D", anchor: "2026-01-01T06:00", expected_by: "PT1H", grace: "PT1H" };
  const dataset = await recordedDataset({ refresh }, at("2026-01-01T00:00"));
  await dataset.read(at("2026-01-01T07:00"), [{ source: "source", how: "first" }], { kind: "build" });
  await dataset.release("rows", at("2026-01-01T07:00"));
  await readHourly(dataset, "2026-01-02T05:00", "2026-01-02T14:00", "same_bytes");
  // the window ends at 09:00 with the hour between readings, and that has held for an hour
  expect(await newsOf(dataset)).toEqual(["2026-01-02T10 went_stale"]);
  await readHourly(dataset, "2026-01-02T14:00", "2026-01-02T17:00", "failed");
  await readHourly(dataset, "2026-01-02T17:00", "2026-01-02T18:00", "same_bytes");
  await dataset.read(at("2026-01-02T18:00"), [{ source: "source", how: "new_rows" }]);
  await storeVerdicts(at("2026-01-02T18:01"));
  await storeVerdicts(at("2026-01-02T20:30"));
  expect(await newsOf(dataset)).toEqual(["2026-01-02T10 went_stale", "2026-01-02T18 recovered"]);
});

test("searches find built datasets by the verdict on them", async () => {
  const dataset = await recordedDataset({ refresh: { every: "P1D" } }, at("2026-01-01T00:00"));
  await dataset.read(at("2026-01-01T07:00"), [{ source: "source", how: "first" }], { kind: "build" });
  await dataset.release("rows", at("2026-01-01T07:00"));
  const { prisma } = await database();
  const publisher = { create: { slug: "office", name: "Office" } };
  const shown = { visibility: "public" as const, license: "CC0-1.0", publishedAt: at("2026-01-01T07:00"), publisher };
  await prisma.dataset.update({ where: { id: dataset.datasetId }, data: shown });
  await storeVerdicts(at("2026-01-01T07:01"));
  const listing = { words: undefined, sort: "title", limit: 10 } as const;
  const found = async (freshness: string, now: string) =>
    (await findDatasetIds({ ...listing, freshness: [freshness] }, at(now))).positions.map(({ id }) => id);
  const foundAt = async (now: string) => [await found("learning", now), await found("unknown", now)];
  expect(await foundAt("2026-01-01T09:00")).toEqual([[dataset.datasetId], []]);
  expect(await foundAt("2026-01-01T09:02"), "no worker has looked").toEqual([[], [dataset.datasetId]]);
  await storeVerdicts(at("2026-01-09T07:01")); // nobody read it
  expect(await foundAt("2026-01-09T07:02")).toEqual([[], [dataset.datasetId]]);
});

test("a verdict on a dataset that was deleted while it was judged is nothing", async () => {
  const { datasetId } = await recordedDataset({ refresh: { every: "P1D" } }, at("2026-01-01T00:00"));
  const { prisma } = await database();
  await prisma.dataset.delete({ where: { id: datasetId } });
  const judged = { state: "stale", reason: "late", since: new Date(), tables: {}, computedAt: new Date() };
  const table = { id: crypto.randomUUID(), slug: "rows" };
  const freshness = { state: "stale", reason_code: "late", expected_next_latest: null };
  const news = [{ kind: "went_stale" as const, table, freshness }];
  await storeVerdict({ datasetId, ...judged, checkAt: new Date() }, undefined, news);
  expect(await prisma.standing.findUnique({ where: { datasetId } })).toBeNull();
});
