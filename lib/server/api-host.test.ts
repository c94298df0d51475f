import { describe, expect, test } from "vitest";
import { notAtApiHost } from "./api-host";

describe("the host of the hosted table API", () => {
  const settings = { PARQUETRY_API_BASE_URL: "https://api.example.org", PARQUETRY_BASE_URL: "https://example.org" };

  test.each([
    ["api.example.org", true],
    ["API.example.org:443", true],
    ["example.org", false],
    ["api.example.org.evil.example", false],
    ["api.example.org:8443", false],
    ["[", false],
    [undefined, false],
  ])("%s", (host, expected) => {
    expect(notAtApiHost(host, "/datasets", settings) !== undefined).toBe(expected);
  });

  test("restricts nothing if the API does not have its own host", () => {
    expect(notAtApiHost("example.org", "/datasets", { PARQUETRY_BASE_URL: "https://example.org" })).toBeUndefined();
    const same = { ...settings, PARQUETRY_BASE_URL: "https://api.example.org/" };
    expect(notAtApiHost("api.example.org", "/datasets", same)).toBeUndefined();
  });

  test("serves its two routes and liveness, and nothing else", () => {
    const has = ["/api/v2/tables/x/current", "/api/v2/tables/x/freshness", "/healthz"];
    const lacks = ["/", "/datasets", "/api/v2/tables/x", "/api/v2/public/tables/x/current", "/api/mcp", "/readyz"];
    const isMissing = (path: string) => notAtApiHost("api.example.org", path, settings)?.status === 404;
    expect([has.filter(isMissing), lacks.filter(isMissing)]).toEqual([[], lacks]);
  });
});
