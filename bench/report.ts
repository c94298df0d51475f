import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CaseName } from "./options";

/** A goal and its measured value. */
export interface Line {
  what: string;
  measured: string;
  goal: string;
  /** Null where there is no goal. */
  met: boolean | null;
}

export interface Outcome {
  lines: Line[];
  /** The underlying figures: a header and rows of cells. */
  figures?: { head: string[]; rows: string[][] };
}

const README = join(import.meta.dirname, "README.md");

export const ms = (value: number): string =>
  value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0);
export const ratio = (value: number): string => value.toFixed(2);

/** A goal of the form "at most" or "at least". */
export function line(what: string, value: number, goal: { most: number } | { least: number }, unit = ""): Line {
  const [sign, bound, met] =
    "most" in goal ? ["≤", goal.most, value <= goal.most] : ["≥", goal.least, value >= goal.least];
  return { what, measured: ratio(value) + unit, goal: `${sign} ${bound}${unit}`, met };
}

export function markdown(outcome: Outcome, run: string): string {
  const verdict = (met: boolean | null) => (met === null ? "" : met ? "met" : "**missed**");
  const goals = table(
    ["what", "measured", "goal", ""],
    outcome.lines.map(({ what, measured, goal, met }) => [what, measured, goal, verdict(met)]),
  );
  const figures = outcome.figures ? `\n\n${table(outcome.figures.head, outcome.figures.rows)}` : "";
  return `${run}\n\n${goals}${figures}`;
}

/** Writes a case's figures between its markers in the README. */
export function writeSection(name: CaseName, text: string): void {
  const [start, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const readme = readFileSync(README, "utf8");
  const [from, to] = [readme.indexOf(start), readme.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md has no markers for ${name}`);
  writeFileSync(README, `${readme.slice(0, from + start.length)}\n${text}\n${readme.slice(to)}`);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
