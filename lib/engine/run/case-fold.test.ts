import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, column, type EngineFixture, openFixture, seal } from "@/lib/testing/engine-fixture";
import type { SealedVersion } from "./sealed-version";

let fixture: EngineFixture;
let letters: SealedVersion;

beforeAll(async () => {
  fixture = await openFixture("case-fold");
  const select =
    "SELECT i AS n, chr(i::INTEGER) AS letter FROM range(1, 1114112) r(i) WHERE i NOT BETWEEN 55296 AND 57343";
  letters = await seal(fixture, "letters", select, [
    column("n", "int64", "BIGINT"),
    column("letter", "string", "VARCHAR"),
  ]);
});

afterAll(() => fixture.close());

/** All letters of Unicode, to be matched by JavaScript's own case folding. */
const ALL = Array.from({ length: 0x10ffff }, (_, at) => at + 1)
  .filter((point) => (point < 0xd800 || point > 0xdfff) && /^\P{Cn}$/u.test(String.fromCodePoint(point)))
  .map((point) => String.fromCodePoint(point))
  .join("");
const folded = (letter: string): string[] =>
  Array.from(ALL.matchAll(new RegExp(`\\u{${letter.codePointAt(0)?.toString(16)}}`, "giu")), ([found]) => found);

/** The letters that the service finds in a column of all letters. */
async function found(letter: string): Promise<string[]> {
  const filters = [{ column: "letter", operator: "eq", value: letter, ignore_case: true }];
  const { reply } = await ask(fixture.engine, letters, { columns: ["letter"], filters, limit: 100 });
  return reply.rows.map((row: { letter: string }) => row.letter).filter((other: string) => /^\P{Cn}$/u.test(other));
}

test.each([..."aikszßẞIİıſKµΜςΣϴθẛﬅﬆΐ\u1fd3\u0345ι\u1fbeᏸ\uab70ᲀᲅтǅÅ\u{10d50}\u{10d70}Ᲊ\ua7dcƛéÉ"])(
  "%s matches the letters of its class, and no others",
  async (letter) => expect(await found(letter)).toEqual(folded(letter)),
);
