import { expect, test } from "vitest";
import { readTarget } from "./request-target";

test.each([
  ["/", { url: "/", api: false }],
  ["/datasets/x?q=%2e%2e//", { url: "/datasets/x?q=%2e%2e//", api: false }],
  ["/api", { url: "/api", api: true }],
  ["/apiary", { url: "/apiary", api: false }],
  ["/api/v2/x?a=1#fragment", { url: "/api/v2/x?a=1", api: true }],
  ["/%61pi/v2", { url: "/%61pi/v2", api: true }],
  ["http://example.org/api/x?y", { url: "/api/x?y", api: true }],
  ["HTTP://example.org", { url: "/", api: false }],
  ["http://example.org//evil", { url: "//evil", api: false, rejected: "not_found" }],
  ["ftp://example.org/", { url: "/", api: true, rejected: "invalid_request" }],
  ["http://[bad/", { url: "/", api: true, rejected: "invalid_request" }],
  ["//evil.example/x", { url: "//evil.example/x", api: false, rejected: "not_found" }],
  ["/\\evil.example", { url: "/\\evil.example", api: false, rejected: "not_found" }],
  ["/%2fevil.example", { url: "/%2fevil.example", api: false, rejected: "not_found" }],
  ["/api//v2", { url: "/api//v2", api: true, rejected: "not_found" }],
  ["/api/v2%5cx", { url: "/api/v2%5cx", api: true, rejected: "not_found" }],
  ["/x/../api/v2", { url: "/x/../api/v2", api: false, rejected: "not_found" }],
  ["/api/%2e%2E/x", { url: "/api/%2e%2E/x", api: true, rejected: "not_found" }],
  ["/api/%2e%2e%2fx", { url: "/api/%2e%2e%2fx", api: true, rejected: "not_found" }],
  ["/datasets/x/y%2Fllms.txt", { url: "/datasets/x/y%2Fllms.txt", api: false, rejected: "not_found" }],
  ["/datasets/x/y%5cllms.txt", { url: "/datasets/x/y%5cllms.txt", api: false, rejected: "not_found" }],
  ["/api/v2%2fx", { url: "/api/v2%2fx", api: true, rejected: "not_found" }],
  ["/datasets?q=a%2Fb", { url: "/datasets?q=a%2Fb", api: false }],
  ["/datasets?q=a%00b", { url: "/datasets?q=a%00b", api: false, rejected: "invalid_request" }],
  ["/api/x?q=a%00b", { url: "/api/x?q=a%00b", api: true }],
  ["/api/x%00", { url: "/api/x%00", api: true, rejected: "not_found" }],
  ["/api/x%0d%0aSet-Cookie:a", { url: "/api/x%0d%0aSet-Cookie:a", api: true, rejected: "not_found" }],
  ["/api/%E0%A4%A", { url: "/api/%E0%A4%A", api: true, rejected: "invalid_request" }],
  ["/api/%ff", { url: "/api/%ff", api: true, rejected: "invalid_request" }],
  ["/%", { url: "/%", api: false, rejected: "invalid_request" }],
  ["/api/v2/na%C3%AFve...", { url: "/api/v2/na%C3%AFve...", api: true }],
])("%s", (raw, target) => {
  const { path, ...rest } = readTarget(raw);
  expect(rest).toEqual(target);
  expect(path).toMatch(/^[/\\]/);
});

test.each([
  ["/datasets/x?q=%2e", "/datasets/x"],
  ["/%73ettings/access", "/settings/access"],
  ["/%2573ettings", "/%73ettings"],
  ["http://example.org/settings?x#y", "/settings"],
  ["/api/%ff", "/api/%ff"],
])("the path of %s is %s", (raw, path) => expect(readTarget(raw).path).toBe(path));
