import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repeated, superlinear } from "./processor-growth";

/**
 * Patterns whose time grows with the square of the input, and why that is harmless. Every other regular expression in
 * the source is tested below; new ones need not be listed.
 */
const EXCUSED: Readonly<Record<string, string>> = {
  "app/embed/style-sheet.ts /\\/\\*[\\s\\S]*?\\*\\//g": "reads our own style sheets",
  "components/chart/tick-text.ts /\\.?0+e/": "reads what Number.toExponential wrote",
};

interface Pattern {
  name: string;
  regex: RegExp;
}

const FOLDERS = ["lib", "app", "components"];

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|^(?:testing|showcase)\//.test(path))
    .map((path) => join(folder, path)),
);

/** A regular expression literal, preceded by anything that can precede one. */
const LITERAL =
  /(?<=(?:[(,=:!&|?[{;]|=>|return|^)\s*)\/(?![*/])((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/gm;

function patternsOf(path: string): Pattern[] {
  return [...readFileSync(path, "utf8").matchAll(LITERAL)].flatMap(([text, source = "", flags]) => {
    try {
      return [{ name: `${path} ${text}`, regex: new RegExp(source, flags) }];
    } catch {
      return []; // a path in a comment
    }
  });
}

/** Signs that a pattern may repeat: those in its source, and one for each class that an escape stands for. */
function signsOf({ source }: RegExp): string[] {
  const named = [...source.replace(/\\[\w]/g, "")].filter((sign) => /[!-~¡-ÿ]/.test(sign));
  return [...new Set(["a", "A", "0", " ", "\n", "-", "/", "\u0301", ...named])];
}

/** Runs of a sign, with a beginning that the pattern may ask for, that end in a mismatch. */
function runsOf(regex: RegExp): Record<string, (length: number) => string> {
  const head = /^\^?((?:[\w:/=[({"', -]|\\[/([{.])*)/.exec(regex.source)?.[1]?.replaceAll("\\", "") ?? "";
  return Object.fromEntries(
    signsOf(regex).flatMap((sign) => [
      [`${sign}, then a mismatch`, (length: number) => `x${sign.repeat(length - 2)}\u0001`],
      [`${head}${sign}, then a mismatch`, (length: number) => `${head}${sign.repeat(length - head.length - 1)}\u0001`],
      [`${head} and ${sign} again and again`, (length: number) => repeated(`${head}${sign}x`, length)],
    ]),
  );
}

function firstFault(parse: (text: string) => unknown, texts: ReturnType<typeof runsOf>): string | undefined {
  for (const [name, make] of Object.entries(texts)) {
    const [fault] = superlinear(parse, { [name]: make });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

test("the time of every regular expression grows linearly with the input", () => {
  const patterns = sources.flatMap(patternsOf);
  expect(patterns.length).toBeGreaterThan(200);
  const slow = patterns.flatMap(({ name, regex }) => {
    if (EXCUSED[name] !== undefined) return [];
    const fault = firstFault((text) => text.replace(regex, ""), runsOf(regex));
    return fault === undefined ? [] : [`${name}: ${fault}`];
  });
  expect(slow).toEqual([]);
});
