import { expect, test } from "vitest";
import { fail } from "@/lib/kernel/errors";
import { recordPageFailure } from "./page-failure";
import { takePageMarks } from "./page-status";
import { NONCE_HEADER } from "./security-headers";

const headers = { [NONCE_HEADER]: "n" };

test.each([
  ["nothing is there", fail("not_found"), "not_found"],
  ["a withdrawn version", fail("version_withdrawn"), "version_withdrawn"],
  ["too many at once", fail("busy", { retryAfterSeconds: 3 }), "busy"],
  ["a database that is down", Object.assign(new Error("refused"), { code: "ECONNREFUSED" }), "unavailable"],
  ["a request that the page should not have made", fail("invalid_limit"), undefined],
  ["an error of ours", new Error("no such property"), undefined],
])("what a page's reader learns: %s", (_what, error, code) => {
  recordPageFailure(error, headers);
  expect(takePageMarks("n").failure?.code).toBe(code);
});

test("the router's own requests, and requests without a page, note nothing", () => {
  recordPageFailure(fail("busy"), { ...headers, rsc: "1" });
  recordPageFailure(fail("busy"), {});
  expect(takePageMarks("n")).toEqual({});
});

test("marks of pages whose readers left are forgotten, the oldest first", () => {
  for (let page = 0; page <= 10_000; page += 1) recordPageFailure(fail("busy"), { [NONCE_HEADER]: `page ${page}` });
  expect(takePageMarks("page 0")).toEqual({});
  expect(takePageMarks("page 1").failure?.code).toBe("busy");
});
