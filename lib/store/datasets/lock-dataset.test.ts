import { expect, test } from "vitest";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { recordedDataset } from "@/lib/testing/recorded-dataset";
import { lockDataset } from "./lock-dataset";

useTestState();

test("rows that refer to a dataset are added while it is locked, also by whoever it waits for", async () => {
  const { prisma } = await database();
  const { datasetId } = await recordedDataset();
  const workspace = await prisma.workspace.create({ data: { name: "Gauges" } });
  const held = Promise.withResolvers<void>();
  const isLocked = Promise.withResolvers<void>();
  const refers = prisma.$transaction(async (transaction) => {
    await transaction.workspace.update({ where: { id: workspace.id }, data: { name: "Levels" } });
    held.resolve();
    await isLocked.promise;
    await transaction.connection.create({ data: { workspaceId: workspace.id, datasetId } });
  });
  const changes = prisma.$transaction(async (transaction) => {
    await held.promise;
    expect(await lockDataset(transaction, datasetId)).toBe(true);
    const renamed = transaction.workspace.update({ where: { id: workspace.id }, data: { name: "Flows" } }).then();
    isLocked.resolve();
    await renamed;
  });
  await Promise.all([refers, changes]);
  expect(await prisma.workspace.findUnique({ where: { id: workspace.id } })).toMatchObject({ name: "Flows" });
  expect(await prisma.connection.count({ where: { datasetId } })).toBe(1);
});

test("changes of one dataset, and its deletion, wait for each other", async () => {
  const { prisma } = await database();
  const { datasetId } = await recordedDataset();
  const order: string[] = [];
  const isLocked = Promise.withResolvers<void>();
  const first = prisma.$transaction(async (transaction) => {
    await lockDataset(transaction, datasetId);
    isLocked.resolve();
    await transaction.$queryRaw`SELECT pg_sleep(0.3)::text`;
    order.push("first");
  });
  await isLocked.promise;
  const second = prisma.$transaction(async (transaction) => {
    await lockDataset(transaction, datasetId);
    order.push("second");
  });
  const deletion = second.then(() => prisma.dataset.delete({ where: { id: datasetId } }));
  await Promise.all([first, second, deletion]);
  expect(order).toEqual(["first", "second"]);
  expect(await prisma.$transaction((transaction) => lockDataset(transaction, datasetId))).toBe(false);
});
