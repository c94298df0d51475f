import { expect, test } from "vitest";
import { useTestState } from "@/lib/testing/database";
import { database } from "./database";
import { storable } from "./stored-json";

useTestState();

test("PostgreSQL stores any text of a file, with U+FFFD for what JSON there cannot have", async () => {
  const found = { "a\0": ["x\0y", "\ud83d", "😀", 1, null, true], of: { deep: "\udc00\0" } };
  const { pool } = await database();
  const read = async (value: unknown) =>
    (await pool.query("SELECT $1::jsonb AS value", [JSON.stringify(value)])).rows[0].value;
  expect(await read(storable(found))).toEqual({
    "a\ufffd": ["x\ufffdy", "\ufffd", "😀", 1, null, true],
    of: { deep: "\ufffd\ufffd" },
  });
  await expect(read(found)).rejects.toThrow();
});
