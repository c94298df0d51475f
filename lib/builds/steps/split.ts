import { z } from "zod";
import { INT32, STRING } from "@/lib/builds/expressions/function-row";
import { derivedColumn, type Relation, type RelationColumn } from "@/lib/builds/relation";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { columnNameSchema, patternSchema, wholeSchema } from "@/lib/schemas/recipe-values";
import { insertedCells } from "./inserted-cells";
import { checkNewName } from "./rename";
import {
  checkUnique,
  type Found,
  findColumn,
  mayBeText,
  type Planned,
  reject,
  rejectType,
  type Scope,
  type StepKind,
} from "./step";
import { checkPattern, nameList, onErrorSchema, stepShape } from "./step-shape";

const bySchema = z.union([
  z.strictObject({ text: z.string().min(1).max(100) }),
  z.strictObject({ pattern: patternSchema }),
  z.strictObject({ widths: z.array(wholeSchema(1, 10_000)).min(1).max(200) }),
]);
const schema = stepShape("split", {
  column: columnNameSchema,
  by: bySchema,
  into: nameList(200).optional(),
  rows: z.literal(true).optional(),
  position: columnNameSchema.optional(),
  missing: z.enum(["null", "error"]).default("error"),
  extra: z.enum(["error", "last", "drop"]).default("error"),
  keep: z.boolean().default(false),
  on_error: onErrorSchema,
});
type Split = typeof schema._output;

/** Splits a cell into columns, or into one row per part. */
export const split: StepKind<Split> = {
  name: "split",
  schema,
  english: ({ column, into, rows }) =>
    `splits ${JSON.stringify(column)} into ${rows ? "rows" : `${into?.length ?? 0} columns`}`,
  plan(step, input, scope) {
    const found = findColumn(scope, input, step.column, "/column");
    if ((step.into === undefined) === (step.rows === undefined))
      return reject(scope, "", {
        code: "invalid_request",
        message: "Give exactly one of into and rows.",
        allowed: ["into", "rows"],
      });
    const isSound = !("pattern" in step.by) || checkPattern(scope, step.by.pattern, "/by/pattern");
    if (!found || !isSound) return undefined;
    if (!mayBeText(found.column)) return rejectType(scope, "/column", found.column, "split takes strings.");
    if (step.extra === "last" && !("text" in step.by))
      return reject(scope, "/extra", {
        code: "invalid_value",
        message: "last requires parts that are split at a string.",
      });
    return step.into ? columnsOf(step, step.into, found, input, scope) : rowsOf(step, found, input, scope);
  },
};

function partsSql(ref: string, { by }: Split): string {
  if ("text" in by) return `string_split(${ref}, ${quoteLiteral(by.text)})`;
  if ("pattern" in by) return `regexp_split_to_array(${ref}, ${quoteLiteral(by.pattern)})`;
  let from = 1;
  const cuts = by.widths.map((width) => {
    const sql = `substring(${ref}, ${from}, ${width})`;
    from += width;
    return { sql, end: from - 1 };
  });
  const list = cuts.map(
    ({ sql }, at) => `CASE WHEN length(${ref}) > ${cuts[at - 1]?.end ?? 0} OR ${at} = 0 THEN ${sql} END`,
  );
  const rest = `CASE WHEN length(${ref}) >= ${from} THEN substring(${ref}, ${from}) END`;
  return `list_filter([${[...list, rest].join(", ")}], lambda part: part IS NOT NULL)`;
}

