import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { entityTag } from "@/lib/http/respond";
import { ROUTED } from "@/lib/operations/registry";
import { useTestState } from "@/lib/testing/database";
import { handle, methods, serves } from "./handle";
import { routeTable } from "./route-table";

const PROOF = "v=MCPv1; k=ed25519; p=MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=";
useTestState({ MCP_REGISTRY_AUTH: PROOF });

const ask = (path: string, init: RequestInit = {}) => handle(new Request(`http://localhost${path}`, init));

describe("the table of routes", () => {
  const find = routeTable([
    { path: "/a/{id}", target: "any" },
    { path: "/a/own", target: "own" },
    { path: "/a/own/{name}", target: "named" },
    { path: "/a/{id}/more", target: "more" },
  ]);

  test.each([
    ["/a/own", "own", {}],
    ["/a/x", "any", { id: "x" }],
    ["/a/own/more", "named", { name: "more" }],
    ["/a/x/more", "more", { id: "x" }],
    ["/a/%C3%A4%2F", "any", { id: "ä/" }],
  ])("%s is %s: literal segments take precedence over parameters, and paths are decoded", (path, target, params) => {
    expect(find(path)).toEqual({ target, params });
  });

  test.each(["/a", "/a/", "/a/x/", "/a/x/less", "/b", "/", "", "/a/%E0%A4%A", "/__proto__/x"])(
    "%s is not a route",
    (path) => {
      expect(find(path)).toBeUndefined();
    },
  );

  test("two routes with the same path are rejected", () => {
    expect(() => routeTable([1, 2].map((target) => ({ path: "/a/{id}", target })))).toThrow("/a/{id}");
  });
});

describe("every path that is not a page is handled here", () => {
  test.each(ROUTED.map(({ name, http }) => [name, http.path]))(
    "%s rejects other methods at %s, and says which it supports",
    async (_, path) => {
      const filled = path.replace(/\{\w+\}/g, "x");
      const reply = await ask(filled, { method: "OPTIONS" });
      expect([serves(filled), reply.status]).toEqual([true, 204]);
      expect(reply.headers.get("allow")).toBe(methods(filled).join(", "));
      const own = ROUTED.filter(({ http }) => http.path === path).map(({ http }) => http.method);
      expect(methods(filled)).toEqual(expect.arrayContaining(own));
    },
  );

  test.each([
    "/llms.txt",
    "/robots.txt",
    "/readyz",
    "/healthz",
    "/status.json",
    "/.well-known/api-catalog",
    "/datasets/x/cite.ris",
    "/oauth/authorize",
  ])("%s", (path) => {
    expect(serves(path)).toBe(true);
    const file = `app${path.replace("/.well-known/api-catalog", "/.well-known/[...path]").replace("/x/", "/[slug]/")}/route.ts`;
    expect(existsSync(file), "Next serves it as well").toBe(true);
  });

  test.each(["/", "/datasets", "/datasets/x", "/docs", "/settings/access", "/apix", "/llms.txt/"])(
    "%s is left to the pages",
    (path) => {
      expect(serves(path)).toBe(false);
    },
  );

  test("the recipe document's JSON Schema is published", async () => {
    const reply = await ask("/schemas/service-recipe.v1.json");
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/schema+json"]);
  });

  test("the line that verifies the host for the MCP Registry comes from the setting", async () => {
    const reply = await ask("/.well-known/mcp-registry-auth");
    expect([reply.status, reply.headers.get("etag")]).toEqual([200, entityTag(Buffer.from(`${PROOF}\n`))]);
    expect(reply.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });

  test("an unknown path under /api is not_found, with and without a trailing slash", async () => {
    for (const path of ["/api", "/api/", "/api/nothing", "/api/v2/public/datasets/x/y/"]) {
      const reply = await ask(path);
      expect([path, reply.status, ((await reply.json()) as { error: string }).error]).toEqual([path, 404, "not_found"]);
    }
  });

  test("an unsupported method answers 405 with Allow", async () => {
    for (const [path, allow] of [
      ["/llms.txt", "GET, HEAD, OPTIONS"],
      ["/api/oauth/token", "POST, OPTIONS"],
      ["/readyz", "GET, HEAD, OPTIONS"],
      ["/api/account", "GET, HEAD, PATCH, OPTIONS"],
    ]) {
      const reply = await ask(path ?? "", { method: "PUT" });
      expect([path, reply.status, reply.headers.get("allow")]).toEqual([path, 405, allow]);
    }
  });
});
