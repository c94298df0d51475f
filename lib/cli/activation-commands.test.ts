import { expect, test } from "vitest";
import { listAudit } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { callCommand } from "@/lib/testing/command";
import { useTestState } from "@/lib/testing/database";
import { recordedDataset } from "@/lib/testing/recorded-dataset";

useTestState();

test("the administrator activates and deactivates a built dataset, and the audit log has each table", async () => {
  const { slug, workspaceId, datasetId, release } = await recordedDataset();
  const { tableId } = await release("rows", new Date());
  const on = await callCommand("dataset", "activate", slug, "--json");
  const [receipt] = JSON.parse(on.stdout);
  expect(receipt).toMatchObject({ table: "rows", dataset_id: datasetId, table_id: tableId, warning: null });
  expect(receipt.current_path).toMatch(/^\/api\/v2\/tables\/[0-9a-f-]{36}\/current$/);
  expect(receipt.current_path).not.toContain(tableId);
  const off = await callCommand("dataset", "deactivate", slug, "--json");
  expect(JSON.parse(off.stdout)).toEqual({ slug, deactivated: ["rows"] });
  const log = await listAudit({ workspaceId, limit: 10 });
  expect(log.map(({ action, actor, details }) => [action, actor, details.table])).toEqual([
    ["table.deactivated", "operator", "rows"],
    ["table.activated", "operator", "rows"],
  ]);
});

test("nothing is activated before a release, without an active subscription, or where nothing is built", async () => {
  const { slug, workspaceId, release } = await recordedDataset();
  const tell = async () => (await callCommand("dataset", "activate", slug)).stderr;
  expect(await tell()).toContain("No run of this dataset has been sealed yet");
  await release("rows", new Date());
  const { prisma } = await database();
  await prisma.workspace.update({ where: { id: workspaceId }, data: { plan: "free" } });
  expect(await tell()).toContain("has no active subscription");
  expect((await callCommand("dataset", "activate", "nowhere")).stderr).toContain("Unknown built dataset: nowhere");
  expect(await prisma.activation.count()).toBe(1); // of the other test
});
