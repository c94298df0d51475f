import type { Recipe, RecipeTable } from "@/lib/schemas/recipe";
import { BuildStopped } from "./build-stopped";
import type { CheckContext } from "./checks/check";
import { checkChecks } from "./checks/check-checks";
import { compileSteps } from "./compile";
import { inferTypes } from "./infer-types";
import { isWithin } from "./limits";
import type { Lock, LockedColumn, MonthNames } from "./lock";
import type { BuildBench, BuildEvent, BuildOutcome, BuildPlan } from "./plan";
import { proveSets } from "./prove-sets";
import { columnsNow, type Relation } from "./relation";
import { runChecks } from "./run-checks";
import { countRows, runSteps } from "./run-steps";
import { sealTable } from "./seal-table";
import type { Stage } from "./stage";
import type { Planned, Scope } from "./steps/step";
import { type Gathered, planTable } from "./table-plan";

export interface TablesRun {
  bench: BuildBench;
  plan: BuildPlan;
  recipe: Recipe;
  stages: readonly Stage[];
  outcome: BuildOutcome;
  /** Whether sources have rows that a sample did not read. */
  isPart: boolean;
  relations: Map<string, Relation>;
  /** With the number of rows, if it is known. */
  stored: Map<string, { table: string; origin: string; rows?: number }>;
  sets: Scope["sets"];
  lock: Lock;
  monthsOf(locale: string): MonthNames;
  previousOf(table: string): Promise<CheckContext["previous"]>;
  emit(event: BuildEvent): void;
}

/** Builds one table: plan, statements, types, checks, key, file. */
export async function buildTable(run: TablesRun, table: RecipeTable, at: number): Promise<void> {
  const gathered: Gathered = { faults: [], warnings: [], patterns: [], sets: run.sets, monthsOf: run.monthsOf };
  const planned = planTable(table, at, run.relations, gathered, run.plan.lock);
  stopForFaults(table, gathered);
  proveSets(run, table, at);
  const before = totals(run);
  let { stored, relation } = await runTable(run, table, at, planned.steps, planned.relation);
  if (!run.plan.lock?.columns[table.name]) ({ stored, relation } = await inferTypes(run, table, at, stored, relation));
  stopForDrift(run, table, relation);
  run.relations.set(table.name, relation);
  run.stored.set(table.name, { table: stored, origin: "o" });
  run.outcome.lineage.push({
    table: table.name,
    columns: Object.fromEntries(
      relation.columns.map(({ name, from, steps, kind }) => [name, { from: [...from], steps: [...steps], kind }]),
    ),
  });
  try {
    await checkTable(run, table, at, stored, relation, gathered);
    stopForRejects(run, table, before);
    await sealTable(run, table, stored, relation);
  } catch (error) {
    if (error instanceof BuildStopped) await leaveCandidate(run, table, stored, relation);
    throw error;
  }
}

/** Keeps the rows of a table that failed, without its key, so that somebody can look at them. */
async function leaveCandidate(run: TablesRun, table: RecipeTable, stored: string, relation: Relation): Promise<void> {
  await run.bench.run("DROP VIEW IF EXISTS stage");
  await sealTable(run, { ...table, primary_key: [] }, stored, relation);
}

function stopForFaults(table: RecipeTable, { faults }: Gathered): void {
  const [fault] = faults;
  if (!fault) return;
  const step = /\/steps\/(\d+)/.exec(fault.pointer)?.[1];
  const names = fault.code === "unknown_column" ? fault.allowed : undefined;
  throw new BuildStopped({
    code: "schema_violation",
    message: names ? `${fault.message} ${columnsNow(names)}` : fault.message,
    at: { table: table.name, pointer: fault.pointer, ...(step !== undefined && { step: Number(step) }) },
    ...(fault.didYouMean !== undefined && { didYouMean: fault.didYouMean }),
  });
}

async function runTable(
  run: TablesRun,
  table: RecipeTable,
  at: number,
  steps: readonly Planned[],
  relation: Relation,
  prefix = `t${at}`,
): Promise<{ stored: string; relation: Relation }> {
  const input = run.stored.get(table.from);
  if (!input) throw new Error(`No relation ${table.from}`);
  const width = run.relations.get(table.from)?.columns.length ?? 0;
  const compiled = compileSteps({
    prefix,
    table: input.table,
    origin: input.origin,
    width,
    steps,
    rowsOf: (name) => rowsOf(run, name),
  });
  const { rejects, rejectCounts, stepRows } = run.outcome;
  const found = { rejects, rejectCounts, stepRows, rejectRows: 0 };
  await runSteps(
    {
      bench: run.bench,
      table: { name: table.name, at, steps: table.steps },
      stages: run.stages,
      rows: input.rows ?? (await countRows(run.bench, input.table)),
      found,
      emit: run.emit,
    },
    compiled.instructions,
  );
  run.outcome.rejectTotals.rows += found.rejectRows;
  return { stored: compiled.table, relation };
}

