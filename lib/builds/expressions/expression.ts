import type { LosslessNumber } from "lossless-json";
import { z } from "zod";
import { columnNameSchema, numberSchema } from "@/lib/schemas/recipe-values";

export interface FilterExpression {
  column: string;
  operator: string;
  value?: unknown;
  ignore_case?: boolean | undefined;
}

/** An expression tree as in B.6. A plain string, number or boolean is its own value. */
export type Expression =
  | string
  | boolean
  | LosslessNumber
  | { col: string }
  | { value: string | boolean | LosslessNumber | null; type?: string | undefined }
  | { fn: string; args?: Expression[] | undefined }
  | { case: { when: Expression; then: Expression }[]; else?: Expression | undefined }
  | { filters: FilterExpression[] }
  | { not: Expression };

/** Deepest nesting of an expression. */
export const DEPTH_MAX = 16;
/** Maximum number of nodes in all expressions of a table. */
export const NODES_MAX = 500;

const filter = z.strictObject({
  column: z.string(),
  operator: z.string(),
  value: z.unknown().optional(),
  ignore_case: z.boolean().optional(),
});

/** `checkExpression`, which knows the columns, reads the contents. This only excludes lists and null. */
export const expressionSchema = z.custom<Expression>(
  (raw) => raw !== null && raw !== undefined && !Array.isArray(raw),
  'Expected an expression: {"col": …}, {"fn": …, "args": […]}, {"value": …}, {"case": […]} or a plain value.',
);

/** One level of each kind, for the published JSON Schema and for faults of keys. */
export const EXPRESSION_SHAPES = {
  col: z.strictObject({ col: columnNameSchema }),
  value: z.strictObject({
    value: z.union([z.string(), z.boolean(), z.null(), numberSchema]),
    type: z.string().optional(),
  }),
  fn: z.strictObject({ fn: z.string(), args: z.array(z.unknown()).max(50).default([]) }),
  case: z.strictObject({
    case: z
      // biome-ignore lint/suspicious/noThenProperty: a key of the document, which is never awaited
      .array(z.strictObject({ when: z.unknown(), then: z.unknown() }))
      .min(1)
      .max(50),
    else: z.unknown().optional(),
  }),
  filters: z.strictObject({ filters: z.array(filter).min(1).max(50) }),
  not: z.strictObject({ not: z.unknown() }),
} as const;
export type ExpressionShape = keyof typeof EXPRESSION_SHAPES;
