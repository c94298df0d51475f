import { columnTypeOf } from "@/lib/engine/types/column-types";
import { aggregate, type Stage } from "./stage";
import type { Workbench } from "./workbench";

/** For COPY: DuckDB's dictionaries, of one value too, merge the two zeros. */
export const WITHOUT_DICTIONARIES = "DICTIONARY_SIZE_LIMIT 0";

/** Indexes of the columns that contain zeros of both signs, or nested columns that contain a negative zero. */
export async function columnsWithBothZeros(bench: Workbench, stage: Stage): Promise<Set<number>> {
  const tests = stage.columns.flatMap(({ type }, at) => {
    const cell = `c${at}`;
    const { number, columnar } = columnTypeOf({ type });
    if (number?.isFloat)
      return [
        { at, test: `bool_or(${cell} = 0 AND signbit(${cell})) AND bool_or(${cell} = 0 AND NOT signbit(${cell}))` },
      ];
    return columnar.kind === "nested"
      ? [{ at, test: `bool_or(regexp_matches(${cell}::VARCHAR, '-0\\.0([^0-9]|$)'))` }]
      : [];
  });
  const answers = await aggregate(
    bench,
    tests.map(({ test }) => [`(${test})::VARCHAR`]),
  );
  return new Set(tests.filter((_, index) => answers[index]?.[0] === "true").map(({ at }) => at));
}
