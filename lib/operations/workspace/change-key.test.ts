import { beforeAll, expect, test } from "vitest";
import { authenticateKey } from "@/lib/auth/authenticate";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { addMember } from "@/lib/store/people/members";
import { useTestState } from "@/lib/testing/database";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { createKey, listKeys, renameKey, replaceKey, revokeKey } from "./keys";

useTestState({ LIMIT_ACCOUNT_MINUTE: "100000" });

const HOUR_MS = 3_600_000;
const cookies = { owner: "", member: "", stranger: "" };
type Who = keyof typeof cookies;
let workspace_id = "";

beforeAll(async () => {
  const [own, member, stranger] = [await newWorkspace(), await newWorkspace(), await newWorkspace()];
  workspace_id = own.workspaceId;
  await addMember(workspace_id, member.userId, "member", ADMINISTRATOR);
  cookies.owner = await sessionCookie(own.userId);
  cookies.member = await sessionCookie(member.userId);
  cookies.stranger = await sessionCookie(stranger.userId);
});

const create = async (who: Who, expires_at: string | null = null): Promise<{ id: string; key: string }> =>
  (await call(createKey, { workspace_id }, { cookie: cookies[who] }, { name: "laptop", expires_at })).body;
const rename = (who: Who, key_id: string, name: string) =>
  call(renameKey, { workspace_id, key_id }, { cookie: cookies[who] }, { name });
const replace = (who: Who, key_id: string, body: object = {}) =>
  call(replaceKey, { workspace_id, key_id }, { cookie: cookies[who] }, body);
const listed = async (id: string) =>
  (await call(listKeys, { workspace_id }, { cookie: cookies.owner })).body.keys.find(
    (key: { id: string }) => key.id === id,
  );
const stateOf = (key: string, hours: number) =>
  authenticateKey(key, ["use"], new Date(Date.now() + hours * HOUR_MS)).then(
    () => "works",
    ({ code }: { code: string }) => code,
  );

test("a person renames their own keys, an owner everybody's; nobody else finds them", async () => {
  const { id, key } = await create("member");
  expect((await rename("member", id, "office")).status).toBe(200);
  expect((await listed(id)).name).toBe("office");
  expect((await rename("owner", id, "desk")).status).toBe(200);
  expect((await listed(id)).name).toBe("desk");
  const theirs = await create("owner");
  for (const [who, of] of [
    ["member", theirs.id],
    ["stranger", id],
    ["owner", "no-key"],
  ] as const)
    expect([who, (await rename(who, of, "x")).status]).toEqual([who, 404]);
  expect((await rename("member", id, "\u202ex")).body.error).toBe("invalid_value");
  expect(await stateOf(key, 0)).toBe("works");
});

test("a replaced key works for the requested hours, its successor from the start", async () => {
  const old = await create("member");
  const { status, body } = await replace("member", old.id, { keep_hours: 2 });
  expect([status, body.name, body.expires_at]).toEqual([201, "laptop", null]);
  expect(body.replaced.id).toBe(old.id);
  expect([await stateOf(old.key, 1.9), await stateOf(old.key, 2.1)]).toEqual(["works", "key_expired"]);
  expect([await stateOf(body.key, 0), await stateOf(body.key, 10_000)]).toEqual(["works", "works"]);
});

test("the successor lives as long as its predecessor, which never lives longer than before", async () => {
  const soon = new Date(Date.now() + 3 * HOUR_MS).toISOString();
  const old = await create("member", soon);
  const { body } = await replace("member", old.id);
  expect(body.replaced.expires_at).toBe(soon);
  expect(Date.parse(body.expires_at) - Date.now()).toBeGreaterThan(2 * HOUR_MS);
  expect(Date.parse(body.expires_at) - Date.now()).toBeLessThan(4 * HOUR_MS);
});

test("nobody gets somebody else's key, and a key that no longer works is not replaced", async () => {
  const { id } = await create("member");
  for (const who of ["owner", "stranger"] as const) expect([who, (await replace(who, id)).status]).toEqual([who, 404]);
  for (const keep_hours of [0, 169, 1.5])
    expect([keep_hours, (await replace("member", id, { keep_hours })).status]).toEqual([keep_hours, 400]);
  await call(revokeKey, { workspace_id, key_id: id }, { cookie: cookies.member });
  expect((await replace("member", id)).body.error).toBe("conflict");
});
