import type { Condition } from "./conditions";
import type { Search } from "./filters";

/** Maximum number of filters, and of aggregates, that are examined for notes: the first ones. */
export const EXAMINED_MAX = 20;

/** What notes are about, in their order in a reply. */
export const NOTE_CODES = [
  "value_not_found",
  "other_case",
  "nulls_left_out",
  "utc_hours",
  "week_starts_monday",
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

/** Rows that a note depends on: how many there are, or 1 if there is any. */
export interface Probe {
  counts: boolean;
  conditions: readonly Condition[];
  search?: Search | undefined;
  /** Not those that meet this one. */
  unless?: Condition;
  /** Only those whose list, in this column, is null or empty. */
  withoutItems?: number;
}

/** A column in which no row has a value; values near these strings are sought. */
export interface Sought {
  column: number;
  texts: readonly string[];
}

/** A note that a query may get. `decide` has the answers to the probes. */
export interface NoteCandidate {
  code: NoteCode;
  probes: readonly Probe[];
  decide(answers: readonly number[]): (Omit<Note, "code"> & { sought?: Sought }) | undefined;
}

/** A note about rows, if there are any. */
export const counted = (
  code: NoteCode,
  pointer: string,
  probe: Probe,
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
