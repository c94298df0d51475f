import { beforeAll, expect, test } from "vitest";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { newWorkspace } from "@/lib/testing/workspace";
import { onlyOnce } from "./idempotency";

useTestState();

const NOW = new Date("2026-03-01T12:00:00Z");
let workspaceId = "";

beforeAll(async () => {
  ({ workspaceId } = await newWorkspace());
});

const callOf = (key: string, args: unknown = {}, now = NOW) => ({ workspaceId, key, tool: "start_run", args, now });

/** A call that ends when told to, and counts how often it was made. */
function counted() {
  const end = Promise.withResolvers<void>();
  const seen = { times: 0 };
  const call = async () => {
    seen.times += 1;
    await end.promise;
    return { made: seen.times };
  };
  return { seen, call, end: end.resolve };
}

test("of simultaneous calls with one key only one is made, and all get its reply", async () => {
  const { seen, call, end } = counted();
  const all = Promise.all(Array.from({ length: 5 }, () => onlyOnce(callOf("same-instant"), call)));
  const { prisma } = await database();
  const rows = () => prisma.idempotencyRecord.count({ where: { workspaceId, key: "same-instant" } });
  while ((await rows()) === 0 || seen.times === 0);
  end();
  expect(await all).toEqual(new Array(5).fill({ made: 1 }));
  expect(seen.times).toBe(1);
  expect(await onlyOnce(callOf("same-instant"), call)).toEqual({ made: 1 });
});

test("another call with the key is rejected, while the first is in progress and afterwards", async () => {
  const { call, end, seen } = counted();
  const first = onlyOnce(callOf("reused-key"), call);
  const { prisma } = await database();
  while ((await prisma.idempotencyRecord.count({ where: { workspaceId, key: "reused-key" } })) === 0);
  await expect(onlyOnce(callOf("reused-key", { other: 1 }), call)).rejects.toThrow(/used for another call/);
  end();
  expect(await first).toEqual({ made: 1 });
  await expect(onlyOnce(callOf("reused-key", { other: 1 }), call)).rejects.toThrow(/used for another call/);
  expect(seen.times).toBe(1);
});

test("a call that failed may be made again, and one that was killed frees its key", async () => {
  await expect(onlyOnce(callOf("failed-key"), () => Promise.reject(new Error("down")))).rejects.toThrow("down");
  expect(await onlyOnce(callOf("failed-key"), async () => "made")).toBe("made");
  const { prisma } = await database();
  const row = { workspaceId, key: "killed-key", tool: "start_run", requestDigest: "other", reply: "" };
  await prisma.idempotencyRecord.create({ data: { ...row, createdAt: NOW, expiresAt: new Date(NOW.getTime() + 1) } });
  const later = new Date(NOW.getTime() + 120_000);
  expect(await onlyOnce(callOf("killed-key", {}, later), async () => "anew")).toBe("anew");
});

test("after a day the key is free", async () => {
  expect(await onlyOnce(callOf("daily-key"), async () => 1)).toBe(1);
  const almost = new Date(NOW.getTime() + 86_399_000);
  expect(await onlyOnce(callOf("daily-key", {}, almost), async () => 2)).toBe(1);
  const next = new Date(NOW.getTime() + 86_400_000);
  expect(await onlyOnce(callOf("daily-key", { other: 1 }, next), async () => 3)).toBe(3);
});
