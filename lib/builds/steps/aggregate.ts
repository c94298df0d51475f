import { z } from "zod";
import { withValues } from "@/lib/builds/query-parts";
import { derivedColumn, engineColumns, type Relation, type RelationColumn } from "@/lib/builds/relation";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import { planGroups } from "@/lib/engine/plan/group-plan";
import type { Planning } from "@/lib/engine/plan/planning";
import { groupedColumns } from "@/lib/engine/plan/result-columns";
import { aggregateSql, groupSql } from "@/lib/engine/sql/group-sql";
import { AGGREGATES, agreeingSql } from "@/lib/engine/types/aggregates";
import type { GroupSql } from "@/lib/engine/types/buckets";
import { columnTypeOf, parseColumnType } from "@/lib/engine/types/column-types";
import type { Fault } from "@/lib/kernel/errors";
import { columnNameSchema } from "@/lib/schemas/recipe-values";
import { filtersSchema } from "./filter";
import { type Found, findColumn, type Planned, reject, type Scope, type StepKind } from "./step";
import { listed, stepShape } from "./step-shape";

const GROUPS_MAX = 16;
/** In addition to the query's aggregates, since rows have an order here. */
const ORDERED = ["first", "last", "list"] as const;
type Ordered = (typeof ORDERED)[number];

const spanSchema = z.strictObject({
  column: columnNameSchema,
  bucket: z.string().optional(),
  width: z.unknown().optional(),
  as: z.string().optional(),
});
const aggregateSchema = z.strictObject({
  function: z.string().meta({ title: [...Object.keys(AGGREGATES), ...ORDERED].join(" | ") }),
  column: columnNameSchema.optional(),
  as: z.string(),
  filters: filtersSchema.max(10).optional(),
  at: z.unknown().optional(),
  with: columnNameSchema.optional(),
  of: z.array(z.string()).optional(),
});
const schema = stepShape("aggregate", {
  group_by: z
    .array(z.union([columnNameSchema, spanSchema]))
    .max(GROUPS_MAX)
    .default([]),
  aggregates: z.array(aggregateSchema).max(50).default([]),
});
type Aggregate = typeof schema._output;
type Entry = Aggregate["aggregates"][number];

const isOrdered = (name: string): name is Ordered => ORDERED.some((each) => each === name);

/** The query's groups and aggregates, plus `first`, `last` and `list` by position. Groups in order of appearance. */
export const aggregate: StepKind<Aggregate> = {
  name: "aggregate",
  schema,
  english: ({ group_by: groups, aggregates }) =>
    `computes ${listed(aggregates.map(({ as }) => as))} for each ${groups
      .map((entry) => (typeof entry === "string" ? entry : (entry.as ?? entry.column)))
      .join(", ")}`,
  plan(step, input, scope) {
    if (step.group_by.length + step.aggregates.length === 0)
      return reject(scope, "", { code: "invalid_request", message: "aggregate needs group_by or aggregates." });
    const isOpen = input.isOpen || input.columns.some(({ type }) => type === undefined);
    return isOpen ? openResult(step, input, scope) : planned(step, input, scope);
  },
};

/** Checked by the query's rules as far as they apply to columns that are not known yet. */
function openResult(step: Aggregate, input: Relation, scope: Scope): Planned | undefined {
  const { planning, ordered } = judged(step, input, scope);
  const faults = faultsThatHold(planning.faults, step, input);
  recordFaults(scope, faults);
  if (faults.length > 0 || ordered.includes(undefined)) return undefined;
  const groups = step.group_by.map((entry): RelationColumn => {
    const [name, as] = typeof entry === "string" ? [entry, entry] : [entry.column, entry.as ?? entry.column];
    const found = input.columns.find((column) => column.name === name);
    const isOwn = typeof entry === "string" && found;
    return isOwn ? found : derivedColumn(as, undefined, [], { step: scope.step, kind: "derived" });
  });
  const origin = { step: scope.step, kind: "aggregated" as const };
  const aggregates = step.aggregates.map(({ as, function: name }) =>
    derivedColumn(as, name.startsWith("count") ? parseColumnType("int64") : undefined, [], origin),
  );
  return { relation: { columns: [...groups, ...aggregates], isOpen: false }, sql: { form: "query", sql: () => "" } };
}

/** Plans the groups and aggregates as a query would; the additional aggregates are planned separately. */
function judged(step: Aggregate, input: Relation, scope: Scope) {
  const columns = engineColumns(input);
  const faults = step.group_by.flatMap((entry, at) => {
    const message = "Lists are not grouped by their items here. Add a step unnest before this one.";
    const isOfItems = typeof entry !== "string" && entry.bucket === "element";
    return isOfItems ? [{ pointer: `/group_by/${at}/bucket`, code: "invalid_request" as const, message }] : [];
  });
  const planning: Planning = { columns, indexes: new Map(columns.map(({ name }, at) => [name, at])), faults };
  const own = step.aggregates.map((entry) => (isOrdered(entry.function) ? { function: "count", as: entry.as } : entry));
  const plan = planGroups(planning, bodyOf(step, own));
  const ordered = step.aggregates.map((entry, at) =>
    isOrdered(entry.function) ? findOrdered(entry, at, input, scope) : null,
  );
  return { columns, planning, plan, ordered };
}

const recordFaults = (scope: Scope, faults: readonly Fault[]): void => {
  scope.faults.push(...faults.map((fault) => ({ ...fault, pointer: scope.pointer + fault.pointer })));
};

