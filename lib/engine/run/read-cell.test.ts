import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, column, type EngineFixture, KEY_TIER, openFixture, rejection, seal } from "@/lib/testing/engine-fixture";
import type { SealedVersion } from "./sealed-version";

let fixture: EngineFixture;
let version: SealedVersion;

beforeAll(async () => {
  fixture = await openFixture("cells");
  const select =
    "SELECT * FROM (VALUES (1, repeat('ab😀\n', 40000)), (2, 'short'), (3, NULL), (4, ''), (5, repeat(chr(1), 70000))) v";
  version = await seal(fixture, "texts", select, [
    column("n", "int32", "INTEGER"),
    column("text", "string", "VARCHAR"),
  ]);
});

afterAll(() => fixture.close());

const cellOf = (n: number, offset?: number, tier = KEY_TIER) =>
  ask(
    fixture.engine,
    version,
    {
      columns: [],
      filters: [{ column: "n", operator: "eq", value: n }],
      cell: { column: "text", ...(offset !== undefined && { offset }) },
    },
    tier,
  );

/** All parts of a cell, read one after the other. */
async function partsOf(n: number, tier = KEY_TIER): Promise<string[]> {
  const parts: string[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const { reply } = await cellOf(n, offset, tier);
    expect(reply.execution.cell.offset).toBe(offset);
    parts.push(reply.rows[0].text);
    offset = reply.execution.cell.next_offset;
  }
  return parts;
}

test("the parts of a cell add up to the cell, each within 48 KiB as JSON", async () => {
  const parts = await partsOf(1);
  expect(parts.join("")).toBe("ab😀\n".repeat(40_000));
  for (const part of parts) expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThanOrEqual(48 * 1024 + 2);
  expect(parts.length).toBe(Math.ceil((40_000 * 8) / (48 * 1024)));
});

test("parts fit the smallest page, whatever its characters", async () => {
  const parts = await partsOf(5, { rowsMax: 100, bytesMax: 11_000 });
  expect(parts.join("")).toBe("\u0001".repeat(70_000));
});

test("a short, a missing and an empty cell each have one part", async () => {
  const outcome = async (n: number) => {
    const { reply } = await cellOf(n);
    return [reply.columns, reply.rows, reply.execution.cell];
  };
  const columns = [{ name: "text", type: "string" }];
  expect(await outcome(2)).toEqual([columns, [{ text: "short" }], { chars: 5, offset: 0, next_offset: null }]);
  expect(await outcome(3)).toEqual([columns, [{ text: null }], { chars: 0, offset: 0, next_offset: null }]);
  expect(await outcome(4)).toEqual([columns, [{ text: "" }], { chars: 0, offset: 0, next_offset: null }]);
});

test("filters that match no row or several, and offsets beyond the end, are rejected", async () => {
  const [none] = (await rejection(cellOf(9))).faults;
  expect(none).toMatchObject({
    pointer: "/cell",
    code: "invalid_request",
    message: expect.stringMatching(/^No row matches/),
  });
  const [many] = (await rejection(ask(fixture.engine, version, { columns: [], cell: { column: "text" } }))).faults;
  expect(many).toMatchObject({
    pointer: "/cell",
    code: "invalid_request",
    message: expect.stringMatching(/^More than one row/),
  });
  const [beyond] = (await rejection(cellOf(2, 6))).faults;
  expect(beyond).toMatchObject({ pointer: "/cell/offset", code: "invalid_offset" });
});
