import { z } from "zod";
import { commonType, type Relation, storageOf } from "@/lib/builds/relation";
import { columnNameSchema, recipeNameSchema, shareLimitSchema } from "@/lib/schemas/recipe-values";
import { checkNewName } from "./rename";
import {
  checkUnique,
  type Found,
  findColumn,
  type Guard,
  type LeftOutRows,
  type Planned,
  reject,
  type Scope,
  type StepKind,
} from "./step";
import { nameMap, stepShape } from "./step-shape";
import { relationOf } from "./union";

const schema = stepShape("join", {
  with: recipeNameSchema.describe("A source or an earlier table of the recipe."),
  kind: z.enum(["left", "inner", "semi", "anti"]).default("left"),
  on: z
    .array(z.strictObject({ left: columnNameSchema, right: columnNameSchema }))
    .min(1)
    .max(8),
  take: nameMap(columnNameSchema).optional().meta({ title: "{column of `with`: name here}" }),
  multiple: z.enum(["error", "first", "all"]).default("error"),
  unmatched: shareLimitSchema
    .optional()
    .describe("How many rows, or what share of them, may have no match. 0 ends the run at the first. Default: any."),
});
type Join = typeof schema._output;

interface Pair {
  left: Found;
  right: Found;
  storage: string;
}

interface Taken {
  found: Found;
  name: string;
}

/** Joins by equality only. Nulls match nothing, and do not count as unmatched. */
export const join: StepKind<Join> = {
  name: "join",
  schema,
  english: ({ with: right, kind, on }) =>
    `joins ${right} (${kind}) on ${on.map((pair) => `${pair.left} = ${pair.right}`).join(", ")}`,
  plan(step, input, scope) {
    const right = relationOf(scope, step.with, "/with");
    if (!right) return undefined;
    const pairs = step.on.map((pair, at) => pairOf(pair, at, input, right, scope));
    const taken = takenOf(step, right, scope);
    if (!taken || !pairs.every((pair) => pair !== undefined)) return undefined;
    const columns = [
      ...input.columns,
      ...taken.map(({ found, name }) => ({
        ...found.column,
        name,
        steps: [...found.column.steps, scope.step],
        isUntyped: false,
      })),
    ];
    const names = columns.map(({ name }) => name);
    if (!checkUnique(scope, names, (at) => (at < input.columns.length ? "/with" : "/take"))) return undefined;
    const isOpen = input.isOpen || (right.isOpen && step.take === undefined);
    return planned(step, { columns, isOpen }, pairs, taken, input.columns.length);
  },
};

function pairOf(
  { left, right }: Join["on"][number],
  at: number,
  input: Relation,
  other: Relation,
  scope: Scope,
): Pair | undefined {
  const [mine, theirs] = [
    findColumn(scope, input, left, `/on/${at}/left`),
    findColumn(scope, other, right, `/on/${at}/right`),
  ];
  if (!mine || !theirs) return undefined;
  const [a, b] = [mine.column.type, theirs.column.type];
  if (!a || !b) return { left: mine, right: theirs, storage: "" };
  const type = commonType(a, b);
  if (!type || type.family === "opaque")
    return reject(scope, `/on/${at}`, {
      code: "function_not_applicable",
      message: `${a.name} and ${b.name} cannot be joined. Cast one of them.`,
    });
  return { left: mine, right: theirs, storage: storageOf(type) };
}

function takenOf(step: Join, right: Relation, scope: Scope): Taken[] | undefined {
  if (step.kind === "semi" || step.kind === "anti")
    return step.take === undefined
      ? []
      : reject(scope, "/take", { code: "invalid_value", message: `A ${step.kind} join cannot take columns.` });
  const keys = new Set(step.on.map((pair) => pair.right));
  const names = step.take
    ? Object.entries(step.take)
    : right.columns.flatMap(({ name }) => (keys.has(name) ? [] : [[name, name] as const]));
  const taken = names.map(([old, name]) => {
    const found = findColumn(scope, right, old, `/take/${old}`);
    return found && checkNewName(scope, name, `/take/${old}`) ? { found, name } : undefined;
  });
  return taken.every((each) => each !== undefined) ? taken : undefined;
}

const equalSql = (pairs: readonly Pair[], left: string, right: string): string =>
  pairs
    .map(
      ({ left: a, right: b, storage }) =>
        `CAST(${left}.c${a.index} AS ${storage}) = CAST(${right}.c${b.index} AS ${storage})`,
    )
    .join(" AND ");