function rowsOf(run: TablesRun, name: string): string {
  const stored = run.stored.get(name);
  const origin = stored?.origin === "o" ? "" : `, ${stored?.origin} AS o`;
  return `(SELECT *${origin} FROM ${stored?.table})`;
}

/** Under `freeze` the result must have exactly the columns of the lock; under `evolve` it may have more. */
function stopForDrift(run: TablesRun, table: RecipeTable, relation: Relation): void {
  const locked = run.plan.lock?.columns[table.name];
  run.lock = { ...run.lock, columns: { ...run.lock.columns, [table.name]: relation.columns.map(lockedColumn) } };
  if (!locked) return;
  const now = new Map(relation.columns.map((column) => [column.name, column]));
  const before = new Set(locked.map(({ name }) => name));
  const stop = (column: string, message: string) => {
    throw new BuildStopped({ code: "schema_violation", message, at: { table: table.name, column } });
  };
  const added = [...now.keys()].find((name) => !before.has(name));
  const repeated = [...now.values()].find(({ name, isRepeated }) => isRepeated && !before.has(name))?.name;
  if (repeated !== undefined)
    stop(
      repeated,
      `There is a new column ${JSON.stringify(repeated)}, which no step unpivot takes: it would be repeated in every ` +
        "row. Propose a revision in which unpivot takes it (such as by matches), or drop it.",
    );
  if (added !== undefined && table.contract === "freeze")
    stop(
      added,
      `The table would get a new column ${JSON.stringify(added)}, but its contract is freeze. Drop the column, ` +
        `or propose a revision.`,
    );
  for (const { name, type } of locked) {
    const column = now.get(name);
    if (!column)
      stop(name, `The column ${JSON.stringify(name)} of the approved table is missing. ${columnsNow([...now.keys()])}`);
    else if (column.type && column.type.name !== type)
      stop(name, `The column ${JSON.stringify(name)} has the type ${column.type.name}, but ${type} was approved.`);
  }
}

const lockedColumn = ({ name, type, storage }: Relation["columns"][number]): LockedColumn => ({
  name,
  type: type?.name ?? "string",
  storage,
  nullable: true,
});

async function checkTable(
  run: TablesRun,
  table: RecipeTable,
  at: number,
  stored: string,
  relation: Relation,
  gathered: Gathered,
): Promise<void> {
  const checks = checkChecks(table, at, relation, run.relations, gathered);
  stopForFaults(table, gathered);
  const other = (name: string) => ({
    table: run.stored.get(name)?.table ?? "",
    relation: run.relations.get(name) ?? relation,
  });
  const previous = await run.previousOf(table.name);
  const results = await runChecks(
    {
      bench: run.bench,
      table: table.name,
      stored,
      relation,
      primaryKey: table.primary_key,
      other,
      previous,
      isPart: run.isPart,
      now: run.plan.now,
      emit: run.emit,
    },
    checks,
  );
  run.outcome.checks.push(...results);
  const failed = results.find(({ outcome, severity }) => outcome === "failed" && severity === "error");
  if (failed && run.plan.mode === "full")
    throw new BuildStopped({
      code: "check_failed",
      message: failed.message,
      at: { table: table.name, pointer: failed.pointer },
    });
}

const totals = ({ outcome }: TablesRun) => ({ counts: outcome.rejectCounts.length, rows: outcome.rejectTotals.rows });

/** Checks the maximum number of rejected cells, or of rows with one, after the last step. */
function stopForRejects(run: TablesRun, table: RecipeTable, before: { counts: number; rows: number }): void {
  const own = run.outcome.rejectCounts.slice(before.counts);
  const cells = own.reduce((sum, count) => sum + count.cells, 0);
  const rows = run.outcome.rejectTotals.rows - before.rows;
  run.outcome.rejectTotals.cells += cells;
  const of = run.stages.reduce((sum, { source }) => sum + source.rows, 0);
  const { cells: cellsMax = table.tolerance ? undefined : 0, rows: rowsMax } = table.tolerance ?? {};
  const isOver =
    (cellsMax !== undefined && !isWithin(cells, cellsMax, of)) ||
    (rowsMax !== undefined && !isWithin(rows, rowsMax, of));
  if (!isOver) return;
  const worst = [...own].sort((a, b) => b.cells - a.cells).slice(0, 3);
  throw new BuildStopped({
    code: "too_many_rejects",
    message:
      `${cells} cells in ${rows} rows were rejected, more than tolerance allows: ` +
      `${worst.map(({ column, cells: count }) => `${count} of ${JSON.stringify(column)}`).join(", ")}.`,
    at: { table: table.name, ...(worst[0] && { step: worst[0].step, column: worst[0].column }) },
  });
}
