import { expect, test } from "vitest";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { recordedDataset } from "@/lib/testing/recorded-dataset";
import { listRuns } from "./runs";

useTestState();

test("refreshes without an outcome are listed; those that found nothing new are counted", async () => {
  const { datasetId, workspaceId, revisionId } = await recordedDataset();
  const { prisma } = await database();
  const add = async (
    kind: "build" | "refresh",
    state: "failed" | "running_full" | "queued_full" | "sealed",
    more = {},
  ) =>
    prisma.run.create({
      data: {
        ...{ datasetId, workspaceId, revisionId, kind, state, trigger: "schedule" },
        ...{ plan: {}, progress: {}, createdBy: {}, ...more },
      },
    });
  await add("build", "failed");
  await add("refresh", "failed");
  await add("refresh", "running_full");
  await add("refresh", "queued_full");
  await add("refresh", "sealed", { outcome: "released" });
  await add("refresh", "sealed", { outcome: "unchanged" });
  const filter = { workspaceId, datasetId, limit: 20 };
  const { runs, unchangedFolded } = await listRuns({ ...filter, unchanged: false });
  expect(runs.map(({ kind, state, outcome }) => [kind, state, outcome]).sort()).toEqual([
    ["build", "failed", null],
    ["refresh", "failed", null],
    ["refresh", "queued_full", null],
    ["refresh", "running_full", null],
    ["refresh", "sealed", "released"],
  ]);
  expect(unchangedFolded).toBe(1);
  expect((await listRuns({ ...filter, unchanged: true })).runs).toHaveLength(6);
});
