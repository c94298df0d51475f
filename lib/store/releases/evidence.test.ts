import { expect, test } from "vitest";
import { database } from "@/lib/store/postgres/database";
import { dropOldObservations } from "@/lib/store/sources/observations";
import { useTestState } from "@/lib/testing/database";
import { recordedDataset } from "@/lib/testing/recorded-dataset";
import { readingsOf } from "./evidence";

useTestState();

const at = (day: number): Date => new Date(Date.UTC(2026, 0, day));

test("observations are aggregated once, until a run of the dataset has a new event", async () => {
  const dataset = await recordedDataset();
  const { prisma } = await database();
  const { datasetId } = dataset;
  const days = async () => (await readingsOf([datasetId])).map(({ at: read }) => read.getUTCDate());
  await dataset.read(at(1), [{ source: "source", how: "first" }], { kind: "build" });
  await dataset.read(at(2), [{ source: "source", how: "same_bytes" }]);
  expect(await days()).toEqual([1, 2]);
  await prisma.sourceObservation.updateMany({ where: { at: at(2) }, data: { at: at(3) } });
  expect(await days()).toEqual([1, 2]);
  await prisma.run.updateMany({ where: { datasetId }, data: { eventSeq: { increment: 1 } } });
  expect(await days()).toEqual([1, 3]);
  await dataset.read(at(4), [{ source: "source", how: "new_rows" }]);
  expect(await days()).toEqual([1, 3, 4]);
  const other = await recordedDataset();
  await other.read(at(9), [{ source: "source", how: "first" }]);
  expect(await readingsOf([datasetId, other.datasetId])).toHaveLength(4);
});

test("observations beyond the newest 500 runs are deleted, those of other datasets are kept", async () => {
  const dataset = await recordedDataset();
  const other = await recordedDataset();
  const { prisma, pool } = await database();
  for (const one of [dataset, other]) await one.read(at(1), [{ source: "source", how: "first" }], { kind: "build" });
  const runs = (most: number) =>
    pool.query(
      `INSERT INTO "Run" (id, "datasetId", "workspaceId", "revisionId", kind, trigger, state, plan, progress, "createdBy",
         "createdAt", "finishedAt", "updatedAt")
       SELECT gen_random_uuid(), $1::uuid, $2::uuid, $3::uuid, 'refresh', 'schedule', 'sealed', '{}', '{}', '{}',
         $4::timestamptz + n * interval '1 hour', $6, now() FROM generate_series(1, $5::int) n`,
      [dataset.datasetId, dataset.workspaceId, dataset.revisionId, at(1), most, at(40)],
    );
  const count = async () => {
    await dropOldObservations(at(40));
    return prisma.sourceObservation.count({ where: { datasetId: { in: [dataset.datasetId, other.datasetId] } } });
  };
  await runs(499);
  expect(await count()).toBe(2);
  await runs(1);
  expect(await count()).toBe(1);
});
