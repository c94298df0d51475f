import { createHash, randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { insertConnection } from "@/lib/store/people/agent-connections";
import { addMember, removeMember, setRole } from "@/lib/store/people/members";
import { deletePerson, setDisabled } from "@/lib/store/people/people";
import { useTestState } from "@/lib/testing/database";
import { postedForm } from "@/lib/testing/device";
import { newWorkspace } from "@/lib/testing/workspace";
import { authenticateAccessToken } from "./access-token";
import { resolveClient } from "./clients";
import { authorizeDevice } from "./device-authorization";
import { oauthModel } from "./model";
import { registerClient } from "./registration";
import { newOAuthSecret, oauthHash } from "./token";
import { exchange } from "./token-endpoint";
import { introspect, revoke } from "./token-management";

useTestState();

const RESOURCE = "https://data.example.org/api/mcp";
const REDIRECT = "https://agent.example.com/callback";
const NOW = new Date("2026-06-01T12:00:00Z");
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);
const invalidGrant = { status: 400, body: { error: "invalid_grant" } };

let person: { userId: string; workspaceId: string };
beforeEach(async () => {
  const host = await newWorkspace();
  person = { userId: (await newWorkspace()).userId, workspaceId: host.workspaceId };
  await addMember(host.workspaceId, person.userId, "owner", ADMINISTRATOR);
});

async function register(more: Record<string, unknown> = {}): Promise<{ id: string; secret: string }> {
  const { body } = await registerClient({ redirect_uris: [REDIRECT], ...more }, NOW);
  return { id: String(body?.client_id), secret: String(body?.client_secret ?? "") };
}

async function consented(client: string, scopes = ["datasets:read"]): Promise<Record<string, string>> {
  const [code, verifier] = [newOAuthSecret("code"), randomBytes(32).toString("base64url")];
  const codeChallenge = createHash("sha256").update(verifier).digest("base64url");
  const kept = { hash: oauthHash(code), redirectUri: REDIRECT, codeChallenge, expiresAt: later(60) };
  await insertConnection({ ...person, clientId: client, scopes, resource: RESOURCE }, kept, {
    actor: "person",
    userId: person.userId,
  });
  return { grant_type: "authorization_code", client_id: client, code, code_verifier: verifier, redirect_uri: REDIRECT };
}

const tokensOf = async (fields: Record<string, string>, at = NOW): Promise<{ access: string; refresh: string }> => {
  const { status, body } = await exchange(postedForm(fields), at);
  expect(status).toBe(200);
  return { access: String(body?.access_token), refresh: String(body?.refresh_token) };
};

const refreshed = (client: string, token: string, more: Record<string, string> = {}, at = later(5)) =>
  exchange(postedForm({ grant_type: "refresh_token", client_id: client, refresh_token: token, ...more }), at);

const admits = (token: string): Promise<boolean> =>
  authenticateAccessToken(token, RESOURCE, later(10)).then(
    () => true,
    () => false,
  );

describe("a code", () => {
  test("used twice concurrently works once, and the second use revokes the first one's tokens", async () => {
    const { id } = await register();
    const fields = await consented(id);
    const model = oauthModel(undefined, NOW);
    const [mine, theirs] = [
      await model.getAuthorizationCode(fields.code ?? ""),
      await model.getAuthorizationCode(fields.code ?? ""),
    ];
    const client = { id, grants: ["authorization_code"] };
    expect(await model.revokeAuthorizationCode(mine as never)).toBe(true);
    const token = {
      accessToken: newOAuthSecret("access"),
      refreshToken: newOAuthSecret("refresh"),
      scope: ["datasets:read"],
    };
    await model.saveToken(token as never, client, (mine as { user: object }).user);
    expect(await admits(token.accessToken)).toBe(true);
    expect(await model.revokeAuthorizationCode(theirs as never)).toBe(false);
    expect([await admits(token.accessToken), (await refreshed(id, token.refreshToken)).status]).toEqual([false, 400]);
  });

  test("whose connection ends during the exchange yields no tokens, like any invalid code", async () => {
    const { id } = await register();
    const model = oauthModel(undefined, NOW);
    const code = (await model.getAuthorizationCode((await consented(id)).code ?? "")) as { user: object };
    await model.revokeAuthorizationCode(code as never);
    await model.revokeAuthorizationCode(code as never); // somebody else, at the same moment
    const token = {
      accessToken: newOAuthSecret("access"),
      refreshToken: newOAuthSecret("refresh"),
      scope: ["datasets:read"],
    };
    await expect(model.saveToken(token as never, { id, grants: [] }, code.user)).rejects.toMatchObject({
      name: "invalid_grant",
      code: 400,
    });
    expect(await admits(token.accessToken)).toBe(false);
  });

  test("sent with a wrong verifier is invalidated, so nobody can keep guessing", async () => {
    const { id } = await register();
    const fields = await consented(id);
    expect(await exchange(postedForm({ ...fields, code_verifier: "a".repeat(43) }), NOW)).toMatchObject(invalidGrant);
    expect(await exchange(postedForm(fields), NOW)).toMatchObject(invalidGrant);
  });

  test("used by another client is rejected there, and remains valid for its own", async () => {
    const [own, other] = [await register(), await register()];
    const fields = await consented(own.id);
    expect(await exchange(postedForm({ ...fields, client_id: other.id }), NOW)).toMatchObject(invalidGrant);
    expect((await exchange(postedForm(fields), NOW)).status).toBe(200);
  });
});

