import aggregate from "./cases/aggregate.json";
import cast from "./cases/cast.json";
import dedupe from "./cases/dedupe.json";
import derive from "./cases/derive.json";
import drop from "./cases/drop.json";
import extract from "./cases/extract.json";
import fill from "./cases/fill.json";
import filter from "./cases/filter.json";
import flatten from "./cases/flatten.json";
import join from "./cases/join.json";
import limit from "./cases/limit.json";
import map from "./cases/map.json";
import nullIf from "./cases/null_if.json";
import number from "./cases/number.json";
import parse from "./cases/parse.json";
import pivot from "./cases/pivot.json";
import rename from "./cases/rename.json";
import replace from "./cases/replace.json";
import select from "./cases/select.json";
import sort from "./cases/sort.json";
import split from "./cases/split.json";
import trim from "./cases/trim.json";
import union from "./cases/union.json";
import unnest from "./cases/unnest.json";
import unpivot from "./cases/unpivot.json";
import { STEP_KINDS } from "./registry";

/** One golden case of a step: cells in, steps, rows out; or how the build fails; or the faults of the recipe. */
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
  /** The rejected cells, in their order. */
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

/** THE golden cases of each step, in the registry's order; the docs show the first that gives rows. */
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
