import { join } from "node:path";
import { LEFT_OUT_CAUSES, LOSSES } from "@/lib/readers/left-out";
import type { StagedSource } from "@/lib/readers/staged-source";
import { buildTable, type TablesRun } from "./build-table";
import { readRecipe } from "./document/read-recipe";
import { ENGLISH, monthNames } from "./formats/month-names";
import type { Lock, MonthNames } from "./lock";
import { type BuildBench, type BuildEvent, type BuildOutcome, type BuildPlan, BuildStopped } from "./plan";

import { type Relation, sourceRelation } from "./relation";
import { previousOf } from "./run-checks";
import { PreviewBytes } from "./run-steps";
import { fillStage, ORIGIN_BITS, type Stage } from "./stage";

/**
 * Builds a recipe's tables from staged sources: stage, steps, checks, keys, Parquet. Errors in data or recipe become
 * the outcome's `failure`; only defects and lack of memory or disk space throw. The folder `out` must exist.
 */
export async function runBuild(
  bench: BuildBench,
  plan: BuildPlan,
  staged: readonly StagedSource[],
  emit: (event: BuildEvent) => void = () => {},
): Promise<BuildOutcome> {
  const outcome = emptyOutcome(staged);
  try {
    await build(bench, plan, staged, emit, outcome);
  } catch (error) {
    if (!(error instanceof BuildStopped)) throw error;
    outcome.failure = error.failure;
    outcome.lock = null;
    emit({ failed: error.failure });
  }
  return outcome;
}

/** What readers lost among the data. Everything else that they left out is reported, but is no reject. */
const lossesOf = ({ leftOut }: StagedSource) => leftOut.filter(({ cause }) => LOSSES.includes(cause));

const emptyOutcome = (staged: readonly StagedSource[]): BuildOutcome => ({
  failure: null,
  files: [],
  checks: [],
  rejects: staged.flatMap((source) =>
    lossesOf(source).flatMap(({ cause, examples }) =>
      examples.map(({ part, row, value, column }) => ({
        ...{ table: null, step: null, column: column === null ? null : `cell ${column}` },
        ...{ source: source.name, partition: source.parts[part]?.partition ?? null, row, value },
        reason: LEFT_OUT_CAUSES[cause],
      })),
    ),
  ),
  leftOut: staged.flatMap(({ name, leftOut }) => leftOut.map((each) => ({ source: name, ...each }))),
  rejectCounts: [],
  rejectTotals: { cells: 0, rows: staged.flatMap(lossesOf).reduce((sum, { rows }) => sum + rows, 0) },
  stepRows: [],
  previews: [],
  lock: null,
  drift: [],
  lineage: [],
  sampled: staged.map(({ name, rows, rowsOf }) => ({ source: name, rows, of: rowsOf })),
});

async function build(
  bench: BuildBench,
  plan: BuildPlan,
  staged: readonly StagedSource[],
  emit: (event: BuildEvent) => void,
  outcome: BuildOutcome,
): Promise<void> {
  const { recipe } = readRecipe(plan.recipe);
  const stages: Stage[] = [];
  for (const source of staged) {
    const stage = await fillStage(bench, source, plan.lock?.source_columns[source.name]);
    stages.push(stage);
    emit({ staged: { source: source.name, rows: source.rows, columns: stage.columns.length } });
  }
  outcome.drift = driftOf(stages, plan.lock);
  const months = new Map<string, MonthNames>(Object.entries(plan.lock?.months ?? {}));
  const run: TablesRun = {
    bench,
    plan,
    recipe,
    stages,
    outcome,
    previewBytes: new PreviewBytes(),
    isPart: plan.mode === "sample" && staged.some(({ rows, rowsOf }) => rows !== rowsOf),
    emit,
    relations: new Map<string, Relation>(
      stages.map(({ source, columns, isText }) => [source.name, sourceRelation(source.name, columns, isText)]),
    ),
    stored: new Map(
      stages.map(({ source, table, rows }) => [
        source.name,
        { table, rows, origin: `CAST(${BigInt(source.ordinal) << BigInt(ORIGIN_BITS)} + p AS BIGINT)` },
      ]),
    ),
    sets: new Map(),
    lock: {
      made_from_run: plan.lock?.made_from_run ?? plan.run,
      columns: {},
      inferred: [...(plan.lock?.inferred ?? [])],
      months: {},
      sets: {},
      source_columns: Object.fromEntries(stages.map(({ source, columns }) => [source.name, columns])),
    },
    monthsOf: (locale) => {
      const known = months.get(locale) ?? (locale.startsWith("en") ? ENGLISH : monthNames(locale));
      months.set(locale, known);
      return known;
    },
    previousOf: async (table) => {
      const file = plan.previous[table];
      return await previousOf(bench, file === undefined ? undefined : join(bench.folder, file));
    },
  };
  for (const [at, table] of recipe.tables.entries()) await buildTable(run, table, at);
  outcome.lock =
    plan.lock && isWhole(plan.lock, run.lock)
      ? plan.lock
      : { ...run.lock, months: Object.fromEntries(months), sets: Object.fromEntries(run.sets) };
  emit({ done: true });
}

/**
 * Whether a lock contains everything that this run decided. A refresh under `evolve` may only add columns; a revision
 * keeps only the parts that it does not affect.
 */
const isWhole = (locked: Lock, now: Lock): boolean =>
  Object.entries(now.columns).every(([table, columns]) => columns.length === locked.columns[table]?.length) &&
  Object.keys(now.source_columns).every((source) => locked.source_columns[source] !== undefined);

function driftOf(stages: readonly Stage[], lock: Lock | null): BuildOutcome["drift"] {
  if (!lock) return [];
  return stages.flatMap(({ source, columns }) => {
    const locked = lock.source_columns[source.name];
    if (!locked) return []; // a revision changed how it is read
    const before = new Map(locked.map(({ name, type }) => [name, type]));
    const now = new Map(columns.map(({ name, type }) => [name, type]));
    const added = [...now].flatMap(([column, to]) =>
      before.has(column) ? [] : [{ source: source.name, column, change: "added" as const, from: null, to }],
    );
    const removed = [...before].flatMap(([column, from]) =>
      now.has(column) ? [] : [{ source: source.name, column, change: "removed" as const, from, to: null }],
    );
    const retyped = [...now].flatMap(([column, to]) => {
      const from = before.get(column);
      return from === undefined || from === to
        ? []
        : [{ source: source.name, column, change: "retyped" as const, from, to }];
    });
    return [...added, ...removed, ...retyped];
  });
}
