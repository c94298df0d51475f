import { beforeAll, describe, expect, test } from "vitest";
import { keyKindOf } from "@/lib/auth/key-form";
import { listConnections, revokeConnection } from "@/lib/store/agent-connections";
import { listAudit } from "@/lib/store/audit";
import { database } from "@/lib/store/database";
import { listDevices } from "@/lib/store/devices";
import { removeMember } from "@/lib/store/members";
import { useTestState } from "@/lib/testing/database";
import { postedForm, waitingDevice } from "@/lib/testing/device";
import { newWorkspace } from "@/lib/testing/workspace";
import { authenticateAccessToken } from "./access-token";
import { authorizeDevice } from "./device-authorization";
import { registerClient } from "./registration";
import { newOAuthSecret } from "./token";
import { exchange } from "./token-endpoint";
import { introspect, revoke } from "./token-management";

useTestState();

const BASE = "https://data.example.org";
const RESOURCE = `${BASE}/api/mcp`;
const NOW = new Date("2026-06-01T12:00:00Z");
const HALF_YEAR = 180 * 86_400;
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

let own: Awaited<ReturnType<typeof newWorkspace>>;
beforeAll(async () => {
  own = await newWorkspace();
});

const ask = (fields: Record<string, string>, authorization: string | null = null) =>
  authorizeDevice(postedForm(fields, authorization), { base: BASE, address: "192.0.2.7", now: NOW });
const waiting = (fields?: Record<string, string>) => waitingDevice(BASE, NOW, fields);
const refused = (error: string) => ({ status: 400, body: { error } });
const admits = (token: string, at = later(30)): Promise<boolean> =>
  authenticateAccessToken(token, RESOURCE, at).then(
    () => true,
    () => false,
  );

async function signedIn(who = own, fields?: Record<string, string>) {
  const device = await waiting(fields);
  await device.allow(who);
  const { status, body } = await device.poll(later(5));
  expect(status).toBe(200);
  return { ...device, credential: String(body?.access_token), body };
}

