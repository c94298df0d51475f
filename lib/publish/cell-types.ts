import { isJsonSql } from "@/lib/engine/sql/json-text";
import { duckdbTypeOf, formatColumnType, parseColumnType } from "@/lib/engine/types/column-types";

/*
 * How a text cell becomes a typed value. Each rule gives SQL over a text expression `x` that is not null: the value,
 * and whether the
 * text stands for exactly that value. DuckDB's own casts accept too much: CAST('1.5' AS BIGINT) is 2, '1_000' is 1000,
 * '007' is 7.
 */
export interface CellRule {
  type: string;
  storage: string;
  value(x: string): string;
  /** `v` is the value, made once. */
  fits(x: string, v: string): string;
}

const NUMBER = String.raw`-?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?`;
const NO_NUMBER = "NaN|nan|NAN|-?(inf|Inf|INF|infinity|Infinity)";
const CLOCK = "([01][0-9]|2[0-3]):[0-5][0-9]";
const SECONDS = String.raw`:[0-5][0-9](\.[0-9]{1,6})?`;
const INSTANT = `[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]${CLOCK}(${SECONDS})?(Z|[-+][0-9]{2}(:?[0-9]{2})?)?`;
const YEARS = "BETWEEN TIMESTAMPTZ '0001-01-01 00:00:00+00' AND TIMESTAMPTZ '9999-12-31 23:59:59.999999+00'";

const matches = (x: string, pattern: string) => `regexp_full_match(${x}, '${pattern}')`;
const tryCast = (x: string, storage: string) => `TRY_CAST(${x} AS ${storage})`;
/** The value prints as the very text: nothing was dropped, rounded or normalised. */
const printsBack = (x: string, v: string) => `coalesce(${v}::VARCHAR = ${x}, false)`;
/** A time without seconds gets them: DuckDB refuses `10:00Z`. */
const withSeconds = (x: string) =>
  `(CASE WHEN substr(${x}, 17, 1) = ':' THEN ${x} ELSE substr(${x}, 1, 16) || ':00' || substr(${x}, 17) END)`;
const instant = (x: string) => tryCast(withSeconds(x), "TIMESTAMPTZ");
/**
 * A double prints with at most 17 digits that count: a number with more of them was none, and stays text unless it is
 * declared.
 */
const digitsThatCount = (x: string) =>
  `length(trim(regexp_replace(regexp_replace(${x}, '[eE].*$', ''), '[-.]', '', 'g'), '0'))`;
/** Whole numbers must fit the 53 bits of a double exactly. CASE spares short ones the proof. */
const exactEnough = (x: string, v: string) =>
  `CASE WHEN length(${x}) <= 15 THEN true WHEN contains(${x}, '.') OR contains(lower(${x}), 'e') THEN ` +
  `length(${x}) <= 18 OR ${digitsThatCount(x)} <= 17 ELSE coalesce(${tryCast(v, "DECIMAL(38,0)")}::VARCHAR = ` +
  `${x}, false) END`;
const finite = (v: string) => `coalesce(isfinite(${v}), false)`;

const INT64: CellRule = { type: "int64", storage: "BIGINT", value: (x) => tryCast(x, "BIGINT"), fits: printsBack };
/**
 * The pattern alone proves it: 38 digits always fit. Casting text that is no number to a decimal is 30 times slower
 * than to any other type.
 */
const BIG: CellRule = {
  type: "decimal(38,0)",
  storage: "DECIMAL(38,0)",
  value: (x) => tryCast(x, "DECIMAL(38,0)"),
  fits: (x) => matches(x, "0|-?[1-9][0-9]{0,37}"),
};
const DATE: CellRule = {
  type: "date",
  storage: "DATE",
  value: (x) => tryCast(x, "DATE"),
  fits: (x, v) => `(length(${x}) = 10 AND ${x} >= '0001' AND ${printsBack(x, v)})`,
};
const TIMESTAMP: CellRule = {
  type: "timestamp",
  storage: "TIMESTAMP WITH TIME ZONE",
  value: instant,
  fits: (x, v) => `(${matches(x, INSTANT)} AND coalesce(${v} ${YEARS}, false))`,
};
const TIME: CellRule = {
  type: "time",
  storage: "TIME",
  value: (x) => tryCast(x, "TIME"),
  fits: (x, v) => `(${matches(x, CLOCK + SECONDS)} AND ${v} IS NOT NULL)`,
};
export const STRING_RULE: CellRule = { type: "string", storage: "VARCHAR", value: (x) => x, fits: () => "true" };
const FLOAT64: CellRule = {
  type: "float64",
  storage: "DOUBLE",
  value: (x) => tryCast(x, "DOUBLE"),
  fits: (x, v) =>
    `CASE WHEN ${finite(v)} THEN ${matches(x, NUMBER)} AND ${exactEnough(x, v)} ELSE ${matches(x, NO_NUMBER)} END`,
};

/** What is tried for a text column without a declared type, in this order; the first that every cell fits is taken. */
export const TEXT_RULES: readonly CellRule[] = [
  {
    type: "boolean",
    storage: "BOOLEAN",
    value: (x) => `(lower(${x}) = 'true')`,
    fits: (x) => `(lower(${x}) IN ('true', 'false'))`,
  },
  INT64,
  BIG,
  FLOAT64,
  DATE,
  TIMESTAMP,
  TIME,
  STRING_RULE,
];

