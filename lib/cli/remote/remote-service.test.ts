import { describe, expect, test } from "vitest";
import { serviceAddress } from "./remote-service";

describe("a service's address", () => {
  test("must be https, except on one's own computer", () => {
    for (const [typed, address] of [
      ["data.example.org", "https://data.example.org"],
      ["https://data.example.org/", "https://data.example.org"],
      ["https://example.org/data/", "https://example.org/data"],
      ["http://localhost:3000", "http://localhost:3000"],
      ["http://[::1]:3000/", "http://[::1]:3000"],
    ])
      expect(serviceAddress(typed as string)).toBe(address);
    for (const typed of [
      "http://data.example.org",
      "http://localhost.example.org",
      "ftp://x",
      "https://user:pw@x.org",
      "not an address",
    ])
      expect(() => serviceAddress(typed)).toThrow();
  });

  test("is not the connector's URL, which is rejected with the right one", () => {
    for (const path of ["/api/mcp", "/api/mcp/", "/api/mcp/account"])
      expect(() => serviceAddress(`https://data.example.org${path}`)).toThrow(/--url https:\/\/data\.example\.org$/);
  });
});
