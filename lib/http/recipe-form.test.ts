import { expect, test } from "vitest";
import { failWith } from "@/lib/kernel/errors";
import { useTestState } from "@/lib/testing/database";
import { faultsCookie, shownFaults } from "./recipe-form";

useTestState();

const cookieValue = (line: string): string => line.slice(line.indexOf("=") + 1, line.indexOf(";"));
const faultsOf = (count: number, message: string) =>
  failWith(Array.from({ length: count }, (_, at) => ({ pointer: `/tables/${at}`, code: "invalid_value", message })));

test("a recipe's first faults reach its page in a cookie that scripts cannot read, without long text", () => {
  const line = faultsCookie(faultsOf(500, `“${"é".repeat(2000)}”; Path=/`));
  expect(line).toMatch(/^parquetry-faults=[\w-]+; Path=\/studio; Max-Age=120; HttpOnly; SameSite=Strict$/);
  expect(line.length).toBeLessThan(8 * 1024);
  const shown = shownFaults(() => cookieValue(line));
  expect(shown).toHaveLength(8);
  expect(shown[0]).toMatchObject({ pointer: "/tables/0", message: expect.stringMatching(/^“é{239}…$/) });
});

test.each(["", "x", "bnVsbA", "WzEsWyJhIl0sWyJhIiwxXV0", "A".repeat(10_000)])(
  "a cookie of another kind shows nothing: %.20s",
  (value) => {
    expect(shownFaults(() => value)).toEqual([]);
  },
);

test("without the cookie nothing is shown", () => {
  expect(shownFaults(() => undefined)).toEqual([]);
});
