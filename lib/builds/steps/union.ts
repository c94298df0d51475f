import { z } from "zod";
import { STRING } from "@/lib/builds/expressions/function-row";
import { literalSql } from "@/lib/builds/query-parts";
import { commonType, derivedColumn, type Relation, type RelationColumn, storageOf } from "@/lib/builds/relation";
import { columnNameSchema, recipeNameSchema } from "@/lib/schemas/recipe-values";
import { checkNewName } from "./rename";
import { checkUnique, type PlannedSql, reject, type Scope, type StepKind } from "./step";
import { stepShape } from "./step-shape";

const schema = stepShape("union", {
  with: z.array(recipeNameSchema).min(1).max(20).describe("Sources or earlier tables of the recipe."),
  by: z.enum(["name", "position"]).default("name"),
  missing: z.enum(["null", "error"]).default("error"),
  source: columnNameSchema.optional(),
});
type Union = typeof schema._output;

/** A column of the result: its position in each relation, undefined if a relation lacks it. */
interface Joined {
  column: RelationColumn;
  indexes: (number | undefined)[];
}

/** All rows: those of the table first, then those of the others in their order. */
export const union: StepKind<Union> = {
  name: "union",
  schema,
  english: ({ with: others }) => `adds the rows of ${others.join(", ")}`,
  plan(step, input, scope) {
    const others = step.with.map((name, at) => relationOf(scope, name, `/with/${at}`));
    if (!others.every((other) => other !== undefined)) return undefined;
    const relations = [input, ...others];
    const isOpen = relations.some((each) => each.isOpen);
    const joined = step.by === "name" ? byName(relations) : byPosition(relations, scope);
    const columns = joined?.map((each, at) => unified(each, relations, step, isOpen, scope, at));
    if (!joined || !columns?.every((column) => column !== undefined)) return undefined;
    const added =
      step.source === undefined ? [] : [derivedColumn(step.source, STRING, [], { step: scope.step, kind: "constant" })];
    const all = [...columns, ...added];
    const isNamed = step.source === undefined || checkNewName(scope, step.source, "/source");
    if (
      !isNamed ||
      !checkUnique(
        scope,
        all.map(({ name }) => name),
        () => "/source",
      )
    )
      return undefined;
    return { relation: { columns: all, isOpen }, sql: unionSql(step, scope.from, joined, columns, relations) };
  },
};

/** A source or earlier table by name. An invalid one is represented by the empty open relation. */
export function relationOf(scope: Scope, name: string, at: string): Relation | undefined {
  if (scope.relations.has(name)) return scope.relations.get(name) ?? { columns: [], isOpen: true };
  return reject(scope, at, {
    code: "invalid_value",
    message: `There is no source or earlier table ${JSON.stringify(name)}.`,
    allowed: [...scope.relations.keys()],
  });
}

function byName(relations: readonly Relation[]): Joined[] {
  const names = [...new Set(relations.flatMap(({ columns }) => columns.map(({ name }) => name)))];
  return names.map((name) => {
    const indexes = relations.map(({ columns }) => presentIndex(columns.findIndex((column) => column.name === name)));
    const first = relations.flatMap(({ columns }, at) => columns[indexes[at] ?? -1] ?? [])[0] as RelationColumn;
    return { column: first, indexes };
  });
}

const presentIndex = (index: number): number | undefined => (index < 0 ? undefined : index);

function byPosition(relations: readonly Relation[], scope: Scope): Joined[] | undefined {
  const [first] = relations;
  const differing = relations.findIndex(({ columns, isOpen }) => !isOpen && columns.length !== first?.columns.length);
  if (differing > 0 && !first?.isOpen)
    return reject(scope, `/with/${differing - 1}`, {
      code: "invalid_value",
      message: `It has ${relations[differing]?.columns.length} columns, not ${first?.columns.length}.`,
    });
  return first?.columns.map((column, at) => ({ column, indexes: relations.map(() => at) }));
}

function unified(
  { column, indexes }: Joined,
  relations: readonly Relation[],
  step: Union,
  isOpen: boolean,
  scope: Scope,
  at: number,
): RelationColumn | undefined {
  const parts = relations.flatMap(({ columns }, index) => columns[indexes[index] ?? -1] ?? []);
  const lacking = indexes.indexOf(undefined);
  if (lacking >= 0 && !isOpen && step.missing === "error")
    return reject(scope, lacking === 0 ? "" : `/with/${lacking - 1}`, {
      code: "unknown_column",
      message:
        `${lacking === 0 ? "The table" : step.with[lacking - 1]} has no column ` +
        `${JSON.stringify(column.name)}. Allow it with missing: "null".`,
    });
  if (parts.some(({ type }) => type === undefined)) return { ...column, type: undefined };
  const type = parts.reduce<RelationColumn["type"]>(
    (common, part) => common && part.type && commonType(common, part.type),
    column.type,
  );
  const isNested = type?.columnar.kind === "nested" && parts.some(({ storage }) => storage !== column.storage);
  if (!type || isNested)
    return reject(scope, "/with", {
      code: "function_not_applicable",
      message:
        `${JSON.stringify(column.name)} (column ${at + 1}) has different types: ` +
        `${[...new Set(parts.map((part) => part.type?.name))].join(", ")}.`,
    });
  const isUntyped = parts.every((part) => part.isUntyped);
  const merged = derivedColumn(column.name, type, parts, { step: scope.step, kind: column.kind });
  return { ...merged, storage: type.duckdb ? storageOf(type) : column.storage, ...(isUntyped && { isUntyped }) };
}

function unionSql(
  step: Union,
  own: string,
  joined: readonly Joined[],
  columns: readonly RelationColumn[],
  relations: readonly Relation[],
): PlannedSql {
  return {
    form: "query",
    sql: (from, refs) => {
      const parts = relations.map((_, at) => {
        const name = at === 0 ? undefined : step.with[at - 1];
        const cells = joined.map(({ indexes }, index) => {
          const found = indexes[at];
          return `CAST(${found === undefined ? "NULL" : `c${found}`} AS ${columns[index]?.storage}) AS c${index}`;
        });
        const source = step.source === undefined ? [] : [`${literalSql(name ?? own, "VARCHAR")} AS c${joined.length}`];
        const rows = name === undefined ? from : refs.rows(name);
        return `SELECT ${[...cells, ...source].join(", ")}, ${at} AS part, p, o FROM ${rows}`;
      });
      const width = joined.length + (step.source === undefined ? 0 : 1);
      const all = Array.from({ length: width }, (_, index) => `c${index}`);
      return `SELECT ${all.join(", ")}, o FROM (${parts.join(" UNION ALL ")}) ORDER BY part, p`;
    },
  };
}
