import type { DraftTable } from "@/lib/builds/document/read-recipe";
import { NODES_MAX } from "@/lib/builds/expressions/expression";
import { planFilters } from "@/lib/builds/query-parts";
import type { Relation } from "@/lib/builds/relation";
import type { Scope } from "@/lib/builds/steps/step";
import type { Gathered } from "@/lib/builds/table-plan";
import type { Condition } from "@/lib/engine/plan/conditions";
import type { RecipeCheck } from "@/lib/schemas/recipe";
import type { PlannedCheck } from "./check";
import { CHECK_KINDS } from "./registry";

export interface TableCheck {
  check: RecipeCheck & { max_failures?: string | number };
  pointer: string;
  where: readonly Condition[];
  planned: PlannedCheck;
}

/** Checks that always run unless the recipe says otherwise. */
const ALWAYS = { check: "row_count_change", severity: "warn", fall: "50%", rise: "300%" } as const;

/** Plans the checks of a table, including those for its promises. Faults are added to `gathered`. */
export function checkChecks(
  table: DraftTable,
  at: number,
  result: Relation,
  relations: ReadonlyMap<string, Relation | undefined>,
  gathered: Gathered,
): TableCheck[] {
  const promised = (table.columns ?? []).filter(({ nullable }) => !nullable).map(({ name }) => name);
  const own = table.checks.map((check, index) => ({ check, pointer: `/tables/${at}/checks/${index}` }));
  const hasOwn = table.checks.some((check) => check?.check === "row_count_change");
  const all = [
    ...promised.map((name) => ({
      check: { check: "not_null", severity: "error" as const, columns: [name] },
      pointer: `/tables/${at}/columns`,
    })),
    ...own,
    ...(hasOwn || table.internal ? [] : [{ check: ALWAYS, pointer: `/tables/${at}/checks` }]),
  ];
  return all.flatMap(({ check, pointer }) => {
    if (!check) return [];
    const scope: Scope = { ...gathered, pointer, step: -1, from: table.from, relations, nodes: { left: NODES_MAX } };
    const { where: filters } = check as { where?: Parameters<typeof planFilters>[2] };
    const where = filters ? planFilters(scope, result, filters, "/where") : [];
    const planned = CHECK_KINDS[check.check]?.plan(check, result, scope);
    return where && planned ? [{ check, pointer, where, planned }] : [];
  });
}
