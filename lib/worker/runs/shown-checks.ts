import type { CheckResult } from "@/lib/builds/plan";
import type { RunCheck } from "@/lib/schemas/run";
import { cleanText } from "./run-failure";

const EXAMPLES_MAX = 3;
/** Room for a primary key of 8 columns and the 16 that a check examined. */
const CELLS_MAX = 24;
const CELL_CHARS = 100;
/** For all examples of a run together. */
const CHARS_MAX = 8_000;

type Cells = NonNullable<RunCheck["examples"]>[number];

/** Without examples, as releases keep it, because readers of a dataset see its checks. */
export const checkOf = ({
  table,
  check,
  title,
  severity,
  outcome,
  failures,
  examined,
  message,
}: CheckResult): RunCheck => ({
  ...{ check, table, title, severity, outcome, failures, examined },
  message: cleanText(message),
});

/**
 * Checks as members of the workspace see them. Failed checks show their first failures: every check gets one before any
 * gets a second, checks that end a run come first, and there are as many as fit in a short reply.
 */
export function shownChecks(checks: readonly CheckResult[]): RunCheck[] {
  const failed = checks
    .filter(({ outcome }) => outcome === "failed")
    .sort((a, b) => Number(b.severity === "error") - Number(a.severity === "error"));
  const shown = new Map<CheckResult, Cells[]>();
  let left = CHARS_MAX;
  for (let nth = 0; nth < EXAMPLES_MAX; nth += 1)
    for (const check of failed) {
      const found = check.examples[nth];
      if (!found) continue;
      const cells = shortCells(found.cells);
      const chars = JSON.stringify(cells).length;
      if (chars > left) continue;
      left -= chars;
      shown.set(check, [...(shown.get(check) ?? []), cells]);
    }
  return checks.map((check) => {
    const examples = shown.get(check);
    return { ...checkOf(check), ...(examples && { examples }) };
  });
}

const shortCells = (cells: Cells): Cells =>
  Object.fromEntries(
    Object.entries(cells)
      .slice(0, CELLS_MAX)
      .map(([name, value]) => [cleanText(name), value === null ? null : shortText(cleanText(value))]),
  );

const shortText = (text: string): string =>
  text.length > CELL_CHARS ? `${text.slice(0, CELL_CHARS).toWellFormed()}…` : text;
