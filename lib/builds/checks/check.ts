import { z } from "zod";
import type { Relation } from "@/lib/builds/relation";
import { filtersSchema } from "@/lib/builds/steps/filter";
import type { Scope } from "@/lib/builds/steps/step";
import { noteSchema, shareLimitSchema } from "@/lib/schemas/recipe-values";

/** What a check's SQL can refer to. */
export interface CheckContext {
  /** The finished rows that match its `where`, as SQL: `c0 …`, and `p` from 0. */
  rows: string;
  /** The stored table of a source or an earlier table, and its relation. */
  other(name: string): { table: string; relation: Relation };
  /** The current release, as SQL with columns by name; undefined if there is none. */
  previous: { sql: string; columns: readonly string[] } | undefined;
  /** ISO 8601, UTC. */
  now: string;
}

export interface PlannedCheck {
  /** Names of the example's values. */
  columns: readonly string[];
  /** A SELECT of the failures: `r` (the row's position from 1, or null), then its values as text. */
  failing(context: CheckContext): string;
  /** The number of items checked, as a SELECT of one string; rows if absent. */
  examined?(context: CheckContext): string;
  needs?: "whole" | "previous";
  /** How many may fail; if absent, `max_failures` decides. */
  limit?: string | number;
}

/** THE row of a check. */
export interface CheckKind<C> {
  name: string;
  schema: z.ZodType<C>;
  /** Begins in lower case and ends without a full stop. */
  english(check: C): string;
  /** Undefined if a fault was added to the scope. */
  plan(check: C, input: Relation, scope: Scope): PlannedCheck | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: each row takes its own check, which its schema read
export type AnyCheckKind = CheckKind<any>;

export const checkShape = <Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  z.strictObject({
    check: z.literal(name),
    severity: z.enum(["error", "warn"]).default("error"),
    where: filtersSchema.optional(),
    max_failures: shareLimitSchema.optional(),
    title: z.string().max(200).optional(),
    note: noteSchema,
    ...shape,
  });

/** Failing rows by a condition over `c0 …`; null is no failure. */
export const failingRows = ({ rows }: CheckContext, values: readonly string[], test: string): string =>
  `SELECT p + 1 AS r${values.map((value) => `, CAST(${value} AS VARCHAR)`).join("")} FROM ${rows} WHERE ` +
  `${test} ORDER BY p`;
