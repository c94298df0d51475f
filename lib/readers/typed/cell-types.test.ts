import { expect, test } from "vitest";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { withWorkbench } from "@/lib/publish/workbench";
import { useTestState } from "@/lib/testing/database";
import { TEXT_RULES } from "./cell-types";

useTestState();

/** The strings that a column of the type represents exactly. */
async function fitting(texts: readonly string[], type = "float64"): Promise<(string | null)[]> {
  const rule = TEXT_RULES.find((each) => each.type === type);
  if (!rule) throw new Error(`${type} is not guessed`);
  const list = `SELECT unnest([${texts.map(quoteLiteral).join(", ")}]) AS x`;
  const rows = await withWorkbench((bench) =>
    bench.rows(`SELECT x FROM (SELECT x, ${rule.value("x")} AS v FROM (${list})) WHERE ${rule.fits("x", "v")}`),
  );
  return rows.map(([text]) => text ?? null);
}

test("of all strings of four of these characters, float64 accepts only numbers in their plain form", async () => {
  const characters = [..."0159.-+e_ \t/:"];
  const all = Array.from({ length: 4 }).reduce<string[]>(
    (texts) => ["", ...texts.flatMap((text) => characters.map((character) => character + text))],
    [""],
  );
  const isNumber = (text: string) => /^-?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$/.test(text);
  expect(await fitting(all)).toEqual(all.filter(isNumber));
});

test.each([
  ["0.12345678901234568", true],
  ["-0.12345678901234568", true],
  ["0.12345678901234567", false],
  ["1e-400", false],
  ["0e-400", true],
  ["123e-7", true],
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

test("instants with every kind of day, separator, clock, fraction and zone match as the pattern says", async () => {
  const days = ["2024-02-29", "0001-01-01", "9999-12-31", "2024-2-09", "2024-02-30", "12024-01-01", "0000-01-01"];
  const clocks = ["10:00", "10:00:00", "00:00:59", "24:00:00", "10:00:60", "1:00:00"];
  const fractions = ["", ".1", ".100000", ".123456", ".1234567", "."];
  const zones = ["", "Z", "+00", "+0000", "+00:00", "-07", "z", " Z", "+0", "+00:00:00", " UTC"];
  const all = days.flatMap((day) =>
    ["T", " ", "t"].flatMap((separator) =>
      clocks.flatMap((clock) =>
        fractions.flatMap((fraction) => zones.map((zone) => day + separator + clock + fraction + zone)),
      ),
    ),
  );
  const pattern = /^\d{4}-\d\d-\d\d[T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[-+]\d\d(:?\d\d)?)?$/;
  const isDay = (text: string) => !/^(0000|2024-02-30)/.test(text);
  expect(await fitting(all, "timestamp")).toEqual(all.filter((text) => pattern.test(text) && isDay(text)));
});
