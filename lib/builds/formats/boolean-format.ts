import { z } from "zod";
import { literalSql } from "@/lib/builds/query-parts";
import type { CellRule } from "@/lib/builds/steps/cell-rule";

const cellTexts = z.array(z.string().max(100)).min(1).max(50);

export const booleanFormatSchema = z.strictObject({
  true: cellTexts,
  false: cellTexts,
  ignore_case: z.boolean().default(true),
});
export type BooleanFormat = z.output<typeof booleanFormatSchema>;

/** Reads cells as true and false, by the words of the recipe. */
export function booleanRule(format: BooleanFormat): CellRule {
  const cell = (ref: string) => (format.ignore_case ? `lower(${ref})` : ref);
  const spelled = (word: string) => (format.ignore_case ? word.toLowerCase() : word);
  return {
    value: (ref) => {
      const list = (which: readonly string[]) => which.map((word) => literalSql(spelled(word), "VARCHAR")).join(", ");
      return (
        `CASE WHEN ${cell(ref)} IN (${list(format.true)}) THEN TRUE WHEN ${cell(ref)} IN ` +
        `(${list(format.false)}) THEN FALSE END`
      );
    },
    isBad: (_ref, value) => `${value} IS NULL`,
    reason: "is not one of the words for true and false",
  };
}
