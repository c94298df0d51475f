import { expect, test } from "vitest";
import { useTestState } from "@/lib/testing/database";
import { knownBrowserCookie, knownBrowserOf } from "./known-browser";

useTestState();

test("a browser is recognised only for the account it signed in, and the mark cannot be forged", () => {
  const cookie = knownBrowserCookie("jane@example.com");
  expect(knownBrowserOf(cookie, "jane@example.com")).toMatch(/^[\w-]{22}$/);
  expect(knownBrowserOf(cookie, "john@example.com")).toBeUndefined();
  expect(knownBrowserOf(knownBrowserCookie("jane@example.com"), "jane@example.com")).not.toBe(
    knownBrowserOf(cookie, "jane@example.com"),
  );
  const [nonce, sealed = ""] = cookie.split(".");
  for (const forged of [undefined, "", "x", `${nonce}.${"0".repeat(64)}`, `AAAAAAAAAAAAAAAAAAAAAA.${sealed}`]) {
    expect(knownBrowserOf(forged, "jane@example.com")).toBeUndefined();
  }
});
