import { createHash, randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Failure } from "@/lib/kernel/errors";
import { insertConnection, listConnections, revokeConnection } from "@/lib/store/people/agent-connections";
import { useTestState } from "@/lib/testing/database";
import { newWorkspace } from "@/lib/testing/workspace";
import { authenticateAccessToken } from "./access-token";
import { registerClient } from "./registration";
import { newOAuthSecret, oauthHash } from "./token";
import { exchange, type PostedForm } from "./token-endpoint";
import { introspect, revoke } from "./token-management";

useTestState();

const RESOURCE = "https://data.example.org/api/mcp";
const REDIRECT = "https://agent.example.com/callback";
const NOW = new Date("2026-06-01T12:00:00Z");
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

let userId = "";
let workspaceId = "";

beforeAll(async () => {
  ({ userId, workspaceId } = await newWorkspace());
});

const form = (fields: Record<string, string>, authorization: string | null = null): PostedForm => ({
  fields: new Map(Object.entries(fields)),
  authorization,
});

async function register(metadata: Record<string, unknown> = {}): Promise<Record<string, string>> {
  const { status, body } = await registerClient(
    { client_name: "Test agent", redirect_uris: [REDIRECT], ...metadata },
    NOW,
  );
  expect(status).toBe(201);
  return body as Record<string, string>;
}

/** The result of a person's consent for the program: a code, and the code verifier that only it has. */
async function consent(clientId: string, scopes = ["datasets:read"]) {
  const verifier = randomBytes(32).toString("base64url");
  const code = newOAuthSecret("code");
  const codeChallenge = createHash("sha256").update(verifier).digest("base64url");
  const kept = { hash: oauthHash(code), redirectUri: REDIRECT, codeChallenge, expiresAt: later(60) };
  const id = await insertConnection({ clientId, userId, workspaceId, scopes, resource: RESOURCE }, kept, {
    actor: "person",
    userId,
  });
  return {
    id,
    fields: {
      grant_type: "authorization_code",
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: REDIRECT,
    },
  };
}

async function connected(clientId: string, scopes?: string[]) {
  const { id, fields } = await consent(clientId, scopes);
  const { status, body } = await exchange(form(fields), NOW);
  expect(status).toBe(200);
  return {
    id,
    fields,
    ...(body as { access_token: string; refresh_token: string; expires_in: number; scope: string; token_type: string }),
  };
}

const refreshed = (clientId: string, token: string, at = later(10), more: Record<string, string> = {}) =>
  exchange(form({ grant_type: "refresh_token", client_id: clientId, refresh_token: token, ...more }), at);

/** Why a token is rejected; undefined if it is valid. */
const rejection = (token: string, at = later(20), resource = RESOURCE): Promise<string | undefined> =>
  authenticateAccessToken(token, resource, at).then(
    () => undefined,
    (thrown: Failure) => thrown.code,
  );

const admits = async (token: string, at = later(20)): Promise<boolean> => (await rejection(token, at)) === undefined;

