import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { processWide } from "@/lib/kernel/process-wide";
import { recordUse } from "@/lib/store/usage/usage-buffer";
import { useTestState } from "./database";

const waiting = () =>
  processWide<{ waiting: Map<string, unknown> } | undefined>("usage-buffer", () => undefined)?.waiting.size ?? 0;

afterAll(() => expect(waiting()).toBe(0)); // after the one of useTestState
useTestState();

test("usage recorded by a test file does not wait for the end of its database", () => {
  const ids = { workspaceId: randomUUID(), keyId: randomUUID(), tableId: randomUUID() };
  recordUse({ ...ids, day: "2026-11-23", queries: 1, downloads: 0, rows: 1, bytes: 1 }, () => undefined);
  expect(waiting()).toBe(1);
});
