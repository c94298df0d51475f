import { expect, test } from "vitest";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { recordedDataset } from "@/lib/testing/recorded-dataset";
import { withdrawVersion } from "./withdrawal";

useTestState();

test("the withdrawal of a version that is not current changes nothing else", async () => {
  const { prisma } = await database();
  const { release, datasetId, slug } = await recordedDataset();
  const publisher = { create: { name: slug, slug } };
  await prisma.dataset.update({ where: { id: datasetId }, data: { license: "CC0-1.0", publisher } });
  const first = await release("rows", new Date("2026-01-01T00:00Z"));
  const second = await release("rows", new Date("2026-03-01T00:00Z"));
  const current = await release("rows", new Date("2026-02-01T00:00Z")); // published under an earlier date
  const currentId = async () =>
    (await prisma.table.findUniqueOrThrow({ where: { id: first.tableId } })).currentVersionId;
  await withdrawVersion(first.versionId, "wrong", ADMINISTRATOR);
  expect(await currentId()).toBe(current.versionId);
  await withdrawVersion(current.versionId, "wrong", ADMINISTRATOR);
  expect(await currentId()).toBe(second.versionId);
});
