import { isLosslessNumber, type LosslessNumber } from "lossless-json";
import { literalSql } from "@/lib/builds/query-parts";
import { storageOf } from "@/lib/builds/relation";
import { reject, type Scope } from "@/lib/builds/steps/step";
import type { ColumnType } from "@/lib/engine/types/column-type";
import { parseColumnType } from "@/lib/engine/types/column-types";
import { lengthFault, parseExact } from "@/lib/engine/types/exact-number";
import { readFilterValue } from "@/lib/engine/types/filter-value";
import { BOOLEAN, FLOAT64, STRING } from "./function-row";
import { type Typed, typeNamed } from "./typed";

/** A constant. Numbers without a type are int64, otherwise exact decimals, otherwise float64. */
export function literalOf(
  value: string | boolean | LosslessNumber,
  typeName: string | undefined,
  scope: Scope,
  at: string,
): Typed | undefined {
  if (typeName === undefined) return untyped(value, scope, at);
  const type = parseColumnType(typeName);
  if (!type)
    return reject(scope, `${at}/type`, {
      code: "invalid_value",
      message: `Unknown type ${JSON.stringify(typeName.slice(0, 100))}.`,
    });
  const isBad = type.family === "opaque" || type.family === "time";
  const read = isBad
    ? { rejected: `A value of type ${type.name} cannot be written here.` }
    : readFilterValue(type, value);
  if ("rejected" in read) return reject(scope, `${at}/value`, { code: "invalid_value", message: read.rejected });
  if (read.quantised && read.quantised.floor !== read.quantised.ceil)
    return reject(scope, `${at}/value`, {
      code: "invalid_value",
      message: `${type.name} cannot hold the number exactly.`,
    });
  return constant(read.text, type, typeof value === "string" ? value : undefined);
}

function untyped(value: string | boolean | LosslessNumber, scope: Scope, at: string): Typed | undefined {
  if (typeof value === "boolean") return { ...constant(String(value), BOOLEAN), literal: value };
  if (isLosslessNumber(value)) return numberOf(value.value, scope, at);
  if (value.length > 4096)
    return reject(scope, at, { code: "invalid_value", message: "Expected at most 4,096 characters." });
  if (/\p{Surrogate}|\0/u.test(value))
    return reject(scope, at, { code: "invalid_value", message: "Expected well-formed Unicode without U+0000." });
  return constant(value, STRING, value);
}

function numberOf(digits: string, scope: Scope, at: string): Typed | undefined {
  const exact = parseExact(digits);
  if (!exact) return reject(scope, at, { code: "invalid_value", message: lengthFault(digits) ?? "Invalid number." });
  const type = numberType(exact);
  if (type === FLOAT64 && !Number.isFinite(Number(digits)))
    return reject(scope, at, { code: "invalid_value", message: "The number is out of range." });
  return { ...constant(type === FLOAT64 ? String(Number(digits)) : plain(exact), type), literal: digits };
}

function numberType({ coefficient, exponent }: { coefficient: bigint; exponent: number }): ColumnType {
  const scale = Math.max(0, -exponent);
  if (exponent > 38 || scale > 18) return FLOAT64;
  const digits = String(coefficient < 0n ? -coefficient : coefficient).length + Math.max(0, exponent);
  if (digits > 38) return FLOAT64;
  if (scale === 0) return digits <= 18 ? typeNamed("int64") : typeNamed("decimal(38,0)");
  return typeNamed(`decimal(${Math.max(digits, scale)},${scale})`);
}

function plain({ coefficient, exponent }: { coefficient: bigint; exponent: number }): string {
  if (exponent >= 0) return String(coefficient * 10n ** BigInt(exponent));
  const [sign, digits] = coefficient < 0n ? ["-", String(-coefficient)] : ["", String(coefficient)];
  const padded = digits.padStart(1 - exponent, "0");
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

function constant(text: string, type: ColumnType, literal?: string): Typed {
  return {
    type,
    columns: [],
    ...(literal !== undefined && { literal }),
    emit: () => ({ sql: literalSql(text, storageOf(type)), level: 0 }),
  };
}