describe("asking for a code", () => {
  test("a long name of a computer is cut between letters, never through one", async () => {
    const { credential } = await signedIn(own, { device_name: `a${"\u{1F600}".repeat(80)}` });
    expect(await introspect(postedForm({ client_id: "parquetry-cli", token: credential }), later(10))).toMatchObject({
      body: { device_name: `a${"\u{1F600}".repeat(59)}` },
    });
  });

  test("gives two codes, the page and how often to ask; neither code is stored", async () => {
    const { status, body, headers } = await ask({ client_id: "parquetry-cli", device_name: "lab\u202e-7\u0000" });
    expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(body).toEqual({
      device_code: expect.stringMatching(/^svc_odc_[\w-]{43}$/),
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
      verification_uri: `${BASE}/device`,
      verification_uri_complete: `${BASE}/device?user_code=${body?.user_code}`,
      expires_in: 900,
      interval: 5,
    });
    const { pool } = await database();
    const rows = JSON.stringify((await pool.query(`SELECT t::text AS row FROM "DeviceCode" t`)).rows);
    for (const code of [String(body?.device_code), String(body?.user_code), String(body?.user_code).replace("-", "")])
      expect(rows).not.toContain(code);
    expect(rows).toContain("lab-7");
    expect(rows).not.toContain("192.0.2.7");
  });

  test("is for our own command line alone", async () => {
    const { body } = await registerClient({ redirect_uris: ["http://127.0.0.1/callback"] }, NOW);
    expect(await ask({ client_id: String(body?.client_id) })).toMatchObject(refused("unauthorized_client"));
    for (const fields of [{}, { client_id: "nobody" }, { client_id: "parquetry-cli", client_secret: "x" }] as Record<
      string,
      string
    >[])
      expect(await ask(fields)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
  });

  test("for what does not exist is refused", async () => {
    expect(await ask({ client_id: "parquetry-cli", scope: "everything" })).toMatchObject(refused("invalid_scope"));
    expect(await ask({ client_id: "parquetry-cli", resource: "https://other.example/api/mcp" })).toMatchObject(
      refused("invalid_target"),
    );
  });

  test("forgets codes an hour after they expired", async () => {
    const old = await waitingDevice(BASE, later(-2 * 3600));
    await waiting();
    expect(await old.poll(NOW)).toMatchObject(refused("invalid_grant"));
  });
});

describe("a command line that waits", () => {
  test("hears that nobody has answered, and to be slower when it asks too soon; each time by five seconds more", async () => {
    const device = await waiting();
    expect(await device.poll(later(1))).toMatchObject(refused("authorization_pending"));
    expect(await device.poll(later(5))).toMatchObject(refused("slow_down")); // 4 s after: from now on 10
    expect(await device.poll(later(14))).toMatchObject(refused("slow_down")); // 9 s after: from now on 15
    expect(await device.poll(later(28))).toMatchObject(refused("slow_down")); // from now on 20
    expect(await device.poll(later(48))).toMatchObject(refused("authorization_pending"));
  });

  test("asking many times at once is let through once: the others wait for the row and are too soon", async () => {
    const device = await waiting();
    const { pool } = await database();
    const holder = await pool.connect();
    await holder.query("BEGIN");
    await holder.query(`SELECT hash FROM "DeviceCode" FOR UPDATE`);
    const asked = Promise.all([device.poll(later(100)), device.poll(later(100)), device.poll(later(100))]);
    await expect
      .poll(async () => (await holder.query("SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted")).rows[0].n)
      .toBeGreaterThanOrEqual(3);
    await holder.query("COMMIT");
    holder.release();
    expect((await asked).map(({ body }) => body?.error).sort()).toEqual([
      "authorization_pending",
      "slow_down",
      "slow_down",
    ]);
  });

  test("hears that it was refused, also after its code has expired", async () => {
    const device = await waiting();
    await device.refuse(own.userId);
    for (const at of [later(5), later(1000)]) expect(await device.poll(at)).toMatchObject(refused("access_denied"));
  });

  test("hears that its code has expired, which then nobody can answer any more", async () => {
    const device = await waiting();
    expect(await device.poll(later(900))).toMatchObject(refused("expired_token"));
    await expect(device.allow(own, later(900))).rejects.toMatchObject({ code: "not_found" });
    await expect(device.refuse(own.userId, later(900))).rejects.toMatchObject({ code: "not_found" });
  });

  test("allowed in the last second has a minute to come", async () => {
    const [first, second] = [await waiting(), await waiting()];
    for (const device of [first, second]) await device.allow(own, later(899));
    expect((await first.poll(later(958))).status).toBe(200);
    expect(await second.poll(later(960))).toMatchObject(refused("expired_token"));
  });

  test("gets its credential with a foreign, unknown or malformed code never", async () => {
    const device = await waiting();
    await device.allow(own);
    for (const code of [newOAuthSecret("device"), "1234", device.userCode])
      expect(await device.poll(later(5), { device_code: code })).toMatchObject(refused("invalid_grant"));
    expect(await device.poll(later(5), { device_code: "" })).toMatchObject(refused("invalid_grant"));
    const { body } = await registerClient({ redirect_uris: ["http://127.0.0.1/callback"] }, NOW);
    expect(await device.poll(later(5), { client_id: String(body?.client_id) })).toMatchObject(
      refused("unauthorized_client"),
    );
    expect(await device.poll(later(5), { resource: `${RESOURCE}/account` })).toMatchObject(refused("invalid_target"));
    expect((await device.poll(later(6))).status).toBe(200);
  });

  test("our command line has no other grant", async () => {
    await waiting();
    expect(
      await exchange(
        postedForm({
          grant_type: "refresh_token",
          client_id: "parquetry-cli",
          refresh_token: newOAuthSecret("refresh"),
        }),
        NOW,
      ),
    ).toMatchObject(refused("unauthorized_client"));
  });
});

describe("the answer", () => {
  test("is given once: the second person finds nothing", async () => {
    const device = await waiting();
    const answers = await Promise.allSettled([device.allow(own), device.refuse(own.userId), device.allow(own)]);
    expect(answers.filter(({ status }) => status === "fulfilled").length).toBe(1);
  });

  test("lets nobody into a workspace of others, and the code waits on", async () => {
    const other = await newWorkspace();
    const device = await waiting();
    await expect(device.allow({ userId: own.userId, workspaceId: other.workspaceId })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await device.poll(later(1))).toMatchObject(refused("authorization_pending"));
    await device.allow(own);
  });

  test("stands in the audit log: allowed and revoked in the workspace's, refused in the person's", async () => {
    const person = await newWorkspace();
    const device = await waiting({ device_name: "lab-7" });
    await device.refuse(person.userId);
    const { credential } = await signedIn(person, { device_name: "lab-8" });
    await revoke(postedForm({ client_id: "parquetry-cli", token: credential }), later(10));
    const [inWorkspace, ofPerson] = [
      await listAudit({ workspaceId: person.workspaceId, limit: 10 }),
      await listAudit({ userId: person.userId, limit: 10 }),
    ];
    expect(inWorkspace.map(({ action, details }) => [action, details.name]).sort()).toEqual([
      ["device.allowed", "lab-8"],
      ["device.revoked", "lab-8"],
    ]);
    expect(ofPerson).toMatchObject([{ action: "device.refused", details: { name: "lab-7" } }]);
  });
});

describe("the credential", () => {
  test("has the form of the service's keys, half a year, and opens the connector for its person", async () => {
    const { credential, body } = await signedIn(own, { scope: "datasets:read datasets:build" });
    expect(body).toEqual({
      access_token: credential,
      token_type: "Bearer",
      expires_in: HALF_YEAR,
      scope: "datasets:read datasets:build",
    });
    expect(keyKindOf(credential)).toBe("cli");
    const grant = {
      kind: "device",
      userId: own.userId,
      workspaceId: own.workspaceId,
      scopes: ["datasets:read", "datasets:build"],
    };
    expect(await authenticateAccessToken(credential, RESOURCE, later(HALF_YEAR))).toMatchObject(grant);
    expect(await admits(credential, later(HALF_YEAR + 5))).toBe(false);
    await expect(authenticateAccessToken(credential, `${RESOURCE}/account`, later(10))).rejects.toMatchObject({
      code: "key_wrong_type",
    });
  });

  test("is given once: of many questions at once exactly one gets it, and it holds", async () => {
    const device = await waiting();
    await device.allow(own);
    const replies = await Promise.all(Array.from({ length: 8 }, () => device.poll(later(5))));
    const won = replies.filter(({ status }) => status === 200);
    expect(won.length).toBe(1);
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect(reply).toMatchObject(refused("invalid_grant"));
    expect(await admits(String(won[0]?.body?.access_token))).toBe(true);
    expect(await device.poll(later(60))).toMatchObject(refused("invalid_grant"));
  });

  test("is not given once the person took back what they allowed", async () => {
    const person = await newWorkspace();
    const device = await waiting();
    await device.allow(person);
    const { prisma } = await database();
    const { id } = await prisma.agentConnection.findFirstOrThrow({ where: { userId: person.userId } });
    await revokeConnection({ id }, { actor: "operator" });
    expect(await device.poll(later(5))).toMatchObject(refused("invalid_grant"));
  });

  test("is listed by its ends among devices, not agents, and ends with its revocation", async () => {
    const person = await newWorkspace();
    const { credential } = await signedIn(person, { device_name: "lab-7" });
    const [listed] = await listDevices(person.workspaceId, later(10));
    const key = credential.slice("svc_cli_".length);
    expect(listed).toMatchObject({
      name: "lab-7",
      first4: key.slice(0, 4),
      last4: key.slice(-4),
      scopes: ["datasets:read"],
      email: person.email,
      lastUsedAt: null,
    });
    expect(await listConnections(person.workspaceId)).toEqual([]);
    expect(await revokeConnection({ id: listed?.id ?? "", of: "agent" }, { actor: "operator" })).toBe(false);
    expect(await revokeConnection({ id: listed?.id ?? "", of: "device" }, { actor: "operator" })).toBe(true);
    expect([await admits(credential), await listDevices(person.workspaceId, later(10))]).toEqual([false, []]);
  });

  test("one that expired is listed no more", async () => {
    const person = await newWorkspace();
    await signedIn(person);
    expect((await listDevices(person.workspaceId, later(HALF_YEAR))).length).toBe(1);
    expect(await listDevices(person.workspaceId, later(HALF_YEAR + 5))).toEqual([]);
  });

  test("tells its own command line whom it speaks for, and nobody else anything; that one can end it", async () => {
    const { credential } = await signedIn(own, { device_name: "lab-7" });
    const { body } = await registerClient({ redirect_uris: ["http://127.0.0.1/callback"] }, NOW);
    const stranger = { client_id: String(body?.client_id), token: credential };
    const mine = { client_id: "parquetry-cli", token: credential };
    expect((await introspect(postedForm(mine), later(10))).body).toMatchObject({
      active: true,
      username: own.email,
      workspace_id: own.workspaceId,
      device_name: "lab-7",
      scope: "datasets:read",
      aud: RESOURCE,
    });
    expect((await introspect(postedForm(stranger), later(10))).body).toEqual({ active: false });
    expect((await revoke(postedForm(stranger), later(10))).status).toBe(200);
    expect(await admits(credential)).toBe(true);
    expect((await revoke(postedForm(mine), later(10))).status).toBe(200);
    expect([await admits(credential), (await introspect(postedForm(mine), later(20))).body]).toEqual([
      false,
      { active: false },
    ]);
  });

  test("of somebody who leaves the workspace ends for good, also when they come back", async () => {
    const [host, guest] = [await newWorkspace(), await newWorkspace()];
    const { prisma } = await database();
    const membership = { userId: guest.userId, workspaceId: host.workspaceId, role: "member" as const };
    await prisma.membership.create({ data: membership });
    const { credential } = await signedIn({ ...guest, workspaceId: host.workspaceId });
    expect(await admits(credential)).toBe(true);
    await removeMember(host.workspaceId, guest.userId, { actor: "operator" });
    expect(await admits(credential)).toBe(false);
    await prisma.membership.create({ data: membership });
    expect(await admits(credential)).toBe(false);
  });
});
