import { arbitraryChecks } from "./arbitrary-checks";
import { type Pick, WORDS } from "./arbitrary-expressions";
import { PLAIN, STEP_DRAWS, STEP_NAMES } from "./arbitrary-steps";
import { CELL_STEPS } from "./recipe-cell-steps";
import type { RecipeCheck } from "./recipe-checks";
import { ROW_STEPS } from "./recipe-row-steps";
import { RecipeEnd, type RecipeStep, type RecipeTable, textColumn } from "./recipe-table";
import type { Family } from "./recipe-values";

/** Strings that the cells of `input` are drawn from, by column. Null is a missing cell. */
const POOLS: Readonly<Record<string, readonly (string | null)[]>> = {
  key: ["A", "B", "C", "A", null],
  word: [...WORDS, null],
  amount: ["1.234,50", "-7", "12,5", "1.23", "+5", "x", "0", "99", "1 234", null],
  whole: ["0", "1", "2", "3", "-4", "30", "1", "2", null, "x"],
  flag: ["true", "false", "yes", null],
  date: ["2024-01-31", "2024-02-29", "2024-02-30", "31.12.2023", "1999-12-31", null],
  parts: ["a;b;c", "a;b", "a", "", "é;;ü;z", null],
  doc: ['{"a":1,"b":"x"}', '{"a":-5,"b":null}', "[1,2]", '["s",{"a":3}]', '{"b":"ü"}', "[]", '{"a":"x"}', "{", null],
};
const OTHER: Readonly<Record<string, readonly (string | null)[]>> = {
  id: ["A", "B", "D", "E", null],
  label: ["Ab ç", "x-y", "other", null],
};

type Sources = Readonly<Record<string, { columns: string[]; rows: (string | null)[][] }>>;

export interface ArbitraryRecipe {
  sources: Sources;
  steps: RecipeStep[];
  checks: RecipeCheck[];
  result: RecipeTable;
  /** The current release: the same recipe over other cells. Undefined if there is none. */
  previous: { sources: Sources; result: RecipeTable } | undefined;
  others: Readonly<Record<string, RecipeTable>>;
  /** The code with which the build fails, if it does. */
  ends: string | undefined;
}

function cells(pick: Pick, pools: typeof POOLS, most: number) {
  const columns = Object.keys(pools);
  const count = pick(...Array.from({ length: most + 1 }, (_, at) => at));
  const rows = Array.from({ length: count }, () => columns.map((name) => pick(...(pools[name] ?? [null]))));
  return { columns, rows };
}

const tableOf = ({ columns, rows }: { columns: string[]; rows: (string | null)[][] }): RecipeTable => ({
  columns: columns.map(textColumn),
  rows,
  rejected: 0,
});

/** Applies a step as the specification says. Throws RecipeEnd if the build ends. */
export function applyStep(
  step: RecipeStep,
  table: RecipeTable,
  others: Readonly<Record<string, RecipeTable>>,
): RecipeTable {
  const apply = ROW_STEPS[step.step] ?? CELL_STEPS[step.step];
  if (!apply) throw new Error(`The evaluator lacks ${step.step}`);
  const made = apply(step, table, others);
  return { ...made, rejected: Math.max(made.rejected, table.rejected) };
}

const WANTED = ["parse", "parse", "cast", "cast", "derive"];

/** A recipe of up to nine steps over drawn cells, with its checks and the evaluator's result. */
export function arbitraryRecipe(pick: Pick): ArbitraryRecipe {
  const sources = { input: cells(pick, POOLS, 8), other: cells(pick, OTHER, 4) };
  const others = { other: tableOf(sources.other) };
  const made: ArbitraryRecipe = {
    ...{ sources, others, steps: [], checks: [], previous: undefined, ends: undefined },
    result: tableOf(sources.input),
  };
  drawSteps(pick, made);
  if (made.ends !== undefined) return made;
  made.steps.push({ step: "select", columns: made.result.columns.map(({ name }) => name) });
  if (pick(true, true, true, false)) made.checks = arbitraryChecks(pick, made.result);
  if (made.checks.length > 0 && pick(true, true, false)) made.previous = previousOf(pick, made);
  return made;
}

function drawSteps(pick: Pick, made: ArbitraryRecipe): void {
  let count = 0;
  const kinds = [...WANTED, ...Array.from({ length: 4 }, () => pick(...STEP_NAMES))];
  for (const kind of kinds) {
    const table = made.result;
    const of = (...families: Family[]) =>
      table.columns.filter(({ family }) => families.includes(family)).map(({ name }) => name);
    const isPoor = of(...PLAIN).length === 0;
    const drawn = isPoor ? undefined : STEP_DRAWS[kind]?.(pick, { table, of, fresh: () => `f${++count}` });
    if (!drawn) continue;
    const step = { step: kind, ...drawn };
    made.steps.push(step);
    made.ends = ending(() => {
      made.result = applyStep(step, table, made.others);
    });
    if (made.ends !== undefined) return;
  }
}

/** The code with which a build ends, if it does. */
function ending(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof RecipeEnd) return error.code;
    throw error;
  }
}

function previousOf(pick: Pick, { sources, steps, others }: ArbitraryRecipe): ArbitraryRecipe["previous"] {
  const input = pick(true, false)
    ? cells(pick, POOLS, 8)
    : { ...sources.input, columns: sources.input?.columns ?? [], rows: sources.input?.rows.slice(1) ?? [] };
  let result = tableOf(input);
  const ends = ending(() => {
    for (const step of steps) result = applyStep(step, result, others);
  });
  return ends === undefined ? { sources: { ...sources, input }, result } : undefined;
}