/** What JSON strings may be; a string of digits stays a string. */
export const JSON_STRING_RULES: readonly CellRule[] = [DATE, TIMESTAMP, TIME, STRING_RULE];

const BOOLEAN: CellRule = {
  type: "boolean",
  storage: "BOOLEAN",
  value: (x) => `(${x} = 'true')`,
  fits: (x) => `(${x} IN ('true', 'false'))`,
};

/** JSON text, every digit kept. */
export const JSON_RULE: CellRule = {
  type: "json",
  storage: "JSON",
  value: (x) => `TRY_CAST(${x} AS JSON)`,
  fits: isJsonSql,
};

export const JSON_NUMBER_RULES: readonly CellRule[] = [INT64, BIG, FLOAT64, JSON_RULE];
export const JSON_BOOLEAN_RULES: readonly CellRule[] = [BOOLEAN, JSON_RULE];

/** A JSON array of which every item fits the item's rule. */
export function listRule(item: CellRule): CellRule {
  const items = (x: string) => `from_json(${x}, '["VARCHAR"]')`;
  return {
    type: `list<${item.type}>`,
    storage: `${item.storage}[]`,
    value: (x) => `list_transform(${items(x)}, lambda item: CASE WHEN item IS NOT NULL THEN ${item.value("item")} END)`,
    fits: (x) =>
      `(json_type(${x}) = 'ARRAY' AND coalesce(list_bool_and(list_transform(${items(x)}, lambda item: item IS ` +
      `NULL OR ${item.fits("item", item.value("item"))})), true))`,
  };
}

/** Arrays of one kind of item become lists; what else stands in arrays stays JSON. */
export function jsonArrayRules(items: ReadonlySet<string>): readonly CellRule[] {
  const kinds = [...items].filter((kind) => kind !== "null");
  if (kinds.length !== 1) return [JSON_RULE];
  if (kinds[0] === "string") return [listRule(STRING_RULE), JSON_RULE];
  if (kinds[0] === "boolean") return [listRule(BOOLEAN), JSON_RULE];
  return kinds[0] === "number" ? [listRule(INT64), listRule(FLOAT64), JSON_RULE] : [JSON_RULE];
}

/** The rule of a declared type; undefined where text cannot be read as that type. */
export function declaredRule(type: string): CellRule | undefined {
  const parsed = parseColumnType(type);
  const storage = duckdbTypeOf(type);
  if (!parsed || !storage) return undefined;
  const plain = { type, storage, value: (x: string) => tryCast(x, storage) };
  switch (parsed.kind) {
    case "string":
      return STRING_RULE;
    case "integer":
      return { ...plain, fits: (x, v) => `(${v} IS NOT NULL AND ${matches(x, "[-+]?[0-9]+")})` };
    case "decimal":
      return { ...plain, fits: (x, v) => `(${v} IS NOT NULL AND ${matches(x, decimalPattern(parsed.scale))})` };
    case "float":
      return {
        ...plain,
        fits: (x, v) =>
          `CASE WHEN ${finite(v)} THEN ` +
          `${matches(x, String.raw`[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?`)} ELSE ` +
          `${matches(x, NO_NUMBER)} END`,
      };
    case "boolean":
      return {
        ...plain,
        value: (x) => `(lower(${x}) IN ('true', 't', 'yes', '1'))`,
        fits: (x) => `(lower(${x}) IN ('true', 'false', 't', 'f', 'yes', 'no', '1', '0'))`,
      };
    case "date":
      return DATE;
    case "timestamp":
      return {
        ...TIMESTAMP,
        value: (x) => `CASE WHEN length(${x}) = 10 THEN ${tryCast(x, "TIMESTAMPTZ")} ELSE ${instant(x)} END`,
        fits: (x, v) => `(${TIMESTAMP.fits(x, v)} OR ${DATE.fits(x, tryCast(x, "DATE"))})`,
      };
    case "time":
      return { ...TIME, fits: (x, v) => `(${v} IS NOT NULL AND ${matches(x, `${CLOCK}(${SECONDS})?`)})` };
    case "uuid":
      return { ...plain, fits: (x) => matches(x, "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}") };
    case "binary":
      return {
        ...plain,
        value: (x) => `TRY(from_base64(${x}))`,
        fits: (x, v) => `coalesce(to_base64(${v}) = ${x}, false)`,
      };
    case "json":
      return JSON_RULE;
    case "list":
      return listRuleOf(formatColumnType(parsed.item));
    case "struct":
      return undefined;
  }
}

function listRuleOf(itemType: string): CellRule | undefined {
  const item = declaredRule(itemType);
  return item && !itemType.startsWith("list<") ? listRule(item) : undefined;
}

/** Digits with at most `scale` behind the point, or more where they are zeros. */
const decimalPattern = (scale: number) =>
  String.raw`[-+]?([0-9]+(\.[0-9]{0,${scale}}0*)?|\.[0-9]{1,${Math.max(scale, 1)}}0*)`;
