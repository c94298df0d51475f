import { expect, test, vi } from "vitest";
import { Failure, fail } from "./errors";

test("a failure thrown by another copy of the module is a failure here, with its status", async () => {
  vi.resetModules();
  const copy = await import("./errors");
  expect(copy.Failure).not.toBe(Failure);
  const thrown: unknown = copy.fail("busy", { retryAfterSeconds: 1 });
  expect(thrown).toBeInstanceOf(Failure);
  expect(thrown instanceof Failure && thrown.status).toBe(503);
  expect(fail("busy")).toBeInstanceOf(copy.Failure);
});

test.each([new Error("no"), { code: "busy", status: 503 }, null, undefined, "busy"])("%s is not a failure", (value) =>
  expect(value instanceof Failure).toBe(false),
);
