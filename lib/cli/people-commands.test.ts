import { expect, test } from "vitest";
import { authenticateKey } from "@/lib/auth/authenticate";
import { tokenHash } from "@/lib/auth/one-time-token";
import { listAudit } from "@/lib/store/audit";
import { takeToken } from "@/lib/store/people/one-time-tokens";
import { findPerson } from "@/lib/store/people/people";
import { createSession, findSession } from "@/lib/store/people/sessions";
import { callCommand } from "@/lib/testing/command";
import { useTestState } from "@/lib/testing/database";

useTestState({ PARQUETRY_BASE_URL: "https://data.example.com" });
const NOBODY = "11111111-1111-4111-8111-111111111111";

const run = callCommand;
async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, "--json");
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
const rejected = async (args: string[], message: RegExp) =>
  expect(await run(...args)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });

const idOf = async (email: string) => (await findPerson(email))?.id ?? "";
const stateOf = (key: string) =>
  authenticateKey(key, ["use", "live"], new Date()).then(
    ({ kind }) => kind as string,
    (error: { code: string }) => error.code,
  );
const lastAudit = async (count: number) =>
  (await listAudit({ limit: count })).map(({ action, actor, subject }) => [action, actor, subject]);

test("disable, enable and delete apply to everything that a person has", async () => {
  const { key } = await json("key", "create", "--email", "Ada@Example.com");
  const id = await idOf("ada@example.com");
  const session = await createSession({
    userId: id,
    expiresAt: new Date(Date.now() + 3_600_000),
    browser: "Firefox on Linux",
    fromHash: null,
  });
  expect(await json("user", "list")).toMatchObject([
    { id, email: "ada@example.com", keys: 1, workspaces: 1, disabled_at: null },
  ]);
  const shown = await json("user", "show", "ADA@example.com");
  expect(shown).toMatchObject({
    email: "ada@example.com",
    has_password: false,
    identities: [],
    sessions: [{ browser: "Firefox on Linux" }],
    workspaces: [{ personal: true, role: "owner", plan: "free" }],
  });
  expect(JSON.stringify(shown)).not.toContain(session);
  expect((await run("user", "show", "ada@example.com")).stdout).toMatch(
    /email +ada@example\.com[\s\S]*role +personal[\s\S]*Firefox on Linux/,
  );
  expect(await json("user", "disable", "ada@example.com")).toEqual({ email: "ada@example.com", status: "disabled" });
  expect(await json("user", "disable", "ada@example.com")).toEqual({
    email: "ada@example.com",
    status: "already disabled",
  });
  expect(await stateOf(key)).toBe("key_revoked");
  expect((await findSession(session ?? ""))?.revokedAt).not.toBeNull();
  await rejected(["user", "link", "ada@example.com"], /is disabled.*parquetry user enable/);
  expect(await json("user", "enable", "ada@example.com")).toMatchObject({ status: "enabled" });
  expect(await stateOf(key)).toBe("use");
  expect(await lastAudit(2)).toEqual([
    ["account.enabled", "operator", id],
    ["account.disabled", "operator", id],
  ]);
  const asked = await run("user", "delete", "ada@example.com");
  expect(asked).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Nothing was deleted.*--yes/),
    stdout: expect.stringMatching(/workspaces +ada@example\.com \(/),
  });
  expect(await idOf("ada@example.com")).toBe(id);
  expect(await json("user", "delete", "ada@example.com", "--yes")).toMatchObject({ status: "deleted" });
  expect(await idOf("ada@example.com")).toBe("");
  expect(await stateOf(key)).not.toBe("use");
  expect(await lastAudit(5)).toContainEqual(["account.deleted", "operator", id]);
});

test("user link prints a single-use link, which the log records without the link itself", async () => {
  await run("key", "create", "--email", "link@example.com");
  const id = await idOf("link@example.com");
  for (const [to, path, purpose] of [
    ["reset", "/reset-password", "reset_password"],
    ["verify", "/verify-email", "verify_email"],
  ] as const) {
    const { link } = await json("user", "link", "link@example.com", "--to", to);
    const { origin, pathname, hash } = new URL(link);
    expect([origin, pathname]).toEqual(["https://data.example.com", path]);
    const token = hash.slice("#token=".length);
    const stored = tokenHash(token);
    if (!stored) throw new Error("no token");
    expect(await takeToken(stored, purpose, new Date())).toMatchObject({ email: "link@example.com", userId: id });
    expect(await takeToken(stored, purpose, new Date())).toBeUndefined();
    const [told] = await listAudit({ limit: 1 });
    expect(told).toMatchObject({ action: "account.link_made", actor: "operator", subject: id, details: { purpose } });
    expect(JSON.stringify(told)).not.toContain(token);
  }
  await rejected(["user", "link", "link@example.com", "--to", "sign-in"], /^to: .*reset.*verify/);
});

