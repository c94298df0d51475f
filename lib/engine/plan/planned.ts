import type { AggregateName } from "@/lib/engine/types/aggregates";
import type { BucketName } from "@/lib/engine/types/buckets";
import type { EngineColumn } from "@/lib/engine/types/column-types";
import type { DerivationName } from "@/lib/engine/types/derivations";
import type { Condition } from "./conditions";
import type { Search } from "./filters";

/** An order key. `column` indexes the table's columns or, in a grouped plan, the result's columns. */
export interface OrderKey {
  column: number;
  descending: boolean;
}

/** Of each combination of some columns only the first rows of an order; in a grouped plan, of the result's columns. */
export interface PlannedTop {
  by: readonly number[];
  count: number;
  order: readonly OrderKey[];
}

/** The distance of rows from a place, which is a column after the table's. */
export interface PlannedNear {
  /** Columns of degrees. */
  latitude: number;
  longitude: number;
  /** The place in degrees: latitude, longitude. */
  of: readonly [string, string];
  as: string;
  /** The greatest distance in kilometres, which is also a condition on the column. */
  km?: string;
}

/** Columns of another table, found by its primary key: the columns after the table's. */
export interface PlannedLookup {
  as: string;
  tableId: string;
  /** Which version of it the body names, if it does. */
  version?: string;
  /** The columns of its key, each with the column of this table that has the same values. */
  on: readonly (readonly [key: number, own: number])[];
  /** Columns of the other table, and their names and types in this query. */
  columns: readonly { column: number; named: EngineColumn }[];
}

export interface RowsPlan {
  kind: "rows";
  columns: readonly number[];
  conditions: readonly Condition[];
  order: readonly OrderKey[];
  search?: Search;
  top?: PlannedTop;
  near?: PlannedNear;
  /** At least one. */
  lookups?: readonly PlannedLookup[];
}

export interface PlannedAggregate {
  function: AggregateName;
  column: number | undefined;
  as: string;
  /** Conditions over the table's columns; at least one. */
  filters?: readonly Condition[];
  /** A number from 0 to 1, as written. */
  at?: string;
  /** The column of the second value of each pair. */
  with?: number;
  /** With it: whether every row has both values, if that is known. */
  isComplete?: true;
  /** Groups, by index: the rows of all groups that agree in them are what a group's rows are a share of. */
  of?: readonly number[];
}

/** A group: a column's values themselves, or the spans of a bucket or width that contain them. */
export interface PlannedGroup {
  column: number;
  as: string;
  bucket?: BucketName;
  /** A number that the column's type holds exactly or, for floats, a short decimal. */
  width?: string;
  /** Of a width of floats: whether all rows' values are near enough to zero for the shorter SQL (`bandSql`). */
  isNear?: true;
  /** Of a bucket of timestamps: the time zone whose local times it is of. */
  zone?: string;
  /** With a zone: between which instants, in seconds since 1970, all rows' values are, if that is known. */
  within?: readonly [from: number, to: number];
}

/** A result of a group computed from those of other groups. All indexes are of the result's columns. */
export interface PlannedDerived {
  function: DerivationName;
  as: string;
  of: number;
  /** The group whose order it follows. */
  over?: number;
  size?: number;
  by?: readonly number[];
  isAscending?: true;
}

/**
 * Result columns are the groups, then the aggregates, then what is derived. `order` is total: group columns that the
 * body's order does not name are appended, ascending.
 */
export interface GroupsPlan {
  kind: "groups";
  groups: readonly PlannedGroup[];
  aggregates: readonly PlannedAggregate[];
  conditions: readonly Condition[];
  order: readonly OrderKey[];
  search?: Search;
  /** Conditions over the result's columns; at least one. */
  having?: readonly Condition[];
  top?: PlannedTop;
  /** At least one. */
  derived?: readonly PlannedDerived[];
  near?: PlannedNear;
  /** At least one. */
  lookups?: readonly PlannedLookup[];
}

/** Reads part of a string in the only row that matches the filters. */
export interface CellPlan {
  kind: "cell";
  column: number;
  /** Characters before the part. */
  offset: number;
  conditions: readonly Condition[];
  search?: Search;
  near?: PlannedNear;
  /** At least one. */
  lookups?: readonly PlannedLookup[];
}

export type Plan = RowsPlan | GroupsPlan | CellPlan;
