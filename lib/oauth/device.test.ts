import { beforeAll, describe, expect, test } from "vitest";
import { listAudit } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { postedForm, waitingDevice } from "@/lib/testing/device";
import { newWorkspace } from "@/lib/testing/workspace";
import { authorizeDevice } from "./device-authorization";
import { registerClient } from "./registration";
import { newOAuthSecret } from "./token";
import { exchange } from "./token-endpoint";
import { introspect, revoke } from "./token-management";

useTestState();

const BASE = "https://data.example.org";
const RESOURCE = `${BASE}/api/mcp`;
const NOW = new Date("2026-06-01T12:00:00Z");
const _HALF_YEAR = 180 * 86_400;
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

let own: Awaited<ReturnType<typeof newWorkspace>>;
beforeAll(async () => {
  own = await newWorkspace();
});

const ask = (fields: Record<string, string>, authorization: string | null = null) =>
  authorizeDevice(postedForm(fields, authorization), { base: BASE, address: "192.0.2.7", now: NOW });
const waiting = (fields?: Record<string, string>) => waitingDevice(BASE, NOW, fields);
const rejected = (error: string) => ({ status: 400, body: { error } });

async function signedIn(who = own, fields?: Record<string, string>) {
  const device = await waiting(fields);
  await device.allow(who);
  const { status, body } = await device.poll(later(5));
  expect(status).toBe(200);
  return { ...device, credential: String(body?.access_token), body };
}

describe("requesting a code", () => {
  test("a computer's long name is cut between characters, never through one", async () => {
    const { credential } = await signedIn(own, { device_name: `a${"\u{1F600}".repeat(80)}` });
    expect(await introspect(postedForm({ client_id: "parquetry-cli", token: credential }), later(10))).toMatchObject({
      body: { device_name: `a${"\u{1F600}".repeat(59)}` },
    });
  });

  test("returns two codes, the URL and the interval; neither code is stored", async () => {
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

  test("is only for our own command line", async () => {
    const { body } = await registerClient({ redirect_uris: ["http://127.0.0.1/callback"] }, NOW);
    expect(await ask({ client_id: String(body?.client_id) })).toMatchObject(rejected("unauthorized_client"));
    for (const fields of [{}, { client_id: "nobody" }, { client_id: "parquetry-cli", client_secret: "x" }] as Record<
      string,
      string
    >[])
      expect(await ask(fields)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
  });

  test("for unknown scopes or resources is rejected", async () => {
    expect(await ask({ client_id: "parquetry-cli", scope: "everything" })).toMatchObject(rejected("invalid_scope"));
    expect(await ask({ client_id: "parquetry-cli", resource: "https://other.example/api/mcp" })).toMatchObject(
      rejected("invalid_target"),
    );
  });

  test("deletes codes an hour after they expire", async () => {
    const old = await waitingDevice(BASE, later(-2 * 3600));
    await waiting();
    expect(await old.poll(NOW)).toMatchObject(rejected("invalid_grant"));
  });
});

describe("a polling command line", () => {
  test("gets authorization_pending, and slow_down if it polls too soon, each time five seconds more", async () => {
    const device = await waiting();
    expect(await device.poll(later(1))).toMatchObject(rejected("authorization_pending"));
    expect(await device.poll(later(5))).toMatchObject(rejected("slow_down")); // 4 s after: from now on 10
    expect(await device.poll(later(14))).toMatchObject(rejected("slow_down")); // 9 s after: from now on 15
    expect(await device.poll(later(28))).toMatchObject(rejected("slow_down")); // from now on 20
    expect(await device.poll(later(48))).toMatchObject(rejected("authorization_pending"));
  });

  test("polling many times at once passes once: the others get slow_down", async () => {
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

  test("gets access_denied, even after its code has expired", async () => {
    const device = await waiting();
    await device.reject(own.userId);
    for (const at of [later(5), later(1000)]) expect(await device.poll(at)).toMatchObject(rejected("access_denied"));
  });

  test("gets expired_token, and the code can no longer be approved", async () => {
    const device = await waiting();
    expect(await device.poll(later(900))).toMatchObject(rejected("expired_token"));
    await expect(device.allow(own, later(900))).rejects.toMatchObject({ code: "not_found" });
    await expect(device.reject(own.userId, later(900))).rejects.toMatchObject({ code: "not_found" });
  });

  test("approved in the last second gets another minute", async () => {
    const [first, second] = [await waiting(), await waiting()];
    for (const device of [first, second]) await device.allow(own, later(899));
    expect((await first.poll(later(958))).status).toBe(200);
    expect(await second.poll(later(960))).toMatchObject(rejected("expired_token"));
  });

  test("never gets a credential with a foreign, unknown or malformed code", async () => {
    const device = await waiting();
    await device.allow(own);
    for (const code of [newOAuthSecret("device"), "1234", device.userCode])
      expect(await device.poll(later(5), { device_code: code })).toMatchObject(rejected("invalid_grant"));
    expect(await device.poll(later(5), { device_code: "" })).toMatchObject(rejected("invalid_grant"));
    const { body } = await registerClient({ redirect_uris: ["http://127.0.0.1/callback"] }, NOW);
    expect(await device.poll(later(5), { client_id: String(body?.client_id) })).toMatchObject(
      rejected("unauthorized_client"),
    );
    expect(await device.poll(later(5), { resource: `${RESOURCE}/account` })).toMatchObject(rejected("invalid_target"));
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
    ).toMatchObject(rejected("unauthorized_client"));
  });
});

describe("the decision", () => {
  test("is made once: a second person finds no request", async () => {
    const device = await waiting();
    const answers = await Promise.allSettled([device.allow(own), device.reject(own.userId), device.allow(own)]);
    expect(answers.filter(({ status }) => status === "fulfilled").length).toBe(1);
  });

  test("cannot grant access to others' workspaces; the code remains pending", async () => {
    const other = await newWorkspace();
    const device = await waiting();
    await expect(device.allow({ userId: own.userId, workspaceId: other.workspaceId })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await device.poll(later(1))).toMatchObject(rejected("authorization_pending"));
    await device.allow(own);
  });

  test("is in the audit log: allowed and revoked in the workspace's, rejected in the person's", async () => {
    const person = await newWorkspace();
    const device = await waiting({ device_name: "lab-7" });
    await device.reject(person.userId);
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
