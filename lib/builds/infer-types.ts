import { columnTypeOf } from "@/lib/engine/types/column-types";
import { FLOAT64 } from "@/lib/engine/types/floats";
import { type CellRule, sizedRules, TEXT_RULES } from "@/lib/readers/typed/cell-types";
import { unclearSql } from "@/lib/readers/typed/decided-points";
import { aggregateCells, aggregateTexts } from "@/lib/readers/typed/wide-cells";
import type { RecipeTable } from "@/lib/schemas/recipe";
import type { Reader } from "@/lib/schemas/recipe-reader";
import type { TablesRun } from "./build-table";
import type { Relation } from "./relation";

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
