import type { RecipeTable } from "@/lib/schemas/recipe";
import { BuildStopped } from "./build-stopped";
import type { TablesRun } from "./build-table";
import type { CheckResult } from "./plan";

const NAMED_MAX = 10;

/**
 * Compares the columns that unpivot steps take by a pattern with those of the approved sample, since each of them makes
 * rows. Under `freeze` they must be the same. Under `evolve` new ones add their rows, and rows that are missing with a
 * column are a warning.
 */
export function proveSets(run: TablesRun, table: RecipeTable, at: number): void {
  if (!run.plan.lock?.columns[table.name]) return;
  for (const [step, { step: kind }] of table.steps.entries()) {
    const changed = kind === "unpivot" ? changedSet(run, `/tables/${at}/steps/${step}/columns`) : undefined;
    if (!changed) continue;
    if (table.contract === "freeze") throw stopped(changed, { table: table.name, step });
    if (changed.gone.length > 0) run.outcome.checks.push(goneCheck(changed, { table: table.name, step }));
  }
}

interface ChangedSet {
  pointer: string;
  added: string[];
  gone: string[];
  before: readonly string[];
}

interface StepLocation {
  table: string;
  step: number;
}

function changedSet(run: TablesRun, pointer: string): ChangedSet | undefined {
  const [before, now] = [run.plan.lock?.sets[pointer], run.sets.get(pointer)];
  if (!before || !now) return undefined;
  const [had, has] = [new Set(before), new Set(now)];
  const [added, gone] = [now.filter((name) => !had.has(name)), before.filter((name) => !has.has(name))];
  return added.length + gone.length > 0 ? { pointer, added, gone, before } : undefined;
}

function stopped({ pointer, added, gone }: ChangedSet, { table, step }: StepLocation): BuildStopped {
  const [column = ""] = [...added, ...gone];
  const changes = [
    ...(added.length > 0 ? [`it would take the new ${columnText(added)}`] : []),
    ...(gone.length > 0 ? [goneText(gone)] : []),
  ].join(", and ");
  return new BuildStopped({
    code: "schema_violation",
    message:
      `Step ${step + 1} (unpivot) has other columns than the approved sample: ${changes}. The table's contract is ` +
      "freeze. Propose a revision, or one with contract evolve, under which columns may come and go.",
    at: { table, step, column, pointer },
  });
}

const goneCheck = ({ pointer, gone, before }: ChangedSet, { table, step }: StepLocation): CheckResult => ({
  ...{ table, check: "columns_gone", pointer, title: null, severity: "warn", outcome: "failed" },
  ...{ failures: gone.length, examined: before.length, examples: [] },
  message: `Compared with the approved sample, in step ${step + 1} (unpivot) ${goneText(gone)}.`,
});

const goneText = (names: readonly string[]): string =>
  `the ${columnText(names)} ${names.length === 1 ? "is" : "are"} missing, and with ${
    names.length === 1 ? "it" : "them"
  } the rows made from ${names.length === 1 ? "it" : "them"}`;

function columnText(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_MAX).map((name) => JSON.stringify(name));
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : "";
  return `${names.length === 1 ? "column" : "columns"} ${shown.join(", ")}${more}`;
}
