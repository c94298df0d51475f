import { isLosslessNumber } from "lossless-json";
import { patternFault, patternGroups } from "@/lib/builds/patterns";
import { reject, type Scope } from "@/lib/builds/steps/step";
import { didYouMean } from "@/lib/engine/grammar/did-you-mean";
import type { ColumnType } from "@/lib/engine/types/column-type";
import { wholeNumber } from "@/lib/engine/types/exact-number";
import { zoneSchema } from "@/lib/schemas/recipe-values";
import { type Argument, type ExpressionFunction, isInteger, STRING } from "./function-row";
import { FUNCTIONS, functionFor } from "./registry";
import { castTo, combined, type Emit, type Sql, type Typed, unified } from "./typed";

/** Null, which takes its type from the other operands. */
export const nullOf = (type: ColumnType | undefined): Typed => ({
  type,
  ...(type === undefined && { isNull: true as const }),
  columns: [],
  emit: () => ({ sql: type ? `CAST(NULL AS ${type.duckdb})` : "NULL", level: 0 }),
});

/** A call of a function. `raw` are the arguments as written, `checked` the checked ones. */
export function checkCall(
  name: string,
  checked: readonly (Typed | undefined)[],
  raw: readonly unknown[],
  scope: Scope,
  at: string,
): Typed | undefined {
  const row = functionFor(name, checked[0]);
  if (!row) return unknownFunction(name, scope, at);
  if (!checkCount(name, row, raw.length, scope, at)) return undefined;
  const fits = raw.map((argument, index) => {
    const typed = checked[index];
    return (
      typed !== undefined && checkArgument(name, argumentAt(row, index), typed, argument, scope, `${at}/args/${index}`)
    );
  });
  const args = checked.filter((typed) => typed !== undefined);
  if (args.length < raw.length || fits.includes(false)) return undefined;
  return name === "if" ? branch(row, args, scope, at) : call(name, row, args, scope, at);
}

function unknownFunction(name: string, scope: Scope, at: string): undefined {
  const meant = didYouMean(name, Object.keys(FUNCTIONS));
  return reject(scope, `${at}/fn`, {
    code: "unknown_function",
    message: `Unknown function ${JSON.stringify(name.slice(0, 100))}.`,
    allowed: Object.keys(FUNCTIONS),
    ...(meant !== undefined && { didYouMean: meant }),
  });
}

function checkCount(
  name: string,
  { args, optional = 0, most = args.length }: ExpressionFunction,
  count: number,
  scope: Scope,
  at: string,
): boolean {
  const least = args.length - optional;
  if (count >= least && count <= most) return true;
  const range = least === most ? String(least) : `${least} to ${most}`;
  reject(scope, `${at}/args`, { code: "invalid_request", message: `${name} takes ${range} arguments, not ${count}.` });
  return false;
}

const argumentAt = ({ args }: ExpressionFunction, index: number): Argument =>
  args[Math.min(index, args.length - 1)] as Argument;

function checkArgument(
  name: string,
  argument: Argument,
  typed: Typed,
  raw: unknown,
  scope: Scope,
  at: string,
): boolean {
  const message = argumentFault(argument, typed, raw);
  if (argument.kind === "pattern" && message === undefined)
    scope.patterns.push({ pointer: scope.pointer + at, pattern: String(raw) });
  if (message === undefined) return true;
  reject(scope, at, {
    code: argument.kind === "family" ? "function_not_applicable" : "invalid_value",
    message: `${name}: ${message}`,
  });
  return false;
}

function argumentFault(argument: Argument, typed: Typed, raw: unknown): string | undefined {
  switch (argument.kind) {
    case "any":
      return undefined;
    case "family":
      return familyFault(argument, typed);
    case "whole":
      return wholeFault(argument, raw);
    case "pattern":
      return typeof raw === "string" ? patternFault(raw) : "expected a pattern, as a plain string.";
    case "zone":
      return zoneSchema.safeParse(raw).success
        ? undefined
        : "expected a time zone of the IANA database, such as Europe/Berlin.";
    case "sign":
      return typeof raw === "string" && [...raw].length === 1 ? undefined : "expected one character.";
    case "text":
      return typeof raw === "string" && raw !== "" && !raw.includes("\0")
        ? undefined
        : "expected a plain, non-empty string.";
    case "word":
      return argument.words.includes(String(raw)) ? undefined : `expected one of ${argument.words.join(", ")}.`;
  }
}

function familyFault(argument: Extract<Argument, { kind: "family" }>, { type }: Typed): string | undefined {
  if (!type) return undefined;
  if (!argument.families.includes(type.family)) return `expected ${argument.words}, not ${type.name}.`;
  return argument.isWhole && !isInteger(type) ? `expected ${argument.words}, not ${type.name}.` : undefined;
}

