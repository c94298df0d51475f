import aggregate from "./cases/aggregate.json" with { type: "json" };
import cast from "./cases/cast.json" with { type: "json" };
import dedupe from "./cases/dedupe.json" with { type: "json" };
import derive from "./cases/derive.json" with { type: "json" };
import drop from "./cases/drop.json" with { type: "json" };
import extract from "./cases/extract.json" with { type: "json" };
import fill from "./cases/fill.json" with { type: "json" };
import filter from "./cases/filter.json" with { type: "json" };
import flatten from "./cases/flatten.json" with { type: "json" };
import join from "./cases/join.json" with { type: "json" };
import limit from "./cases/limit.json" with { type: "json" };
import map from "./cases/map.json" with { type: "json" };
import nullIf from "./cases/null_if.json" with { type: "json" };
import number from "./cases/number.json" with { type: "json" };
import parse from "./cases/parse.json" with { type: "json" };
import pivot from "./cases/pivot.json" with { type: "json" };
import rename from "./cases/rename.json" with { type: "json" };
import replace from "./cases/replace.json" with { type: "json" };
import select from "./cases/select.json" with { type: "json" };
import sort from "./cases/sort.json" with { type: "json" };
import split from "./cases/split.json" with { type: "json" };
import trim from "./cases/trim.json" with { type: "json" };
import union from "./cases/union.json" with { type: "json" };
import unnest from "./cases/unnest.json" with { type: "json" };
import unpivot from "./cases/unpivot.json" with { type: "json" };
import { STEP_KINDS } from "./registry";

/** A golden case of a step: input cells, steps, and the output rows, the build's failure or the recipe's faults. */
export interface StepCase {
  name: string;
  columns: string[];
  rows: (string | null)[][];
  /** A second source called `other`. */
  other?: { columns: string[]; rows: (string | null)[][] };
  steps: { step: string }[];
  names?: string[];
  expected?: (string | null)[][];
  failure?: string;
  /** The rejected cells, in order. */
  rejects?: string[];
  /** Pointer and code. */
  faults?: [string, string][];
}

const CASES: Readonly<Record<string, unknown>> = {
  aggregate,
  cast,
  dedupe,
  derive,
  drop,
  extract,
  fill,
  filter,
  flatten,
  join,
  limit,
  map,
  null_if: nullIf,
  number,
  parse,
  pivot,
  rename,
  replace,
  select,
  sort,
  split,
  trim,
  union,
  unnest,
  unpivot,
};

/** THE golden cases of each step, in the registry's order. The docs show the first one that gives rows. */
export const STEP_CASES = Object.fromEntries(Object.keys(STEP_KINDS).map((step) => [step, CASES[step]])) as Readonly<
  Record<string, readonly StepCase[]>
>;

/** A whole recipe around the steps of a case. */
export const caseRecipe = ({ steps }: Pick<StepCase, "steps">): string =>
  JSON.stringify({
    schema_version: "service-recipe.v1",
    sources: ["input", "other"].map((name) => ({ name, kind: "upload", upload: name, reader: { format: "csv" } })),
    tables: [{ name: "result", from: "input", steps, columns: [], tolerance: { cells: 100 } }],
    publish: { license: "CC0-1.0", publisher: { name: "Test" } },
  });

const texts = (names: readonly string[]) => names.map((name) => ({ name, type: "string", storage: "VARCHAR" }));

/** The columns of a case's sources. */
export const caseSources = ({ columns, other }: Pick<StepCase, "columns" | "other">) =>
  new Map([
    ["input", texts(columns)],
    ["other", texts(other?.columns ?? ["id"])],
  ]);