function planned(
  step: Join,
  relation: Relation,
  pairs: readonly Pair[],
  taken: readonly Taken[],
  width: number,
): Planned {
  const keys = pairs.map(({ right }) => `c${right.index}`);
  const equal = equalSql(pairs, "l", "r");
  const mine = Array.from({ length: width }, (_, index) => `l.c${index} AS c${index}`);
  const theirs = taken.map(({ found }, at) => `r.c${found.index} AS c${width + at}`);
  const guards = [
    ...(step.multiple === "error" && theirs.length + width > 0 && ["left", "inner"].includes(step.kind)
      ? [multipleGuard(step, pairs)]
      : []),
    ...(step.unmatched === undefined ? [] : [unmatchedGuard(step, pairs)]),
  ];
  const count = countOf(step, pairs);
  return {
    relation,
    sql: {
      form: "query",
      guards,
      ...(count && { count }),
      sql: (from, refs) => {
        const rows = refs.rows(step.with);
        if (step.kind === "semi" || step.kind === "anti") {
          const test = `${step.kind === "anti" ? "NOT " : ""}EXISTS (SELECT 1 FROM ${rows} AS r WHERE ${equal})`;
          return `SELECT ${mine.join(", ")}, l.o FROM ${from} AS l WHERE ${test} ORDER BY l.p`;
        }
        const nth = `row_number() OVER (PARTITION BY ${keys.join(", ")} ORDER BY p)`;
        const first = `(SELECT * FROM ${rows} QUALIFY ${nth} = 1)`;
        const right = step.multiple === "first" ? first : rows;
        const cells = [...mine, ...theirs].join(", ");
        return (
          `SELECT ${cells}, l.o FROM ${from} AS l ${step.kind.toUpperCase()} JOIN ${right} AS r ON ` +
          `${equal} ORDER BY l.p, r.p`
        );
      },
    },
  };
}

/** Rows without a match: an inner join leaves them out. Of the other kinds, the numbers of rows say it. */
function countOf(step: Join, pairs: readonly Pair[]): LeftOutRows | undefined {
  if (step.kind === "semi" || step.kind === "anti") return undefined;
  const what = step.kind === "inner" ? "dropped" : "unmatched";
  if (step.kind === "inner" && step.multiple !== "all") return { what, by: { each: 1 } };
  const sql: Guard["sql"] = (from, refs) =>
    `SELECT CAST(count(*) AS VARCHAR) FROM ${from} AS l WHERE NOT EXISTS ` +
    `(SELECT 1 FROM ${refs.rows(step.with)} AS r WHERE ${equalSql(pairs, "l", "r")})`;
  return { what, by: { sql } };
}

/** No row may have two matches. */
function multipleGuard(step: Join, pairs: readonly Pair[]): Guard {
  const shown = pairs.map(({ right }) => `CAST(any_value(r.c${right.index}) AS VARCHAR)`);
  return {
    code: "join_multiple",
    sql: (from, refs) =>
      `SELECT ${shown.join(", ")}, CAST(count(*) AS VARCHAR) FROM ${from} AS l JOIN ${refs.rows(step.with)} AS r ` +
      `ON ${equalSql(pairs, "l", "r")} GROUP BY l.p HAVING count(*) > 1 ORDER BY l.p LIMIT 1`,
    message: (cells) => {
      const key = step.on.map(({ right }, at) => `${JSON.stringify(right)} ${cells[at]}`).join(", ");
      return `${step.with} has ${cells.at(-1)} rows with ${key}. Use multiple to say which one is taken.`;
    },
  };
}

/** More than the allowed number of rows whose keys are present but have no match end the run. */
function unmatchedGuard(step: Join, pairs: readonly Pair[]): Guard {
  const limit = step.unmatched ?? 0;
  const present = pairs.map(({ left }) => `l.c${left.index} IS NOT NULL`).join(" AND ");
  const key = pairs.map(({ left }) => `CAST(any_value(l.c${left.index} ORDER BY l.p) AS VARCHAR)`);
  // exact: 57 of 100 are 57%
  const isOver =
    typeof limit === "number" ? `n > ${limit}` : `n * 100 > total * CAST('${limit.slice(0, -1)}' AS DECIMAL(12,6))`;
  return {
    code: "join_unmatched",
    sql: (from, refs) => {
      const isUnmatched = `NOT EXISTS (SELECT 1 FROM ${refs.rows(step.with)} AS r WHERE ${equalSql(pairs, "l", "r")})`;
      const names = key.map((_, at) => `k${at}`);
      const unmatched =
        `SELECT count(*) AS n, ${key.map((sql, at) => `${sql} AS k${at}`).join(", ")}, ` +
        `(SELECT count(*) FROM ${from} AS l WHERE ${present}) AS total FROM ${from} AS l WHERE ` +
        `${present} AND ${isUnmatched}`;
      return `SELECT CAST(n AS VARCHAR), ${names.join(", ")} FROM (${unmatched}) WHERE ${isOver}`;
    },
    message: ([count, ...cells]) =>
      `${count} rows have no match in ${step.with}, such as ` +
      `${step.on.map(({ left }, at) => `${JSON.stringify(left)} ${cells[at]}`).join(", ")}. ` +
      `Allowed: ${limit}.`,
  };
}
