import { columnTypeOf } from "@/lib/engine/types/column-types";
import { FLOAT64 } from "@/lib/engine/types/floats";
import { Failure } from "@/lib/kernel/errors";
import { proveKey } from "@/lib/publish/primary-key";
import { sealStage } from "@/lib/publish/seal";
import { type CellRule, sizedRules, TEXT_RULES } from "@/lib/readers/typed/cell-types";
import { unclearSql } from "@/lib/readers/typed/decided-points";
import { aggregateCells, aggregateTexts } from "@/lib/readers/typed/wide-cells";
import type { Recipe, RecipeTable } from "@/lib/schemas/recipe";
import type { Reader } from "@/lib/schemas/recipe-reader";
import type { CheckContext } from "./checks/check";
import { checkChecks } from "./checks/check-checks";
import { compileSteps } from "./compile";
import { slugOf } from "./document/read-recipe";
import { isWithin } from "./limits";
import type { Lock, LockedColumn, MonthNames } from "./lock";
import {
  type BuildBench,
  type BuildEvent,
  type BuildOutcome,
  type BuildPlan,
  BuildStopped,
  type CheckResult,
} from "./plan";
import { columnsNow, type Relation } from "./relation";
import { runChecks } from "./run-checks";
import { countRows, type PreviewBytes, runSteps } from "./run-steps";
import type { Stage } from "./stage";
import type { Planned, Scope } from "./steps/step";
import { type Gathered, planTable } from "./table-plan";

