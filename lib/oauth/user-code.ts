import { randomInt } from "node:crypto";

/** No vowels, so that no words appear, and no characters that are easily mistaken for others (RFC 8628, 6.1). */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
const FORM = new RegExp(`^[${LETTERS}]{${LENGTH}}$`);

/** Eight letters for a person to type: 35 bits, valid for a quarter of an hour and rate-limited. */
export const newUserCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");

/** A code as shown to people: BCDF-GHJK. */
export const formatUserCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;

/**
 * The letters of a code however it was typed: in lower case, with or without the hyphen, with spaces. Undefined if it
 * cannot be a code.
 */
export function readUserCode(typed: string): string | undefined {
  const letters = typed
    .slice(0, 100)
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[\s\p{Pd}_.]+/gu, "");
  return FORM.test(letters) ? letters : undefined;
}