function wholeFault({ min, max }: { min: number; max: number }, raw: unknown): string | undefined {
  const value = isLosslessNumber(raw) ? wholeNumber(raw.value) : undefined;
  return value !== undefined && value >= min && value <= max
    ? undefined
    : `expected a whole number from ${min} to ${max}, as a constant.`;
}

function call(
  name: string,
  row: ExpressionFunction,
  args: readonly Typed[],
  scope: Scope,
  at: string,
): Typed | undefined {
  const values = args.filter((_, index) => isValue(argumentAt(row, index)));
  const common = row.isCommon ? unified(values) : undefined;
  if (common === "none")
    return reject(scope, at, {
      code: "function_not_applicable",
      message:
        `${name}: the arguments have different types: ${typeNames(values)}. Give the value a ` +
        `type: {"value": …, "type": …}.`,
    });
  const groupFault = name === "extract" ? checkGroup(args) : undefined;
  if (groupFault !== undefined) return reject(scope, `${at}/args/2`, { code: "invalid_value", message: groupFault });
  const columns = args.flatMap((arg) => arg.columns);
  if (values.some((arg) => arg.type === undefined && !arg.isNull))
    return { type: openResult(row, args), columns, emit: () => ({ sql: "NULL", level: 0 }) };
  const result = row.result(args, common);
  if (typeof result === "string")
    return reject(scope, at, { code: "function_not_applicable", message: `${name}: ${result}` });
  return { type: result, columns, emit: (to) => emitCall(row, args, common, result, to) };
}

const typeNames = (parts: readonly Typed[]): string =>
  [...new Set(parts.flatMap(({ type }) => type?.name ?? []))].join(", ");

const isValue = ({ kind }: Argument): boolean => kind === "family" || kind === "any";

/** The result's type if the arguments' types are unknown: only if it does not depend on them. */
function openResult(row: ExpressionFunction, args: readonly Typed[]): ColumnType | undefined {
  const fixed = row.result.length === 0 ? row.result(args, undefined) : undefined;
  return typeof fixed === "object" ? fixed : undefined;
}

function checkGroup([, pattern, group]: readonly Typed[]): string | undefined {
  const groups = patternGroups(String(pattern?.literal)).length;
  const requested = Number(group?.literal ?? 0);
  return requested > groups ? `extract: the pattern has ${groups} groups, not ${requested}.` : undefined;
}

function emitCall(
  row: ExpressionFunction,
  args: readonly Typed[],
  common: ColumnType | undefined,
  result: ColumnType,
  to: Emit,
): Sql {
  const parts: Sql[] = [];
  const texts = args.map((arg, index) => {
    const argument = argumentAt(row, index);
    if (argument.kind === "whole") return String(wholeNumber(String(arg.literal)));
    if (!isValue(argument)) return String(arg.literal);
    const part = typedPart(row, arg, index, common, to);
    parts.push(part);
    return part.sql;
  });
  let level = combined(parts, "").level;
  const name = (sql: string): string => {
    const named = to.layers.name({ sql, level });
    level = Math.max(level, named.level);
    return named.sql;
  };
  const sql = row.sql(texts, { types: args.map(({ type }) => type), result, name });
  return { sql, level };
}

function typedPart(row: ExpressionFunction, arg: Typed, index: number, common: ColumnType | undefined, to: Emit): Sql {
  const emitted = arg.emit(to);
  if (common) return castTo(emitted, arg.type, common);
  const argument = argumentAt(row, index);
  if (!arg.isNull || argument.kind !== "family") return emitted;
  return { sql: `CAST(NULL AS ${NULL_STORAGE[argument.families[0] ?? "text"] ?? "VARCHAR"})`, level: 0 };
}

const NULL_STORAGE: Readonly<Record<string, string>> = {
  numeric: "BIGINT",
  boolean: "BOOLEAN",
  date: "DATE",
  timestamp: "TIMESTAMP WITH TIME ZONE",
  time: "TIME",
  uuid: "UUID",
};

/** `if`: the branches share one type. */
function branch(row: ExpressionFunction, args: readonly Typed[], scope: Scope, at: string): Typed | undefined {
  const [condition, then, otherwise = nullOf(undefined)] = args;
  if (!condition || !then) return undefined;
  const type = then.isNull && otherwise.isNull ? STRING : unified([then, otherwise]);
  if (type === "none")
    return reject(scope, at, {
      code: "function_not_applicable",
      message: `if: the branches have different types: ${typeNames([then, otherwise])}.`,
    });
  const emit = (to: Emit): Sql => {
    const parts = [
      condition.emit(to),
      ...[then, otherwise].map((part) => (type ? castTo(part.emit(to), part.type, type) : part.emit(to))),
    ];
    return combined(
      parts,
      row.sql(
        parts.map(({ sql }) => sql),
        { types: [], result: type ?? STRING, name: String },
      ),
    );
  };
  return { type, columns: args.flatMap(({ columns }) => columns), emit };
}