export interface TablesRun {
  bench: BuildBench;
  plan: BuildPlan;
  recipe: Recipe;
  stages: readonly Stage[];
  outcome: BuildOutcome;
  previewBytes: PreviewBytes;
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
    hasPreviews: run.plan.mode === "sample",
    rowsOf: (name) => rowsOf(run, name),
  });
  const { rejects, rejectCounts, stepRows, previews } = run.outcome;
  const found = { rejects, rejectCounts, stepRows, previews, previewBytes: run.previewBytes, rejectRows: 0 };
  await runSteps(
    {
      bench: run.bench,
      table: { name: table.name, at, steps: table.steps },
      stages: run.stages,
      rows: input.rows ?? (await countRows(run.bench, input.table)),
      relationAt: (step) => (step < 0 ? run.relations.get(table.from) : steps[step]?.relation),
      keepsOrder: (step) => steps[step]?.sql.form !== "query",
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

/** Strings that no step typed get the first type that represents every cell exactly. Decided once, for the lock. */
export async function inferTypes(
  run: TablesRun,
  table: RecipeTable,
  at: number,
  stored: string,
  relation: Relation,
): Promise<{ stored: string; relation: Relation }> {
  const untyped = table.internal
    ? []
    : relation.columns.flatMap((column, index) => (column.isUntyped ? [{ column, index }] : []));
  const rules = new Map<string, CellRule>();
  const inferred = await inferredRules(
    run,
    stored,
    untyped.map(({ index }) => `c${index}`),
  );
  for (const [at, { column }] of untyped.entries()) {
    const { found, rule } = inferred[at] ?? {};
    const why = found ? "every cell fits" : "no cell has a value";
    run.lock.inferred.push({ table: table.name, column: column.name, type: rule?.type ?? "string", why });
    if (rule && rule.type !== "string") rules.set(column.name, rule);
  }
  const floats = untyped.filter(({ column }) => rules.get(column.name)?.type === FLOAT64.name);
  if (await areUnclear(run, stored, floats)) for (const { column } of floats) inferText(run, table, column.name, rules);
  if (rules.size === 0) return { stored, relation };
  const columns = relation.columns.map((column) => {
    const rule = rules.get(column.name);
    const type = rule && columnTypeOf(rule);
    return type
      ? { ...column, type, storage: type.duckdb ?? "VARCHAR", isUntyped: false, kind: "parsed" as const }
      : column;
  });
  const values = relation.columns.map(({ name }, index) => `${typedCell(rules.get(name), `c${index}`)} AS c${index}`);
  const typed = `t${at}_typed`;
  await run.bench.run(`CREATE TABLE ${typed} AS SELECT ${values.join(", ")}, o, p FROM ${stored}`);
  await run.bench.run(`DROP TABLE ${stored}`);
  return { stored: typed, relation: { ...relation, columns } };
}

/** For each column, the first rule that every cell fits, and the rule with its size. */
async function inferredRules(
  { bench }: TablesRun,
  stored: string,
  refs: readonly string[],
): Promise<{ found: CellRule | undefined; rule: CellRule | undefined }[]> {
  const testsOf = (x: string) =>
    TEXT_RULES.map(
      (each) =>
        `CAST(coalesce(bool_and(${x} IS NULL OR ${each.fits(x, each.value(x))}), true) AND count(${x}) > 0 ` +
        "AS VARCHAR)",
    );
  const answers = await aggregateTexts(
    bench,
    stored,
    refs.map((text) => ({ text, aggregates: testsOf })),
  );
  const found = refs.map((text, at) => ({ text, rule: TEXT_RULES[answers[at]?.indexOf("true") ?? -1] }));
  const sized = await sizedRules(bench, stored, found);
  return found.map(({ rule }, at) => ({ found: rule, rule: sized[at] }));
}

function inferText({ lock }: TablesRun, table: RecipeTable, column: string, rules: Map<string, CellRule>): void {
  rules.delete(column);
  const inferred = lock.inferred.find((each) => each.table === table.name && each.column === column);
  if (inferred) Object.assign(inferred, { type: "string", why: "no cell tells decimals from thousands" });
}

/** Whether points may separate thousands in all these columns, as semicolons separate the cells of a source. */
async function areUnclear(
  { bench, recipe }: TablesRun,
  stored: string,
  columns: readonly { index: number }[],
): Promise<boolean> {
  const has = ({ reader }: { reader?: Reader }) => reader?.format === "csv" && reader.options.delimiter === ";";
  if (!recipe.sources.some((source) => has(source as { reader?: Reader }))) return columns.length === 0;
  const tests = columns.map(({ index }) => [`CAST(${unclearSql(`c${index}`)} AS VARCHAR)`]);
  const answers = await aggregateCells(bench, stored, tests);
  return answers.every(([unclear]) => unclear === "true");
}

const typedCell = (rule: CellRule | undefined, ref: string): string =>
  rule ? `CASE WHEN ${ref} IS NOT NULL THEN ${rule.value(ref)} END` : ref;

/**
 * Proves the key and writes the Parquet file, as publishing does. Both read `stage`, which is a view here, since a copy
 * of a large table costs as much time and memory as its steps.
 */
export async function sealTable(run: TablesRun, table: RecipeTable, stored: string, relation: Relation): Promise<void> {
  if (table.internal) return;
  const { bench } = run;
  const cells = relation.columns.map(({ type }, at) =>
    type?.json.kind === "any" ? `CAST(c${at} AS JSON) AS c${at}` : `c${at}`,
  );
  await bench.run(`CREATE VIEW stage AS SELECT ${cells.join(", ")}, rowid FROM ${stored}`);
  const columns = relation.columns.map(({ name, type }) => ({ name, type: type?.name ?? "string" }));
  const [count] = await bench.rows("SELECT CAST(count(*) AS VARCHAR) FROM stage");
  const stage = { columns, rows: Number(count?.[0] ?? 0) };
  await proved(table, () => proveKey(bench, stage, table.primary_key));
  const { publish } = run.recipe;
  const slug = slugOf(table);
  const texts = {
    dataset: { ...run.plan.dataset, license: publish.license, publisher: publish.publisher },
    table: { slug, license: table.license ?? null },
  };
  const notes = (table.columns ?? []).map(({ name, description, unit }) => ({
    name,
    ...(description !== undefined && { description }),
    ...(unit !== undefined && { unit }),
  }));
  const path = `out/${table.name}.parquet`;
  const sealed = await sealStage(bench, stage, texts, notes, table.order_by, table.primary_key, path);
  const file = {
    table: table.name,
    slug,
    path,
    rows: stage.rows,
    columns: sealed.columns,
    primaryKey: [...table.primary_key],
    dataThrough: await dataThrough(bench, table, relation),
  };
  await bench.run("DROP VIEW stage");
  run.outcome.files.push(file);
  run.emit({ file });
}

async function proved(table: RecipeTable, prove: () => Promise<void>): Promise<void> {
  try {
    await prove();
  } catch (error) {
    if (error instanceof Failure)
      throw new BuildStopped({ code: "key_violation", message: error.message, at: { table: table.name } });
    throw error;
  }
}

async function dataThrough(bench: BuildBench, table: RecipeTable, relation: Relation): Promise<string | null> {
  const at = relation.columns.findIndex(({ name }) => name === table.time_column);
  if (at < 0) return null;
  const [row] = await bench.rows(`SELECT CAST(CAST(max(c${at}) AS DATE) AS VARCHAR) FROM stage`);
  return row?.[0] ?? null;
}
