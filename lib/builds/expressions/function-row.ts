import { storageOf } from "@/lib/builds/relation";
import type { ColumnType, Family } from "@/lib/engine/types/column-type";
import { isDecimal } from "@/lib/engine/types/decimals";
import { type Typed, typeNamed } from "./typed";

/** What an argument may be. The last three are constants in the recipe. */
export type Argument =
  | { kind: "family"; families: readonly Family[]; words: string; isWhole?: true }
  | { kind: "any" }
  | { kind: "pattern" | "zone" | "sign" | "text" }
  | { kind: "whole"; min: number; max: number }
  | { kind: "word"; words: readonly string[] };

/** The inputs of a function's SQL. Constants are passed as written in the recipe, everything else as SQL. */
export interface FunctionSql {
  types: readonly (ColumnType | undefined)[];
  result: ColumnType;
  /** Names a value that the SQL needs several times. */
  name(sql: string): string;
}

/** THE row of a function of expressions. */
export interface ExpressionFunction {
  group: "numbers" | "text" | "logic" | "time";
  english: string;
  args: readonly Argument[];
  /** How many trailing arguments are optional. */
  optional?: number;
  /** The last argument may be repeated up to this total number of arguments. */
  most?: number;
  /** Arguments are cast to the one type that they share. */
  isCommon?: true;
  /** The result's type, or a string that says why there is none. `common` is given with `isCommon`. */
  result(args: readonly Typed[], common: ColumnType | undefined): ColumnType | string;
  sql(args: readonly string[], context: FunctionSql): string;
}

const family = (label: string, ...families: Family[]): Argument => ({ kind: "family", families, words: label });

export const NUMBER = family("a number", "numeric");
export const WHOLE: Argument = { kind: "family", families: ["numeric"], words: "an integer", isWhole: true };
export const TEXT = family("a string", "text");
export const TRUTH = family("a condition", "boolean");
export const DAY = family("a date", "date");
export const INSTANT = family("a timestamp", "timestamp");
export const TIME = family("a date or timestamp", "date", "timestamp");
export const CLOCK = family("a time or timestamp", "time", "timestamp");
export const ORDERED = family(
  "a value that has an order",
  "numeric",
  "text",
  "boolean",
  "date",
  "timestamp",
  "time",
  "uuid",
);
export const ANY: Argument = { kind: "any" };
export const PATTERN: Argument = { kind: "pattern" };
export const whole = (min: number, max: number): Argument => ({ kind: "whole", min, max });
export const word = (...words: string[]): Argument => ({ kind: "word", words });

export const BOOLEAN = typeNamed("boolean");
export const INT32 = typeNamed("int32");
export const INT64 = typeNamed("int64");
export const FLOAT64 = typeNamed("float64");
export const STRING = typeNamed("string");
export const DATE = typeNamed("date");
export const TIMESTAMP = typeNamed("timestamp");

export const cast = (sql: string, to: ColumnType): string => `CAST(${sql} AS ${storageOf(to)})`;
export const isFloat = (type: ColumnType | undefined): boolean => type?.number?.isFloat === true;
export const scaleOf = (type: ColumnType | undefined): number =>
  type?.number && !type.number.isFloat ? type.number.scale : 0;
export const isInteger = (type: ColumnType | undefined): boolean =>
  type?.number !== undefined && !type.number.isFloat && !isDecimal(type);
