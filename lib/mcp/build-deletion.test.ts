import { expect, test } from "vitest";
import { deleteAnyDataset, deleteDataset } from "@/lib/operations/datasets/delete-dataset";
import { execute } from "@/lib/operations/execute";
import { blobStore } from "@/lib/storage/blob-store";
import { ADMINISTRATOR, listAudit } from "@/lib/store/audit";
import { setVisibility } from "@/lib/store/datasets/visibility";
import { addMember } from "@/lib/store/people/members";
import { database } from "@/lib/store/postgres/database";
import { callCommand } from "@/lib/testing/command";
import { useOffice } from "@/lib/testing/office";
import { ownerOf } from "@/lib/testing/owner";
import { newWorkspace } from "@/lib/testing/workspace";

const place = await useOffice();
const { call, recipe, register, sample, rest } = place;

const DAY_MS = 86_400_000;

/** A dataset with a current version. */
async function built(title: string): Promise<{ dataset: string; digest: string }> {
  const dataset = await register(title, recipe());
  const { run_id, result } = await sample(dataset);
  // biome-ignore lint/suspicious/noThenProperty: the word of the interface
  await call("approve_full_run", { run_id, recipe_digest: result.recipe_digest, then: { promote: "private" } });
  const { result: sealed } = await rest(run_id);
  return { dataset, digest: sealed.tables[0].content_digest.replace("sha256:", "") };
}

const remove = (dataset: string, userId = place.builder.userId, at = new Date()) =>
  execute(
    deleteDataset,
    { path: { workspace_id: place.builder.workspaceId, dataset } },
    { ...ownerOf(userId), now: () => at },
  );

const later = (days: number) => new Date(Date.now() + days * DAY_MS);

test("an owner deletes what was never public, with every file that nothing else refers to", async () => {
  const { dataset, digest } = await built("Never public");
  expect(await blobStore().stat(digest)).toBeDefined();
  const { userId: memberId } = await newWorkspace();
  await addMember(place.builder.workspaceId, memberId, "member", ADMINISTRATOR);
  await expect(remove(dataset, memberId)).rejects.toThrow(/Only an owner/);
  const { userId: strangerId } = await newWorkspace();
  await expect(remove(dataset, strangerId)).rejects.toThrow(/Not found/);
  expect(await remove(dataset)).toEqual({ dataset, deleted: true });
  expect(await blobStore().stat(digest)).toBeUndefined();
  await expect(remove(dataset)).rejects.toThrow(/Unknown dataset/);
  const { prisma } = await database();
  expect(await prisma.run.count({ where: { dataset: { slug: dataset } } })).toBe(0);
  const [entry] = await listAudit({ limit: 1 });
  expect(entry).toMatchObject({ action: "dataset.deleted", actor: "person" });
});

test("what was public can be deleted 30 days after it was withdrawn, but not by an agent", async () => {
  const { dataset } = await built("Once public");
  await setVisibility(dataset, { to: "public", by: { caller: "operator" } }, ADMINISTRATOR);
  await expect(remove(dataset, undefined, later(400))).rejects.toThrow(/can only be withdrawn/);
  await call("update_dataset", { dataset, visibility: "withdrawn" });
  await expect(remove(dataset, undefined, later(29))).rejects.toThrow(/can be deleted from \d{4}-\d\d-\d\d on/);
  await expect(call("update_dataset", { dataset, delete: true })).rejects.toThrow(/can only be withdrawn/);
  const administrator = { ...ownerOf(place.builder.userId), actor: { kind: "operator" as const } };
  const afterwards = { ...administrator, now: () => later(31) };
  const given = { path: { slug: dataset }, query: { yes: true } };
  await expect(execute(deleteAnyDataset, given, administrator)).rejects.toThrow(/can be deleted from/);
  await execute(deleteAnyDataset, given, afterwards);
  const [entry] = await listAudit({ limit: 1 });
  expect(entry).toMatchObject({ action: "dataset.deleted", actor: "operator" });
  await expect(execute(deleteAnyDataset, given, afterwards)).rejects.toThrow(/No workspace has built/);
});

test("the administrator's command deletes once it is confirmed", async () => {
  const dataset = await register("By command", recipe());
  const kept = await callCommand("dataset", "delete", dataset);
  expect([kept.code, kept.stderr]).toEqual([1, expect.stringContaining("Add --yes")]);
  expect(await callCommand("dataset", "delete", dataset, "--yes")).toMatchObject({ code: 0 });
  const { prisma } = await database();
  expect(await prisma.dataset.count({ where: { slug: dataset } })).toBe(0);
});