describe("a code", () => {
  test("becomes tokens that open the connector for its person, workspace and scopes", async () => {
    const { client_id: client = "" } = await register();
    const {
      access_token: access,
      token_type: type,
      expires_in: seconds,
      scope,
      id,
    } = await connected(client, ["datasets:read", "offline_access"]);
    expect([type, seconds, scope]).toEqual(["Bearer", 3600, "datasets:read offline_access"]);
    expect(await authenticateAccessToken(access, RESOURCE, later(3599))).toMatchObject({
      userId,
      workspaceId,
      connectionId: id,
      scopes: ["datasets:read", "offline_access"],
    });
    expect(await rejection(access, later(3600))).toBe("key_expired");
    expect((await listConnections(workspaceId)).map((connection) => connection.clientName)).toContain("Test agent");
  });

  test("used twice is rejected, and its tokens are revoked", async () => {
    const { client_id: client = "" } = await register();
    const { access_token: access, refresh_token: refresh, fields } = await connected(client);
    expect(await exchange(form(fields), later(1))).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await admits(access)).toBe(false);
    expect(await refreshed(client, refresh)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  test("used concurrently gives tokens to at most one, which are revoked", async () => {
    const { client_id: client = "" } = await register();
    const { fields } = await consent(client);
    const replies = await Promise.all(Array.from({ length: 8 }, () => exchange(form(fields), NOW)));
    const won = replies.filter(({ status }) => status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    for (const { body } of won) expect(await admits(String(body?.access_token))).toBe(false);
  });

  for (const [what, change] of [
    ["without its verifier", { code_verifier: "" }],
    ["with another verifier", { code_verifier: "a".repeat(43) }],
    ["with an invalid verifier", { code_verifier: "short" }],
    ["for another redirect URL", { redirect_uri: `${REDIRECT}/` }],
    ["without its redirect URL", { redirect_uri: "" }],
    ["for another service", { resource: "https://data.example.org/api/other" }],
    ["for the connector's other URL", { resource: `${RESOURCE}/account` }],
    ["unknown", { code: newOAuthSecret("code") }],
    ["that is malformed", { code: "1234" }],
  ] as const) {
    test(`${what} is rejected, and the code is invalid afterwards`, async () => {
      const { client_id: client = "" } = await register();
      const { fields } = await consent(client);
      const changed = Object.fromEntries(Object.entries({ ...fields, ...change }).filter(([, value]) => value !== ""));
      const reply = await exchange(form(changed), NOW);
      expect(reply.status).toBe(400);
      expect(["invalid_grant", "invalid_request", "invalid_target"]).toContain(reply.body?.error);
    });
  }

  test("is rejected after a minute, from another client, and once its connection was revoked", async () => {
    const { client_id: client = "" } = await register();
    const { client_id: other = "" } = await register();
    const first = await consent(client);
    expect(await exchange(form(first.fields), later(61))).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    const second = await consent(client);
    expect(await exchange(form({ ...second.fields, client_id: other }), NOW)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    await revokeConnection({ id: second.id }, { actor: "operator" });
    expect(await exchange(form(second.fields), NOW)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });
});

describe("a refresh token", () => {
  test("gives a new pair, with fewer scopes if requested, never with more", async () => {
    const { client_id: client = "" } = await register();
    const { refresh_token: refresh } = await connected(client, ["datasets:read", "datasets:build"]);
    expect(await refreshed(client, refresh, later(10), { scope: "datasets:read offline_access" })).toMatchObject({
      status: 400,
      body: { error: "invalid_scope" },
    });
    const fresh = await connected(client, ["datasets:read", "datasets:build"]);
    const { status, body } = await refreshed(client, fresh.refresh_token, later(10), { scope: "datasets:read" });
    expect([status, body?.scope]).toEqual([200, "datasets:read"]);
    expect(await admits(String(body?.access_token))).toBe(true);
    expect(body?.refresh_token).not.toBe(fresh.refresh_token);
  });

  test("sent again within 30 seconds counts as a lost reply; later it ends the entire connection", async () => {
    const { client_id: client = "" } = await register();
    const { refresh_token: refresh } = await connected(client);
    const first = await refreshed(client, refresh, later(10));
    const again = await refreshed(client, refresh, later(39));
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body?.refresh_token).toBe(first.body?.refresh_token);
    expect(await refreshed(client, refresh, later(41))).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    for (const { body } of [first, again]) {
      expect(await admits(String(body?.access_token), later(50))).toBe(false);
      expect((await refreshed(client, String(body?.refresh_token), later(50))).status).toBe(400);
    }
  });

  test("never has two successors: what was stolen within the 30 seconds ends the connection too", async () => {
    const { client_id: client = "" } = await register();
    const { refresh_token: stolen } = await connected(client);
    const { body: own } = await refreshed(client, stolen, later(10));
    const { body: thiefs } = await refreshed(client, stolen, later(20));
    const { body: next } = await refreshed(client, String(own?.refresh_token), later(3000));
    expect(next?.refresh_token).toMatch(/^svc_ort_/);
    expect((await refreshed(client, String(thiefs?.refresh_token), later(3100))).status).toBe(400);
    expect(await admits(String(next?.access_token), later(3200))).toBe(false);
    expect((await refreshed(client, String(next?.refresh_token), later(3200))).status).toBe(400);
  });

  test("sent again after its successor was used ends the connection at once", async () => {
    const { client_id: client = "" } = await register();
    const { refresh_token: refresh } = await connected(client);
    const { body: own } = await refreshed(client, refresh, later(10));
    const { body: next } = await refreshed(client, String(own?.refresh_token), later(11));
    expect((await refreshed(client, refresh, later(12))).status).toBe(400);
    expect(await admits(String(next?.access_token), later(13))).toBe(false);
  });

  test("sent again for other scopes yields nothing, and the first reply remains valid", async () => {
    const { client_id: client = "" } = await register();
    const { refresh_token: refresh } = await connected(client, ["datasets:read", "datasets:build"]);
    const narrow = await refreshed(client, refresh, later(10), { scope: "datasets:read" });
    expect(await refreshed(client, refresh, later(11))).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect(await admits(String(narrow.body?.access_token))).toBe(true);
    const { status, body } = await refreshed(client, String(narrow.body?.refresh_token), later(60));
    expect([status, body?.scope]).toEqual([200, "datasets:read"]);
  });

  test("is valid for 30 days and only for its own client", async () => {
    const { client_id: client = "" } = await register();
    const { client_id: other = "" } = await register();
    const { refresh_token: refresh } = await connected(client);
    expect((await refreshed(other, refresh)).body?.error).toBe("invalid_grant");
    expect((await refreshed(client, refresh, later(30 * 86_400 + 1))).body?.error).toBe("invalid_grant");
  });

  test("is not accepted as an access token, nor the reverse", async () => {
    const { client_id: client = "" } = await register();
    const { access_token: access, refresh_token: refresh } = await connected(client);
    expect(await admits(refresh)).toBe(false);
    expect((await refreshed(client, access)).body?.error).toBe("invalid_grant");
  });
});

describe("an access token", () => {
  test("is valid for one resource only", async () => {
    const { client_id: client = "" } = await register();
    const { access_token: access } = await connected(client);
    expect(await rejection(access, later(1), "https://data.example.org/api/mcp/account")).toBe("key_wrong_type");
    expect(await rejection(`${access.slice(0, -1)}_`, later(1))).toBe("key_invalid");
  });

  test("is revoked only by its own client or with its refresh token; others learn nothing", async () => {
    const { client_id: client = "" } = await register();
    const { client_id: other = "" } = await register();
    const { access_token: access, refresh_token: refresh } = await connected(client);
    expect((await revoke(form({ client_id: other, token: refresh }), later(1))).status).toBe(200);
    expect((await introspect(form({ client_id: other, token: access }), later(1))).body).toEqual({ active: false });
    expect((await introspect(form({ client_id: client, token: access }), later(1))).body).toMatchObject({
      active: true,
      scope: "datasets:read",
      aud: RESOURCE,
      sub: userId,
    });
    expect((await revoke(form({ client_id: client, token: access }), later(2))).status).toBe(200);
    expect(await admits(access)).toBe(false);
    const next = await refreshed(client, refresh);
    expect(next.status).toBe(200);
    await revoke(form({ client_id: client, token: String(next.body?.refresh_token) }), later(12));
    expect(await admits(String(next.body?.access_token))).toBe(false);
    expect((await revoke(form({ client_id: client, token: "unknown" }), later(12))).status).toBe(200);
  });
});

describe("a client", () => {
  test("with a secret authenticates by header or form", async () => {
    for (const method of ["client_secret_basic", "client_secret_post"]) {
      const { client_id: client = "", client_secret: secret = "" } = await register({
        token_endpoint_auth_method: method,
      });
      const first = await consent(client);
      expect(await exchange(form(first.fields), NOW)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
      expect(await exchange(form({ ...first.fields, client_secret: newOAuthSecret("client") }), NOW)).toMatchObject({
        status: 401,
        body: { error: "invalid_client" },
      });
      const basic = `Basic ${Buffer.from(`${client}:${secret}`).toString("base64")}`;
      const sent =
        method === "client_secret_basic" ? form(first.fields, basic) : form({ ...first.fields, client_secret: secret });
      expect((await exchange(sent, NOW)).status).toBe(200);
    }
  });

  test("that is unknown is 401 invalid_client", async () => {
    expect(await refreshed("7b0e9d3e-0000-4000-8000-000000000000", newOAuthSecret("refresh"))).toMatchObject({
      status: 401,
      body: { error: "invalid_client" },
    });
  });

  for (const [address, error] of [
    ["javascript:alert(1)", "invalid_redirect_uri"],
    ["data:text/html,x", "invalid_redirect_uri"],
    ["file:///etc/passwd", "invalid_redirect_uri"],
    ["http://agent.example.com/callback", "invalid_redirect_uri"],
    ["https://agent.example.com/callback#fragment", "invalid_redirect_uri"],
    ["https://user@agent.example.com/callback", "invalid_redirect_uri"],
    ["cursor://somebody.else/oauth/callback", "invalid_redirect_uri"],
  ] as const) {
    test(`cannot register ${address}`, async () => {
      expect(await registerClient({ redirect_uris: [address] }, NOW)).toMatchObject({ status: 400, body: { error } });
    });
  }

  test("has a readable name", async () => {
    const { client_name: name } = await register({ client_name: "Good\u202e \u0000agent\n\n" });
    expect(name).toBe("Good agent");
    expect((await register({ client_name: "\u200b" })).client_name).toBe("agent.example.com");
  });
});
