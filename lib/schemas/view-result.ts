import { z } from "zod";
import { parseExact } from "@/lib/engine/types/exact-number";

/** The largest result of a view that can be watched. */
export const WATCHED_ROWS_MAX = 1_000;
export const WATCHED_BYTES_MAX = 256 << 10;

/** How many rows of a change are told; the others are counted. */
export const TOLD_ROWS_MAX = 10;

const NUMBER_MAX = 100;

export const thresholdSchema = z.strictObject({
  column: z
    .string()
    .min(1, "Choose the column that the value is of.")
    .max(1000)
    .describe("A numeric column of the view's result."),
  is: z.enum(["above", "below"], { error: "Send above or below." }),
  value: z
    .string()
    .max(NUMBER_MAX)
    .refine((text) => parseExact(text) !== undefined, { error: "Give a number, such as 420 or -0.5." })
    .describe("The number, as a string so that no digit is lost. A value that equals it is neither above nor below."),
});
export type Threshold = z.output<typeof thresholdSchema>;

/** A row of a result: values as a query replies with them, whose numbers keep their digits. */
export type ResultRow = Readonly<Record<string, unknown>>;

/** All rows of a view's result over one version. */
export interface ViewResult {
  columns: readonly { name: string; type: string }[];
  /** Columns in which no two rows agree: the groups, or the table's key. Null if none are known. */
  keys: readonly string[] | null;
  /** What the view orders its rows by; null if their order means nothing. */
  order: readonly string[] | null;
  rows: readonly ResultRow[];
}

/** What differs between two results of a view. */
export interface ResultChange {
  keys: readonly string[] | null;
  columns_added: readonly string[];
  columns_removed: readonly string[];
  /** Whether the same rows are in another order. */
  reordered: boolean;
  added: number;
  removed: number;
  changed: number;
  /** The first of them; `before` is null for an added row, `after` for a removed one. */
  rows: readonly { before: ResultRow | null; after: ResultRow | null }[];
}

/** The first rows of a result, as a list shows them, and how many there are. */
export const shownResultSchema = z.strictObject({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.string().nullable())).describe("The first rows; long values are cut."),
  total_rows: z.int().min(0),
});
export type ShownResult = z.output<typeof shownResultSchema>;
