import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { authenticateKey } from "@/lib/auth/authenticate";
import { sha256Hex } from "@/lib/kernel/sha256";
import { deleteAccount } from "@/lib/operations/account/delete-account";
import { blobStore } from "@/lib/storage/blob-store";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { addMember } from "@/lib/store/people/members";
import { createWorkspace } from "@/lib/store/people/workspaces";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { listAccountEvents } from "./audit-log";
import { createKey } from "./keys";
import { deleteWorkspace, getWorkspace } from "./workspaces";

const folder = mkdtempSync(join(tmpdir(), "deleted-workspace-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

useTestState({ LIMIT_ACCOUNT_MINUTE: "100000" });

let workspace_id = "";
let personal = "";
const cookies = { owner: "", member: "", stranger: "" };

beforeEach(async () => {
  const [owner, member, stranger] = [await newWorkspace(), await newWorkspace(), await newWorkspace()];
  personal = owner.workspaceId;
  workspace_id = await createWorkspace("Lab", owner.userId, ADMINISTRATOR);
  await addMember(workspace_id, member.userId, "member", ADMINISTRATOR);
  cookies.owner = await sessionCookie(owner.userId);
  cookies.member = await sessionCookie(member.userId);
  cookies.stranger = await sessionCookie(stranger.userId);
});

const remove = (who: keyof typeof cookies, name: string, id = workspace_id) =>
  call(deleteWorkspace, { workspace_id: id }, { cookie: cookies[who] }, { name });
const get = async (who: keyof typeof cookies) =>
  (await call(getWorkspace, { workspace_id }, { cookie: cookies[who] })).status;
const sql = async (text: string, values: string[] = []) => (await database()).pool.query(text, values);
/** An upload of a workspace, with its bytes. */
async function upload(text: string, workspaceId: string): Promise<string> {
  const digest = sha256Hex(text);
  writeFileSync(join(folder, digest), text);
  await blobStore().put(digest, join(folder, digest), { keep: true });
  const about = { fileName: "", mediaType: "", at: new Date(), actor: {} };
  const { prisma } = await database();
  await prisma.upload.create({ data: { workspaceId, name: "levels", digest, bytes: text.length, ...about } });
  return digest;
}

const DATASET = `INSERT INTO "Dataset" (id, slug, title, summary, description, topics, sources, visibility, "workspaceId")
  VALUES (gen_random_uuid(), $1, '', '', '', '{}', '[]', 'private', $2)`;

test("an owner who types its name deletes it for all members, and its keys end", async () => {
  const key = await call(createKey, { workspace_id }, { cookie: cookies.member }, { name: "laptop", expires_at: null });
  expect((await remove("owner", " Lab ")).status).toBe(200);
  expect([await get("owner"), await get("member")]).toEqual([404, 404]);
  await expect(authenticateKey(key.body.key, ["use"], new Date())).rejects.toMatchObject({ code: "key_invalid" });
  const { events } = (await call(listAccountEvents, {}, { cookie: cookies.owner })).body;
  expect(events[0]).toMatchObject({ action: "workspace.deleted", details: { name: "Lab", members: 2 } });
  expect((await remove("owner", "Lab")).status).toBe(404);
});

test("nobody else can delete it, and a wrong name or a personal workspace deletes nothing", async () => {
  expect((await remove("member", "Lab")).status).toBe(403);
  expect((await remove("stranger", "Lab")).status).toBe(404);
  const other = await remove("owner", "lab");
  expect([other.status, other.body.details[0].pointer]).toEqual([400, "/name"]);
  const { rows } = await sql(`UPDATE "Workspace" SET personal = true WHERE id = $1 RETURNING name`, [personal]);
  const own = await remove("owner", rows[0].name, personal);
  expect([own.status, own.body.message]).toEqual([409, expect.stringContaining("Delete the account instead.")]);
  expect(await get("owner")).toBe(200);
});

test("datasets and a subscription must be settled first", async () => {
  await sql(`UPDATE "Workspace" SET "stripeSubscriptionId" = $2, subscription = 'active' WHERE id = $1`, [
    workspace_id,
    `sub_${workspace_id}`,
  ]);
  await sql(DATASET, [`lab-${workspace_id}`, workspace_id]);
  const kept = await remove("owner", "Lab");
  expect([kept.status, kept.body.message]).toEqual([
    409,
    expect.stringMatching(/^Lab has datasets\. Delete them first\. Lab has a paid subscription\. Cancel it/),
  ]);
  expect(await get("owner")).toBe(200);
});

test("a dataset that is created in the meantime keeps its workspace", async () => {
  const client = await (await database()).pool.connect();
  try {
    await client.query("BEGIN");
    await client.query(DATASET, [`meanwhile-${workspace_id}`, workspace_id]);
    const removing = remove("owner", "Lab");
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await sql(waiting)).rowCount).toBeGreaterThan(0);
    await client.query("COMMIT");
    expect((await removing).status).toBe(409);
  } finally {
    client.release();
  }
  expect(await get("owner")).toBe(200);
});

test("the bytes of its uploads go with it, or with an account, unless another workspace has the same", async () => {
  const shared = await upload("of two workspaces", workspace_id);
  await upload("of two workspaces", personal);
  const own = await upload("of the workspace", workspace_id);
  const last = await upload("of the account", personal);
  const there = async () => Promise.all([shared, own, last].map(async (digest) => !!(await blobStore().stat(digest))));
  await remove("owner", "another name");
  expect(await there()).toEqual([true, true, true]);
  await remove("owner", "Lab");
  expect(await there()).toEqual([true, false, true]);
  const { prisma } = await database();
  const { user } = await prisma.membership.findFirstOrThrow({
    where: { workspaceId: personal },
    include: { user: true },
  });
  await prisma.workspace.update({ where: { id: personal }, data: { personal: true } });
  const deleted = await call(deleteAccount, {}, { cookie: cookies.owner }, { email: user.email });
  expect([deleted.status, await there()]).toEqual([200, [false, false, false]]);
});
