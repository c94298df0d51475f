import { z } from "zod";
import { patternFault } from "@/lib/builds/patterns";
import { columnNameSchema, noteSchema } from "@/lib/schemas/recipe-values";
import { reject, type Scope } from "./step";

/** The keys of a step: its own, and those that every step has. */
export const stepShape = <Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  z.strictObject({ step: z.literal(name), note: noteSchema, ...shape });

export const nameList = (most = 2000) => z.array(columnNameSchema).min(1).max(most);

/** What happens to a cell that does not fit. */
export const onErrorSchema = z.enum(["fail", "null", "drop_row"]).default("fail");
export type OnError = z.output<typeof onErrorSchema>;

export const nameMap = <Value extends z.ZodType>(value: Value, most = 500) =>
  z
    .record(columnNameSchema, value)
    .refine((map) => Object.keys(map).length >= 1, "Name at least one.")
    .refine((map) => Object.keys(map).length <= most, `Name at most ${most}.`);

/** Notes a pattern, or its fault. */
export function checkPattern(scope: Scope, pattern: string, at: string): boolean {
  const message = patternFault(pattern);
  if (message === undefined) scope.patterns.push({ pointer: scope.pointer + at, pattern });
  else reject(scope, at, { code: "invalid_value", message });
  return message === undefined;
}

/** `a, b and c`, quoted. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 6).map((name) => JSON.stringify(name));
  if (names.length > 6) return `${shown.join(", ")} and ${names.length - 6} more`;
  return shown.length < 2 ? (shown[0] ?? "") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
