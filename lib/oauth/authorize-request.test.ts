import { describe, expect, test } from "vitest";
import type { StoredClient } from "@/lib/store/people/oauth-clients";
import { checkAuthorizeRequest } from "./authorize-request";

const ISSUER = "https://data.example.org";
const RESOURCE = `${ISSUER}/api/mcp`;

const CLIENT: StoredClient = {
  id: "c1",
  kind: "registered",
  name: "Agent",
  uri: null,
  redirectUris: [
    "https://agent.example.com/callback?from=1",
    "http://127.0.0.1/callback",
    "cursor://anysphere.cursor-mcp/oauth/callback",
  ],
  authMethod: "none",
  secretHash: null,
  createdAt: new Date(0),
  fetchedAt: null,
};

const GOOD = {
  client_id: "c1",
  redirect_uri: "https://agent.example.com/callback?from=1",
  response_type: "code",
  state: "s t&a=te",
  scope: "datasets:read",
  code_challenge: "x".repeat(43),
  code_challenge_method: "S256",
  resource: RESOURCE,
};

const check = (change: Record<string, string | undefined> = {}, more = "") => {
  const parameters = new URLSearchParams(
    Object.entries({ ...GOOD, ...change }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const here = {
    issuer: ISSUER,
    resources: [RESOURCE, `${RESOURCE}/account`],
    resolveClient: async (id: string) => (id === "c1" ? CLIENT : undefined),
  };
  return checkAuthorizeRequest(new URLSearchParams(`${parameters}${more}`), here);
};

test("a valid request is shown to the person", async () => {
  expect(await check()).toMatchObject({
    outcome: "asked",
    request: { redirectUri: GOOD.redirect_uri, scopes: ["datasets:read"], resource: RESOURCE },
  });
});

test("a program may request the connector's URL for accounts instead", async () => {
  expect(await check({ resource: `${RESOURCE}/account` })).toMatchObject({
    outcome: "asked",
    request: { resource: `${RESOURCE}/account` },
  });
});

test("without scope and resource it asks to read, at the connector", async () => {
  expect(await check({ scope: undefined, resource: undefined })).toMatchObject({
    request: { scopes: ["datasets:read"], resource: RESOURCE },
  });
});

describe("nobody is redirected to a URL that is not exactly one of the program's", () => {
  for (const redirect of [
    "https://agent.example.com/callback",
    "https://agent.example.com/callback?from=1&x",
    "https://agent.example.com/Callback?from=1",
    "https://agent.example.com:443/callback?from=1",
    "https://agent.example.com./callback?from=1",
    "http://agent.example.com/callback?from=1",
    "https://agent.example.com@evil.example/callback?from=1",
    "https://evil.example/",
    "javascript:alert(1)",
    "http://127.0.0.1:8080/other",
    "http://localhost:8080/callback",
    "http://127.0.0.1.evil.example/callback",
    "http://127.0.0.1:80@evil.example/callback",
    "cursor://anysphere.cursor-mcp/oauth/callback2",
    "",
  ]) {
    test(redirect || "nothing", async () => expect((await check({ redirect_uri: redirect })).outcome).toBe("rejected"));
  }
});

for (const redirect of [
  "http://127.0.0.1/callback",
  "http://127.0.0.1:51234/callback",
  "cursor://anysphere.cursor-mcp/oauth/callback",
]) {
  test(`${redirect} is the program's`, async () =>
    expect((await check({ redirect_uri: redirect })).outcome).toBe("asked"));
}

describe("an invalid request is returned to the program, with state and issuer", () => {
  for (const [error, change] of [
    ["unsupported_response_type", { response_type: "token" }],
    ["unsupported_response_type", { response_type: undefined }],
    ["invalid_request", { code_challenge: undefined }],
    ["invalid_request", { code_challenge: "short" }],
    ["invalid_request", { code_challenge_method: "plain" }],
    ["invalid_request", { code_challenge_method: undefined }],
    ["invalid_scope", { scope: "datasets:read everything" }],
    ["invalid_target", { resource: "https://other.example/api/mcp" }],
    ["invalid_target", { resource: `${RESOURCE}/other` }],
  ] as const) {
    test(`${JSON.stringify(change)}: ${error}`, async () => {
      const checked = await check(change);
      const location = new URL(checked.outcome === "answered" ? checked.location : "about:blank");
      expect(`${location.origin}${location.pathname}`).toBe("https://agent.example.com/callback");
      expect(Object.fromEntries(location.searchParams)).toMatchObject({
        from: "1",
        error,
        state: GOOD.state,
        iss: ISSUER,
      });
    });
  }
});

describe("rejected before anything else", () => {
  test("an unknown program", async () => expect((await check({ client_id: "c2" })).outcome).toBe("rejected"));
  test("no program", async () => expect((await check({ client_id: undefined })).outcome).toBe("rejected"));
  for (const name of ["client_id", "redirect_uri", "state", "resource"]) {
    test(`${name} twice`, async () => expect((await check({}, `&${name}=x`)).outcome).toBe("rejected"));
  }
});
