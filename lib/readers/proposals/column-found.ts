import type { GuessedRule } from "@/lib/readers/typed/cell-types";
import type { NumberNotation } from "@/lib/readers/typed/written-numbers";

/** A column of a file. Null is a cell without text. */
export interface ColumnCells {
  name: string;
  cells: readonly (string | null)[];
  /** The candidates for its type, as publishing has them for such cells. */
  rules?: readonly GuessedRule[];
}

/** What surrounds the columns. */
export interface Surroundings {
  delimiter?: string | undefined;
  /** The number of the row that a person sees, by the position of its cell. */
  rowOf(at: number): number;
}

export interface ColumnFound {
  name: string;
  /** A proposal, with its reason in `why`. */
  type: string;
  why: string;
  /** Whether its cells are text, which a step has to parse. */
  isText: boolean;
  nulls: number;
  /** Text that the proposal reads as null. */
  tokens: TokenFound[];
  /** Whether cells have white space around them, which a step has to remove. */
  isPadded?: boolean;
  /** Whether its numbers are written in forms that only casts read, such as `1e5`. */
  isCast?: boolean;
  /** Whether a step must keep it text, as a run would give it a type that a person has to choose. */
  staysText?: boolean;
  /** The number format, as `parse` takes it. */
  number?: NumberNotation;
  /** Formats as `parse` takes them; two if no cell decides between day and month. */
  date?: string[];
  distinct: number;
  examples: string[];
  /** Groups of strings that are probably different spellings of one value. */
  spellings?: string[][];
  /** The members of JSON objects that are records. */
  members?: MemberFound[];
  /** What a person must choose or should know, each beginning with the column's name. */
  warnings: string[];
}

/** Cells with the same text that are read as null. */
export interface TokenFound {
  token: string;
  cells: number;
  /** The first of them. */
  row: number;
}

/** A member of a column's objects, as `fields` of the step flatten takes it. */
export interface MemberFound {
  /** JSON Pointer. */
  at: string;
  /** The type that flatten gives it. A step may parse it further, as `column` says. */
  type: string;
  column: ColumnFound;
}