function planned(step: Aggregate, input: Relation, scope: Scope): Planned | undefined {
  const { columns, planning, plan, ordered } = judged(step, input, scope);
  recordFaults(scope, planning.faults);
  if (planning.faults.length > 0 || ordered.includes(undefined)) return undefined;
  const result = groupedColumns(plan, columns);
  const groups = plan.groups.map((group) => groupSql(group, columns));
  const keyOf = (at: number) => groups[at]?.key ?? "NULL";
  const values = plan.aggregates.map((entry, at) => {
    const found = ordered[at];
    if (found) return () => orderedSql(step.aggregates[at]?.function as Ordered, found);
    return () =>
      withValues((params) => aggregateSql(entry, columns, params, entry.of && agreeingSql(entry.of.map(keyOf))));
  });
  const relation = { isOpen: false, columns: resultOf(step, input, result, ordered, plan.groups, scope) };
  return {
    relation,
    sql: {
      form: "query",
      sql: (from) =>
        groupedSql(
          from,
          groups,
          values.map((value) => value()),
        ),
    },
  };
}

const bodyOf = (
  step: Aggregate,
  aggregates: readonly { function: string; column?: string | undefined; as: string }[],
) =>
  ({
    columns: [],
    filters: [],
    order_by: [],
    group_by: step.group_by,
    aggregates,
    limit: 1,
    int64: "number",
  }) as unknown as QueryBody;

function findOrdered({ function: name, column }: Entry, at: number, input: Relation, scope: Scope): Found | undefined {
  if (column === undefined)
    return reject(scope, `/aggregates/${at}/column`, {
      code: "invalid_request",
      message: `${name} requires a column.`,
    });
  const found = findColumn(scope, input, column, `/aggregates/${at}/column`);
  if (found?.column.type && name === "list" && found.column.type.columnar.kind === "nested")
    return reject(scope, `/aggregates/${at}/function`, {
      code: "function_not_applicable",
      message: `list does not apply to ${JSON.stringify(column)}, which is of type ${found.column.type.name}.`,
    });
  return found;
}

function orderedSql(name: Ordered, { index }: Found): string {
  if (name === "list") return `list(c${index} ORDER BY p)`;
  return `${name === "first" ? "arg_min_null" : "arg_max_null"}(c${index}, p)`;
}

function resultOf(
  step: Aggregate,
  input: Relation,
  result: ReturnType<typeof groupedColumns>,
  ordered: readonly (Found | null | undefined)[],
  groups: readonly { column: number; bucket?: string; width?: string }[],
  scope: Scope,
): RelationColumn[] {
  return result.map(({ name, type, storage }, at) => {
    const group = groups[at];
    const source = group && input.columns[group.column];
    if (group && source && group.bucket === undefined && group.width === undefined) return { ...source, name };
    const entry = step.aggregates[at - groups.length];
    const of = source ?? input.columns.find((column) => column.name === entry?.column);
    const found = ordered[at - groups.length];
    const origin = { step: scope.step, kind: group ? ("derived" as const) : ("aggregated" as const) };
    if (found && entry?.function === "list") {
      const listType = parseColumnType(`list<${found.column.type?.name}>`);
      return { ...derivedColumn(name, listType, [found.column], origin), storage: `${found.column.storage}[]` };
    }
    if (found)
      return { ...derivedColumn(name, found.column.type, [found.column], origin), storage: found.column.storage };
    const column = derivedColumn(name, columnTypeOf({ type }), of ? [of] : [], origin);
    return { ...column, storage, kind: origin.kind };
  });
}

function groupedSql(from: string, groups: readonly GroupSql[], values: readonly string[]): string {
  const cells = [...groups.map(({ value }) => value), ...values].map((sql, at) => `${sql} AS k${at}`);
  const named = cells.map((_, at) => `k${at} AS c${at}`);
  const by = groups.length > 0 ? ` GROUP BY ${groups.map(({ key }) => key).join(", ")}` : "";
  const inner = `SELECT ${cells.join(", ")}, min(p) AS first FROM ${from}${by}`;
  return `SELECT ${named.join(", ")}, CAST(NULL AS BIGINT) AS o FROM (${inner}) ORDER BY first`;
}

/** Faults that depend on a column's type. All others are checked without it. */
const OF_TYPES: ReadonlySet<Fault["code"]> = new Set([
  "column_not_groupable",
  "function_not_applicable",
  "operator_not_applicable",
  "invalid_value",
]);

interface Entries {
  group_by: readonly (string | { column: string; bucket?: string | undefined })[];
  aggregates: readonly { column?: string | undefined; filters?: readonly unknown[] | undefined }[];
}

/** The query's faults that hold whatever the still unknown columns turn out to be. */
function faultsThatHold(faults: readonly Fault[], step: Entries, input: Relation): Fault[] {
  const typed = new Set(input.columns.flatMap(({ name, type }) => (type ? [name] : [])));
  return faults.filter(({ code, pointer }) => {
    if (code === "unknown_column") return !input.isOpen;
    return (
      !OF_TYPES.has(code) ||
      (/\/(?:bucket|at)$/.test(pointer) && code === "invalid_value") ||
      columnsAt(step, pointer).every((name) => typed.has(name))
    );
  });
}

/** The columns of the group or aggregate that a pointer is in. */
function columnsAt({ group_by: groups, aggregates }: Entries, pointer: string): string[] {
  const [, list, index] = pointer.split("/");
  if (list === "group_by") {
    const group = groups[Number(index)];
    return group === undefined ? [] : [typeof group === "string" ? group : group.column];
  }
  const { column, filters = [] } = aggregates[Number(index)] ?? {};
  const filtered = filters.flatMap((filter) => (filter as { column?: string } | null)?.column ?? []);
  return [...(column === undefined ? [] : [column]), ...filtered];
}
