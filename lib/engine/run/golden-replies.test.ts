import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, column, type EngineFixture, openFixture, seal } from "@/lib/testing/engine-fixture";
import type { SealedVersion } from "./sealed-version";

/** One column of each type, as in the golden cases, with nulls, ties and both ends of each range. */
const CELLS = {
  boolean: ["boolean", "BOOLEAN", ["true", "false"]],
  int8: ["int8", "TINYINT", ["-128", "1", "127"]],
  int16: ["int16", "SMALLINT", ["-32768", "1", "2"]],
  int32: ["int32", "INTEGER", ["-1", "1", "2147483647"]],
  int64: ["int64", "BIGINT", ["9007199254740993", "1", "-9"]],
  uint8: ["uint8", "UTINYINT", ["0", "1", "255"]],
  uint16: ["uint16", "USMALLINT", ["0", "1", "65535"]],
  uint32: ["uint32", "UINTEGER", ["0", "1", "4294967295"]],
  uint64: ["uint64", "UBIGINT", ["18446744073709551615", "1"]],
  float32: ["float32", "FLOAT", ["0.1", "1", "-2.5"]],
  float64: ["float64", "DOUBLE", ["0.1", "1", "1e10", "-2.5"]],
  decimal: ["decimal(9,2)", "DECIMAL(9,2)", ["1.50", "1.00", "-0.01"]],
  string: ["string", "VARCHAR", ["a", "A%", "x_y", ""]],
  date: ["date", "DATE", ["2020-02-29", "1969-12-31", "2024-01-01"]],
  time: ["time", "TIME", ["12:00:00.5", "00:00:00"]],
  timestamp: ["timestamp", "TIMESTAMP WITH TIME ZONE", ["2020-01-01 00:00:00+00", "1969-12-31 23:59:59.999999+00"]],
  uuid: ["uuid", "UUID", ["00000000-0000-0000-0000-000000000001", "0f4b1b9e-6f0c-4c79-8f53-1b1f5a4c0a01"]],
  binary: ["binary", "BLOB", ["hello", "x"]],
  list: ["list<int32>", "INTEGER[]", ["[1, 2]", "[]"]],
  struct: [
    "struct",
    'STRUCT("a b" DECIMAL(4,1), t TIMESTAMP WITH TIME ZONE[])',
    ["{'a b': 1.5, 't': [2020-01-01 00:00:00+00]}"],
  ],
  json: ["json", "VARCHAR", ['{"a":1}', "[1]"]],
} as const satisfies Record<string, readonly [type: string, storage: string, cells: readonly string[]]>;

const ROWS = 60;

let fixture: EngineFixture;
let version: SealedVersion;

beforeAll(async () => {
  fixture = await openFixture("golden");
  const drawn = Object.entries(CELLS).map(([name, [, storage, cells]], at) => {
    const texts = [...cells.map((cell) => `'${cell.replaceAll("'", "''")}'`), "NULL"].join(", ");
    return `CAST(list_extract([${texts}], 1 + (i * ${at + 3} + i // 4) % ${cells.length + 1}) AS ${storage}) AS "${name}"`;
  });
  const columns = Object.entries(CELLS).map(([name, [type, storage]]) => column(name, type, storage));
  version = await seal(fixture, "golden", `SELECT ${drawn.join(", ")} FROM range(${ROWS}) r(i)`, columns);
});

afterAll(() => fixture.close());

/** The replies to all valid golden cases, recorded when the grammar was that of the service document. */
test("replies to queries of the first grammar are unchanged, byte for byte", async () => {
  const { replies } = JSON.parse(readFileSync(join(import.meta.dirname, "golden-replies.json"), "utf8")) as {
    replies: { query: string; reply: string }[];
  };
  expect(replies.length).toBeGreaterThan(250);
  for (const { query, reply } of replies) expect(await answered(query), query).toBe(reply);
});

async function answered(query: string): Promise<string> {
  const { text } = await ask(fixture.engine, version, query);
  return text.replace(/"elapsed_ms":\d+/, '"elapsed_ms":0');
}
