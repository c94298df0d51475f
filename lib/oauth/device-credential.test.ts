import { beforeAll, describe, expect, test } from "vitest";
import { keyKindOf } from "@/lib/auth/key-form";
import { listConnections, revokeConnection } from "@/lib/store/people/agent-connections";
import { listDevices } from "@/lib/store/people/devices";
import { removeMember } from "@/lib/store/people/members";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { postedForm, waitingDevice } from "@/lib/testing/device";
import { newWorkspace } from "@/lib/testing/workspace";
import { authenticateAccessToken } from "./access-token";
import { registerClient } from "./registration";
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

const waiting = (fields?: Record<string, string>) => waitingDevice(BASE, NOW, fields);
const rejected = (error: string) => ({ status: 400, body: { error } });
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

describe("the credential", () => {
  test("has the form of the service's keys, lasts half a year, and works for its person on the connector", async () => {
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

  test("is issued once: of many concurrent polls exactly one gets it, and it works", async () => {
    const device = await waiting();
    await device.allow(own);
    const replies = await Promise.all(Array.from({ length: 8 }, () => device.poll(later(5))));
    const won = replies.filter(({ status }) => status === 200);
    expect(won.length).toBe(1);
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect(reply).toMatchObject(rejected("invalid_grant"));
    expect(await admits(String(won[0]?.body?.access_token))).toBe(true);
    expect(await device.poll(later(60))).toMatchObject(rejected("invalid_grant"));
  });

  test("is not issued once the person has withdrawn the approval", async () => {
    const person = await newWorkspace();
    const device = await waiting();
    await device.allow(person);
    const { prisma } = await database();
    const { id } = await prisma.agentConnection.findFirstOrThrow({ where: { userId: person.userId } });
    await revokeConnection({ id }, { actor: "operator" });
    expect(await device.poll(later(5))).toMatchObject(rejected("invalid_grant"));
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

  test("is no longer listed once it has expired", async () => {
    const person = await newWorkspace();
    await signedIn(person);
    expect((await listDevices(person.workspaceId, later(HALF_YEAR))).length).toBe(1);
    expect(await listDevices(person.workspaceId, later(HALF_YEAR + 5))).toEqual([]);
  });

  test("tells only its own command line whom it acts for, and that one can end it", async () => {
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

  test("of a member who leaves the workspace ends permanently, even if they come back", async () => {
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
