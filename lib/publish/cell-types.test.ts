import { expect, test } from "vitest";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { useTestState } from "@/lib/testing/database";
import { TEXT_RULES } from "./cell-types";
import { withWorkbench } from "./workbench";

useTestState();

const FLOAT64 = TEXT_RULES.find(({ type }) => type === "float64");

/** Those of the texts that a column of float64 represents exactly. */
async function fitting(texts: readonly string[]): Promise<(string | null)[]> {
  const rule = FLOAT64;
  if (!rule) throw new Error("float64 is not guessed");
  const list = `SELECT unnest([${texts.map(quoteLiteral).join(", ")}]) AS x`;
  const rows = await withWorkbench((bench) =>
    bench.rows(`SELECT x FROM (SELECT x, ${rule.value("x")} AS v FROM (${list})) WHERE ${rule.fits("x", "v")}`),
  );
  return rows.map(([text]) => text ?? null);
}

test("of all texts of four of these characters, float64 has the numbers without needless ones", async () => {
  const characters = [..."0159.-+e_ \t/:"];
  const all = Array.from({ length: 4 }).reduce<string[]>(
    (texts) => ["", ...texts.flatMap((text) => characters.map((character) => character + text))],
    [""],
  );
  const isNumber = (text: string) => /^-?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$/.test(text);
  expect(await fitting(all)).toEqual(all.filter(isNumber));
});

test.each([
  ["0.12345678901234567", true],
  ["-0.12345678901234567", true],
  ["0.123456789012345678", false],
  ["0.012345678901234567", true],
  ["0.0123456789012345678", false],
  ["123456789012345.7", true],
  ["9007199254740993", false],
  ["-9007199254740993", false],
  ["-123456789012345", true],
  ["0.1234567890123456 ", false],
  ["0.12345_7890123456", false],
])("%s is a float64: %s", async (text, fits) => {
  expect(await fitting([text])).toEqual(fits ? [text] : []);
});
