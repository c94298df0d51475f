import { withoutEnd, withoutStart } from "@/lib/kernel/trim-signs";

/* Whether the double nearest to a number's text prints as the same number, in SQL and in TypeScript. */

/** A double holds so many digits exactly, if no exponent makes them too small. */
const SURE_CHARACTERS = 15;

/** SQL of a number's text without its exponent. */
const mantissa = (x: string) => `split_part(lower(${x}), 'e', 1)`;
const unsigned = (x: string) => `replace(replace(${mantissa(x)}, '-', ''), '+', '')`;
/** Its digits from the first that is not zero. */
const counted = (x: string) => `ltrim(replace(${unsigned(x)}, '.', ''), '0')`;
const significant = (x: string) => `rtrim(${counted(x)}, '0')`;
/** How many places the point stands behind the first of these digits. */
const point = (x: string) =>
  `(coalesce(TRY_CAST(nullif(replace(split_part(lower(${x}), 'e', 2), '+', ''), '') AS BIGINT), 0) + ` +
  `strlen(split_part(${unsigned(x)}, '.', 1)) - strlen(replace(${unsigned(x)}, '.', '')) + strlen(${counted(x)}))`;

/** SQL: whether `x`, the text of a number, is the number that `v`, the double nearest to it, prints as. */
export function isPrintedSql(x: string, v: string): string {
  const printed = `(${v})::VARCHAR`;
  return (
    `(${significant(x)} = ${significant(printed)} AND ` + `(${significant(x)} = '' OR ${point(x)} = ${point(printed)}))`
  );
}

/** Whether the text of a number is the number that the nearest double prints as. */
export function isPrinted(text: string): boolean {
  if (text.length <= SURE_CHARACTERS && !/e/i.test(text)) return true;
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  const [written, printed] = [partsOf(text), partsOf(String(value))];
  return written.digits === printed.digits && (written.digits === "" || written.point === printed.point);
}

function partsOf(text: string): { digits: string; point: number } {
  const [number = "", exponent = "0"] = text.toLowerCase().split("e");
  const plain = number.replace(/^[-+]/, "");
  const all = plain.replace(".", "");
  const [whole = ""] = plain.split(".");
  const counted = withoutStart(all, "0");
  return {
    digits: withoutEnd(counted, "0"),
    point: Number(exponent) + whole.length - (all.length - counted.length),
  };
}
