import type { BuildOutcome } from "@/lib/builds/plan";
import type { Recipe } from "@/lib/schemas/recipe";
import type { RunCheck, RunResult } from "@/lib/schemas/run";
import { cleanText } from "./run-failure";

/** From this many rejected cells on, a tenfold rise since the last release is reported. */
const REJECTS_REPORTED_MIN = 10;
const NAMED_MAX = 10;

type Built = Pick<BuildOutcome, "drift" | "lineage" | "rejectCounts">;

/**
 * The warnings that every full run gets, whatever its recipe says: new columns in its sources that no table uses, and
 * rejects that rose tenfold since the last release. Tables are named as in the recipe.
 */
export const standardChecks = (recipe: Recipe, built: Built, last: RunResult | undefined): RunCheck[] => [
  ...newColumns(recipe, built),
  ...(last ? risenRejects(recipe, built, last) : []),
];

function newColumns({ tables }: Recipe, { drift, lineage }: Built): RunCheck[] {
  const taken = new Set(
    lineage.flatMap(({ columns }) =>
      Object.values(columns).flatMap(({ from }) => from.map(({ source, column }) => keyOf(source, column))),
    ),
  );
  const left = drift.filter(({ change, source, column }) => change === "added" && !taken.has(keyOf(source, column)));
  return [...new Set(left.map(({ source }) => source))].flatMap((source) => {
    const names = left.filter((each) => each.source === source).map(({ column }) => JSON.stringify(column));
    const table = tables.find(({ from }) => from === source)?.name;
    if (table === undefined) return [];
    const shown = names.slice(0, NAMED_MAX).join(", ");
    const noun = names.length === 1 ? "column" : "columns";
    const message = `${source} has ${names.length} new ${noun} that no table uses: ${shown}.`;
    return [warning("new_columns", table, { failures: names.length, examined: names.length }, message)];
  });
}

const keyOf = (source: string, column: string): string => JSON.stringify([source, column]);

function risenRejects({ tables }: Recipe, { rejectCounts }: Built, last: RunResult): RunCheck[] {
  const count = (list: readonly { table: string; cells: number }[], table: string) =>
    list.reduce((sum, each) => (each.table === table ? sum + each.cells : sum), 0);
  return tables.flatMap(({ name }) => {
    const [before, now] = [count(last.rejects, name), count(rejectCounts, name)];
    if (now < REJECTS_REPORTED_MIN || now < 10 * before) return [];
    const message = `${now} cells were rejected, compared with ${before} in the last release.`;
    return [warning("rejects_rose", name, { failures: now, examined: now }, message)];
  });
}

const warning = (
  check: string,
  table: string,
  counts: Pick<RunCheck, "failures" | "examined">,
  message: string,
): RunCheck => ({
  ...{ check, table, title: null, severity: "warn", outcome: "failed", ...counts, message: cleanText(message) },
});
