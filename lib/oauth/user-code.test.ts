import { expect, test } from "vitest";
import { formatUserCode, newUserCode, readUserCode } from "./user-code";

test("a code is eight letters without vowels, shown in two halves", () => {
  for (let round = 0; round < 200; round++)
    expect(formatUserCode(newUserCode())).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
});

test("a code is read however it is typed", () => {
  for (const typed of [
    "BCDF-GHJK",
    "bcdfghjk",
    " bcdf ghjk ",
    "BCDF–GHJK",
    "b c d f - g h j k",
    "bcdf_ghjk",
    "ＢＣＤＦＧＨＪＫ",
    "BCDF\u00a0GHJK\n",
  ]) {
    expect([typed, readUserCode(typed)]).toEqual([typed, "BCDFGHJK"]);
  }
});

test("malformed codes are rejected", () => {
  for (const typed of ["", "BCDF", "BCDFGHJKL", "ABCDEFGH", "BCDF-GHJ1", "BCDF/GHJK", "x".repeat(10_000)])
    expect([typed, readUserCode(typed)]).toEqual([typed, undefined]);
});