test("changes of workspaces, members, roles, plans and keys are logged as the administrator's", async () => {
  for (const name of ["owner", "second"]) await run("key", "create", "--email", `${name}@example.com`);
  const { id } = await json("workspace", "create", "--name", "Rivers", "--owner", "owner@example.com");
  expect(await json("member", "add", id, "second@example.com")).toEqual({
    workspace: id,
    email: "second@example.com",
    role: "member",
  });
  await rejected(["member", "add", id, "second@example.com"], /is already a member/);
  const { workspaces } = await json("user", "show", "owner@example.com");
  await rejected(
    ["member", "add", workspaces[0].id, "second@example.com"],
    /personal workspace cannot have other members/,
  );
  const theirs = await json("key", "create", "--workspace", id, "--email", "second@example.com", "--name", "theirs");
  const forLive = ["key", "create", "--workspace", id, "--kind", "live"];
  await rejected(forLive, /no active subscription, so its live keys are rejected/);
  expect(await json("workspace", "plan", id, "paid")).toMatchObject({ from: "free", subscription: "active" });
  const live = await json(...forLive);
  expect(live.opens).toEqual([]);
  expect([await stateOf(theirs.key), await stateOf(live.key)]).toEqual(["use", "live"]);
  expect(live.key).toMatch(/^svc_live_/);
  expect(await json("key", "list", "--workspace", id)).toMatchObject([
    { id: live.id, email: null, name: "live key" },
    { id: theirs.id, email: "second@example.com" },
  ]);
  expect(await json("workspace", "plan", id, "paid")).toEqual({
    id,
    from: "paid active",
    plan: "paid",
    subscription: "active",
  });
  expect(await json("workspace", "plan", id, "paid", "--subscription", "past_due")).toMatchObject({
    from: "paid active",
    subscription: "past_due",
  });
  expect(await json("workspace", "show", id)).toMatchObject({
    name: "Rivers",
    plan: "paid",
    subscription: "past_due",
    billed_by: "operator",
    people: [
      { email: "owner@example.com", role: "owner" },
      { email: "second@example.com", role: "member" },
    ],
  });
  expect((await run("workspace", "show", id)).stdout).toMatch(
    /name +Rivers[\s\S]*user_id +email +name +role[\s\S]*second@example\.com/,
  );
  expect((await json("workspace", "list")).map(({ name }: { name: string }) => name)).toContain("Rivers");
  await rejected(["user", "delete", "owner@example.com", "--yes"], /only owner of .*parquetry member role/);
  await rejected(["member", "role", id, "owner@example.com", "member"], /is the last owner/);
  await run("member", "role", id, "second@example.com", "owner");
  await run("member", "role", id, "owner@example.com", "member");
  await run("member", "remove", id, "owner@example.com");
  expect(await stateOf(theirs.key)).toBe("use");
  await run("member", "add", id, "owner@example.com", "--role", "owner");
  await run("member", "remove", id, "second@example.com");
  expect([await stateOf(theirs.key), await stateOf(live.key)]).toEqual(["key_revoked", "live"]);
  const log = await listAudit({ workspaceId: id, limit: 100 });
  expect(new Set(log.map(({ actor }) => actor))).toEqual(new Set(["operator"]));
  expect(log.map(({ action }) => action).reverse()).toEqual([
    "workspace.created",
    "member.joined",
    "key.created",
    "plan.changed",
    "key.created",
    "plan.changed",
    "plan.changed",
    "member.role_changed",
    "member.role_changed",
    "member.removed",
    "member.joined",
    expect.stringMatching(/member\.removed|key\.revoked/),
    expect.stringMatching(/member\.removed|key\.revoked/),
  ]);
});

test.each<[string[], RegExp]>([
  [["user", "show", "nobody@example.com"], /Unknown email address: nobody@example\.com.*parquetry user list/],
  [["workspace", "show", "x"], /Unknown workspace: x.*parquetry workspace list/],
  [["workspace", "plan", NOBODY, "paid"], /Unknown workspace: /],
  [["workspace", "plan", NOBODY, "gold"], /plan: .*free.*paid/],
  [["workspace", "plan", NOBODY, "paid", "--subscription", "maybe"], /subscription: .*active/],
  [["workspace", "create", "--name", " ", "--owner", "x@example.com"], /name: /],
  [["member", "add", NOBODY, "x@example.com", "--role", "king"], /role: .*owner.*member/],
  [["key", "create"], /email: Missing owner. Give --email for a person, or --workspace/],
  [["key", "create", "--email", "no address"], /email: /],
  [
    ["key", "create", "--kind", "live", "--email", "x@example.com"],
    /workspace: Missing workspace. A live key belongs to a workspace/,
  ],
  [["key", "create", "--kind", "cli", "--email", "x@example.com"], /kind: .*use.*live/],
  [["key", "create", "--workspace", NOBODY, "--expires", "soon"], /expires: Use a number of days/],
])("%s is rejected with what to do about it", async (args, message) => rejected(args, message));

test("no key is created for someone who is not a member of the workspace", async () => {
  await run("key", "create", "--email", "in@example.com");
  await run("key", "create", "--email", "out@example.com");
  const { id } = await json("workspace", "create", "--name", "Closed", "--owner", "in@example.com");
  await rejected(
    ["key", "create", "--workspace", id, "--email", "out@example.com"],
    /out@example\.com is not a member of the workspace\. First run: parquetry member add/,
  );
  expect(await json("key", "list", "--workspace", id)).toEqual([]);
});
