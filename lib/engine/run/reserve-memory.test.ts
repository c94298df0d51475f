import { afterAll, beforeAll, expect, test } from "vitest";
import { type Engine, openEngine } from "@/lib/engine/duckdb/engine";
import { ask, column, type EngineFixture, KEY_TIER, openFixture, rejection, seal } from "@/lib/testing/engine-fixture";
import type { SealedVersion } from "./sealed-version";

let fixture: EngineFixture;
let engine: Engine;
let numbers: SealedVersion;

beforeAll(async () => {
  fixture = await openFixture("reserved-memory");
  engine = await openEngine({ ...fixture.options, memoryMb: 128, queriesAtOnce: 4 });
  numbers = await seal(fixture, "numbers", "SELECT i AS a, i * 2 AS b, i % 7 AS g FROM range(2000000) r(i)", [
    column("a", "int64", "BIGINT"),
    column("b", "int64", "BIGINT"),
    column("g", "int64", "BIGINT"),
  ]);
});

afterAll(async () => {
  await engine.close();
  await fixture.close();
});

const median = (name: string, as = `median_${name}`) => ({ function: "median", column: name, as });
const body = (...aggregates: object[]) => ({ columns: [], aggregates });

test("medians that would hold more than half of the memory limit are rejected before they run", async () => {
  const rejected = await rejection(ask(engine, numbers, body(median("a"), median("b"))));
  expect(rejected.code).toBe("result_too_large");
  expect(rejected.message).toMatch(/^Medians and quantiles too large: they need 123 MiB .* at most 64 MiB/);
  const grouped = { ...body(median("a"), median("b")), group_by: ["g"] };
  expect((await rejection(ask(engine, numbers, grouped))).code).toBe("result_too_large");
});

test("only matching rows count, and each distinct median counts once", async () => {
  const filtered = { ...body(median("a"), median("b")), filters: [{ column: "a", operator: "lt", value: 11 }] };
  expect((await ask(engine, numbers, filtered)).reply.rows).toEqual([{ median_a: 5, median_b: 10 }]);
  const repeated = body(median("a", "x"), median("a", "y"));
  expect((await ask(engine, numbers, repeated)).reply.rows).toEqual([{ x: 999_999.5, y: 999_999.5 }]);
});

test("medians that do not fit together run one after another, and release their memory", async () => {
  const replies = await Promise.all(
    ["a", "b", "g"].map((name) => ask(engine, numbers, body(median(name)), KEY_TIER, { subject: name })),
  );
  expect(replies.map(({ reply }) => reply.rows)).toEqual([
    [{ median_a: 999_999.5 }],
    [{ median_b: 1_999_999 }],
    [{ median_g: 3 }],
  ]);
  (await engine.reservedMemory.take(engine.reservedMemory.bytesMax, new AbortController().signal))();
});

test("a query that waits for memory beyond its time limit fails with query_timeout", async () => {
  const hasty = await openEngine({ ...fixture.options, memoryMb: 128, timeoutMs: 300 });
  const release = await hasty.reservedMemory.take(hasty.reservedMemory.bytesMax, new AbortController().signal);
  expect((await rejection(ask(hasty, numbers, body(median("a"))))).code).toBe("query_timeout");
  release();
  (await hasty.reservedMemory.take(hasty.reservedMemory.bytesMax, new AbortController().signal))();
  await hasty.close();
});
