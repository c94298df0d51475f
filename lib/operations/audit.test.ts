import { expect, test } from "vitest";
import { createKey } from "@/lib/access/use-keys";
import { ADMINISTRATOR, audited, listAudit } from "@/lib/store/audit";
import { deletePerson, ensurePerson } from "@/lib/store/people/people";
import { setPlan } from "@/lib/store/people/workspaces";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";

useTestState();

async function person(name: string): Promise<{ id: string; workspaceId: string }> {
  const { userId, workspaceId } = await ensurePerson(`${name}@example.com`, ADMINISTRATOR);
  return { id: userId, workspaceId };
}

test("a change and its audit entry are atomic, and the log is append-only", async () => {
  const { workspaceId } = await person("audited");
  await setPlan(workspaceId, { plan: "paid", subscription: "active" }, new Date(), ADMINISTRATOR);
  const [entry] = await listAudit({ workspaceId, limit: 1 });
  expect(entry).toMatchObject({
    action: "plan.changed",
    actor: "operator",
    workspaceId,
    details: { from: { plan: "free", subscription: null }, to: { plan: "paid", subscription: "active" } },
  });
  const failing = audited(ADMINISTRATOR, async (transaction, note) => {
    await transaction.workspace.update({ where: { id: workspaceId }, data: { name: "changed" } });
    note({ action: "workspace.renamed", workspaceId });
    throw new Error("half-way");
  });
  await expect(failing).rejects.toThrow("half-way");
  expect(await listAudit({ workspaceId, limit: 1 })).toEqual([entry]);
  const { pool } = await database();
  await expect(pool.query(`DELETE FROM "AuditEvent"`)).rejects.toThrow("only ever added to");
  await expect(pool.query(`UPDATE "AuditEvent" SET action = 'x'`)).rejects.toThrow("only ever added to");
});

test("paginating the audit log returns every entry once, including those of one transaction", async () => {
  const { id, workspaceId } = await person("pages");
  for (let n = 0; n < 7; n++)
    await createKey({ kind: "use", name: `k${n}`, workspaceId, userId: id, expiresAt: null }, ADMINISTRATOR);
  await deletePerson(id, ADMINISTRATOR);
  const seen: string[] = [];
  let before: { at: Date; id: string } | undefined;
  for (;;) {
    const page = await listAudit({ workspaceId, limit: 3, before });
    if (page.length === 0) break;
    seen.push(...page.map((entry) => entry.id));
    before = page.at(-1);
  }
  expect(seen).toHaveLength(15); // the workspace, and seven keys made and revoked
  expect(new Set(seen).size).toBe(15);
});