function columnsOf(
  step: Split,
  names: readonly string[],
  found: Found,
  input: Relation,
  scope: Scope,
): Planned | undefined {
  if (!names.every((name, at) => checkNewName(scope, name, `/into/${at}`))) return undefined;
  const list = `s${found.index}`;
  const last = names.length;
  const separator = "text" in step.by ? quoteLiteral(step.by.text) : "''";
  const value = (at: number) =>
    step.extra === "last" && at === last ? `array_to_string(${list}[${at}:], ${separator})` : `${list}[${at}]`;
  const tests = [
    ...(step.missing === "error" ? [`len(${list}) < ${last}`] : []),
    ...(step.extra === "error" ? [`len(${list}) > ${last}`] : []),
  ];
  return insertedCells(input, scope, {
    index: found.index,
    keepsCell: step.keep,
    columns: names.map((name) => derivedColumn(name, STRING, [found.column], { step: scope.step, kind: "parsed" })),
    layers: (ref) => [[`${partsSql(ref, step)} AS ${list}`]],
    values: () =>
      names.map((_, at) => {
        const present = `CASE WHEN len(${list}) >= ${at + 1} THEN ${value(at + 1)} END`;
        return tests.length === 0 ? present : `CASE WHEN NOT (${tests.join(" OR ")}) THEN ${present} END`;
      }),
    at: (at) => `/into/${at}`,
    rejects: (ref) =>
      tests.length === 0
        ? []
        : [
            {
              column: step.column,
              onError: step.on_error,
              test: `${ref} IS NOT NULL AND (${tests.join(" OR ")})`,
              text: ref,
              reason: `does not have ${last} parts`,
            },
          ],
  });
}

function rowsOf(step: Split, found: Found, input: Relation, scope: Scope): Planned | undefined {
  return unnested(input, scope, found, {
    list: (ref) => partsSql(ref, step),
    item: STRING,
    name: step.column,
    position: step.position,
    keepsEmpty: true,
  });
}

interface Unnesting {
  list(ref: string): string;
  item: NonNullable<RelationColumn["type"]>;
  storage?: string;
  name: string;
  position: string | undefined;
  keepsEmpty: boolean;
}

/** One row per item, in order. Positions count from 1. */
export function unnested(input: Relation, scope: Scope, found: Found, unnesting: Unnesting): Planned | undefined {
  const item = derivedColumn(unnesting.name, unnesting.item, [found.column], { step: scope.step, kind: "parsed" });
  const own = { ...item, ...(unnesting.storage !== undefined && { storage: unnesting.storage }) };
  const columns =
    found.index < 0
      ? [...input.columns, own]
      : input.columns.map((column, index) => (index === found.index ? own : column));
  const index = found.index + 1;
  if (unnesting.position !== undefined)
    columns.splice(
      index,
      0,
      derivedColumn(unnesting.position, INT32, [found.column], { step: scope.step, kind: "derived" }),
    );
  const isNamed =
    checkNewName(scope, unnesting.name, "/as") &&
    (unnesting.position === undefined || checkNewName(scope, unnesting.position, "/position"));
  if (
    !isNamed ||
    !checkUnique(
      scope,
      columns.map(({ name }) => name),
      () => "/position",
    )
  )
    return undefined;
  const cells = input.columns.flatMap((_, index) =>
    index === found.index ? ["item", ...(unnesting.position === undefined ? [] : ["nth"])] : [`c${index}`],
  );
  const list = `${unnesting.list(`c${found.index}`)}`;
  const filled = unnesting.keepsEmpty ? `CASE WHEN len(list) > 0 THEN list ELSE [NULL] END` : "list";
  const emptySql = (from: string) =>
    `SELECT CAST(count(*) AS VARCHAR) FROM (SELECT ${list} AS list FROM ${from}) WHERE (len(list) > 0) IS NOT TRUE`;
  return {
    relation: { columns, isOpen: input.isOpen },
    sql: {
      form: "query",
      ...(!unnesting.keepsEmpty && { count: { what: "dropped", by: { sql: emptySql } } as const }),
      sql: (from) => {
        const lists = `(SELECT *, ${list} AS list FROM ${from})`;
        const counted = `(SELECT *, ${filled} AS items, len(list) > 0 AS has FROM ${lists})`;
        const rows = `(SELECT *, unnest(items) AS item, generate_subscripts(items, 1) AS place FROM ${counted})`;
        const numbered = `(SELECT *, CASE WHEN has THEN CAST(place AS INTEGER) END AS nth FROM ${rows})`;
        const named = cells.map((cell, at) => `${cell} AS c${at}`);
        return `SELECT ${named.join(", ")}, o FROM ${numbered} ORDER BY p, place`;
      },
    },
  };
}