describe("a refresh token", () => {
  test("sent many times at once, as by a client with several windows, locks nobody out", async () => {
    const { id } = await register();
    const { refresh } = await tokensOf(await consented(id));
    const replies = await Promise.all(Array.from({ length: 8 }, () => refreshed(id, refresh)));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    for (const { body } of replies) expect(await admits(String(body?.access_token))).toBe(true);
    expect(new Set(replies.map(({ body }) => body?.refresh_token)).size).toBe(1);
  });

  test("that was narrowed never widens again", async () => {
    const { id } = await register();
    const { refresh } = await tokensOf(await consented(id, ["datasets:read", "datasets:build"]));
    const narrow = String((await refreshed(id, refresh, { scope: "datasets:read" })).body?.refresh_token);
    expect(await refreshed(id, narrow, { scope: "datasets:read datasets:build" }, later(40))).toMatchObject({
      status: 400,
      body: { error: "invalid_scope" },
    });
    expect((await refreshed(id, narrow, {}, later(41))).body?.scope).toBe("datasets:read");
  });
});

describe("after the consent", () => {
  const leaving = {
    "left the workspace": () => removeMember(person.workspaceId, person.userId, ADMINISTRATOR),
    "was shut out": () => setDisabled(person.userId, true, ADMINISTRATOR),
    "was deleted": () => deletePerson(person.userId, ADMINISTRATOR),
  };
  for (const [what, leave] of Object.entries(leaving)) {
    test(`of somebody who ${what}, codes, access tokens and refresh tokens are dead`, async () => {
      const { id } = await register();
      const unused = await consented(id);
      const { access, refresh } = await tokensOf(await consented(id));
      await leave();
      expect(await admits(access)).toBe(false);
      expect(await refreshed(id, refresh)).toMatchObject(invalidGrant);
      expect(await exchange(postedForm(unused), NOW)).toMatchObject(invalidGrant);
      expect((await introspect(postedForm({ client_id: id, token: access }), NOW)).body).toEqual({ active: false });
    });
  }

  test("of a member who left and came back they remain dead", async () => {
    const { id } = await register();
    const { access } = await tokensOf(await consented(id));
    await removeMember(person.workspaceId, person.userId, ADMINISTRATOR);
    await addMember(person.workspaceId, person.userId, "owner", ADMINISTRATOR);
    expect(await admits(access)).toBe(false);
  });

  test("of an owner who is now a member they can still read, which needs no owner", async () => {
    const { id } = await register();
    const { access } = await tokensOf(await consented(id));
    expect(await setRole(person.workspaceId, person.userId, "member", ADMINISTRATOR)).toBeUndefined();
    expect(await admits(access)).toBe(true);
  });
});

describe("a program with a secret", () => {
  test("authenticates only with it, at every endpoint, in either method", async () => {
    const { id, secret } = await register({ token_endpoint_auth_method: "client_secret_basic" });
    const { access } = await tokensOf({ ...(await consented(id)), client_secret: secret });
    const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;
    const wrong = [
      null,
      "Basic",
      "Basic !!!!",
      basic(""),
      basic(id),
      basic(`${id}:`),
      basic(`:${secret}`),
      basic(`${id}:${secret}x`),
      basic(`${id}:${secret}:`),
      basic(`${id}:\u0000`),
      `Basic ${"A".repeat(60_000)}`,
      `Bearer ${secret}`,
    ];
    for (const authorization of wrong) {
      const form = postedForm({ client_id: id, token: access }, authorization);
      for (const endpoint of [introspect, revoke])
        expect([authorization, (await endpoint(form, NOW)).status]).toEqual([authorization, 401]);
      const fields = await consented(id);
      expect([authorization, (await exchange(postedForm(fields, authorization), NOW)).status >= 400]).toEqual([
        authorization,
        true,
      ]);
    }
    expect(await admits(access)).toBe(true);
    const encoded = basic(`${encodeURIComponent(id)}:${secret.replaceAll("_", "%5F").replaceAll("-", "%2D")}`);
    const { client_id: _client, ...fields } = await consented(id);
    expect((await exchange(postedForm(fields, encoded), NOW)).status).toBe(200);
    for (const scheme of [encoded, basic(`${id}:${secret}`), basic(`${id}:${secret}`).replace("Basic", "bAsIc")])
      expect((await introspect(postedForm({ token: access }, scheme), NOW)).body).toMatchObject({ active: true });
  });
});

test("an impossible client id is unknown at every endpoint, without an internal error", async () => {
  for (const id of ["\u0000", "a\u0000b", "\ud83d", "https://agent.example.com/\u0000"]) {
    const form = postedForm({ client_id: id, token: newOAuthSecret("access") });
    expect([(await revoke(form, NOW)).status, (await introspect(form, NOW)).status]).toEqual([401, 401]);
    expect(
      await authorizeDevice(form, { base: "https://data.example.org", address: undefined, now: NOW }),
    ).toMatchObject({ status: 401 });
    expect(await resolveClient(id, NOW, () => Promise.reject(new Error("asked")))).toBeUndefined();
  }
});

test("a program's home page is stored as a normalised URL, however it was spelt", async () => {
  const { status, body } = await registerClient(
    { redirect_uris: [REDIRECT], client_uri: "https://agent.example.com/\u0000\ud83d" },
    NOW,
  );
  expect([status, body?.client_uri]).toEqual([201, "https://agent.example.com/%00%EF%BF%BD"]);
});
