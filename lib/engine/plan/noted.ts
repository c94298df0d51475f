import type { BucketName } from "@/lib/engine/types/buckets";
import type { Condition } from "./conditions";
import type { Search } from "./filters";

/** Maximum number of filters, and of aggregates, that are examined for notes: the first ones. */
export const EXAMINED_MAX = 20;

/** What notes are about, in their order in a reply. */
export const NOTE_CODES = [
  "value_not_found",
  "other_case",
  "partial_span",
  "nulls_left_out",
  "utc_hours",
  "week_starts_monday",
  "gaps",
  "empty_aggregate",
] as const;
export type NoteCode = (typeof NOTE_CODES)[number];

/** What a reader of a result could misunderstand, and what to do. */
export interface Note {
  code: NoteCode;
  pointer: string;
  message: string;
  /** Values of the column near the one that no row has. */
  values?: readonly string[];
  /** The number of rows that it is about. */
  count?: number;
}

/** Numbers that a note depends on; all of them are read in one statement. */
export type Probe = RowsProbe | SpanProbe | EndsProbe | MissingProbe;

/** How many numbers a probe has. */
export const answersOf = (probe: Probe): number =>
  "steps" in probe ? 2 + probe.steps.length : "ends" in probe ? 2 : 1;

/** How many rows match, or 1 if any does. */
export interface RowsProbe {
  conditions: readonly Condition[];
  search?: Search | undefined;
  counts: boolean;
  /** Not those that meet this one. */
  unless?: Condition;
  /** Only those whose list, in this column, is null or empty. */
  withoutItems?: number;
}

/**
 * The first and the last instant of a group's column in the version, as far as conditions on that column reach, in
 * milliseconds since 1970 and the group's local time; then, for each of the steps, 1 if all values are at the starts of
 * such spans.
 */
export interface SpanProbe {
  /** An index among the plan's groups. */
  group: number;
  steps: readonly BucketName[];
  /** The first instant, if it is known beforehand: steps at which it does not start are not tested. */
  first?: number;
  /** Conditions that the first instant, and the last one, depends on. */
  reach: Record<"from" | "to", readonly Condition[]>;
}

/** The first and the last instant of a group's column in the rows that are in groups. */
export interface EndsProbe {
  ends: number;
}

/** How many groups are missing between others; `within`: between those that agree in all other groups. */
export interface MissingProbe {
  missing: number;
  within: boolean;
}

/** A string column; values near those of these strings are sought that no row has, each by the probe at its place. */
export interface Sought {
  column: number;
  texts: readonly string[];
}

/** A note that a query may get. `decide` has the answers to the probes, NaN where there is none. */
export interface NoteCandidate {
  code: NoteCode;
  probes: readonly Probe[];
  sought?: Sought | undefined;
  decide(answers: readonly number[]): Omit<Note, "code"> | undefined;
}

/** A note about rows, if there are any. */
export const counted = (
  code: NoteCode,
  pointer: string,
  probe: RowsProbe,
  message: (count: number) => string,
): NoteCandidate => ({
  code,
  probes: [probe],
  decide: ([count = 0]) => (count > 0 ? { pointer, message: message(count), count } : undefined),
});

/** A condition that a column is, or is not, null. */
export const nullTest = (operator: "is_null" | "is_not_null", column: number): Condition => ({
  column,
  operator,
  values: [],
  cast: "",
});
