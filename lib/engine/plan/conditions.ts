import { VALUES_MAX } from "@/lib/engine/grammar/bounds";
import { didYouMean } from "@/lib/engine/grammar/did-you-mean";
import type { ColumnType, FilterValue } from "@/lib/engine/types/column-type";
import { columnTypeOf, type EngineColumn, operatorsFor } from "@/lib/engine/types/column-types";
import { formatScaled } from "@/lib/engine/types/exact-number";
import { isAbove, readFilterValue } from "@/lib/engine/types/filter-value";

import { isOperatorName, OPERATORS, type Operator, type OperatorName } from "@/lib/engine/types/operators";
import type { Fault } from "@/lib/kernel/errors";

/**
 * A checked filter. `column` is the column's index; `values` are strings that SQL casts to `cast`. `never` matches no
 * row.
 */
export interface Condition {
  column: number;
  operator: OperatorName | "never";
  values: readonly string[];
  cast: string;
  ignoreCase?: true;
}

export interface Filter {
  column: string;
  operator: string;
  value?: unknown;
  ignore_case?: boolean | undefined;
}

/** A checked filter or its faults. `index` is undefined for an unknown column, which is reported elsewhere. */
export function conditionFor(
  filter: Filter,
  pointer: string,
  column: EngineColumn | undefined,
  index: number,
): Condition | Fault[] {
  if (!isOperatorName(filter.operator)) return [unsupported(filter.operator, pointer, column)];
  const operator = OPERATORS[filter.operator];
  const counted = [
    ...countFaults(filter, filter.operator, pointer),
    ...caseFaults(filter, filter.operator, pointer, column),
  ];
  if (!column) return counted;
  if (!operatorsFor(column.type).includes(filter.operator))
    return [notApplicable(filter.operator, pointer, column), ...counted];
  if (counted.length > 0) return counted;
  const raw = operator.arity === "none" ? [] : operator.arity === "one" ? [filter.value] : (filter.value as unknown[]);
  const type = valueTypeOf(operator, columnTypeOf(column));
  const read = raw.map((value) => readFilterValue(type, value));
  const faults = read.flatMap((value, at) =>
    "rejected" in value
      ? [invalid(operator.arity === "one" ? `${pointer}/value` : `${pointer}/value/${at}`, value.rejected)]
      : [],
  );
  const values = read.filter((value): value is FilterValue => !("rejected" in value));
  if (faults.length > 0) return faults;
  return (
    orderFaults(filter.operator, values, pointer) ??
    withCase(filter, checked(index, filter.operator, type, values, type.duckdb ?? "VARCHAR"))
  );
}

/** The type of an operator's values: the column's, or that of its items. */
const valueTypeOf = ({ ofItems }: Operator, type: ColumnType): ColumnType => (ofItems && type.item) || type;

const withCase = ({ ignore_case }: Filter, condition: Condition): Condition =>
  ignore_case === true ? { ...condition, ignoreCase: true } : condition;

function caseFaults(
  { ignore_case }: Filter,
  name: OperatorName,
  pointer: string,
  column: EngineColumn | undefined,
): Fault[] {
  if (ignore_case !== true) return [];
  const at = `${pointer}/ignore_case`;
  if (!OPERATORS[name].ignoresCase)
    return [{ pointer: at, code: "invalid_request", message: `${name} does not take ignore_case.` }];
  if (!column || columnTypeOf(column).family === "text") return [];
  const message = `ignore_case does not apply to ${JSON.stringify(column.name)}, which is of type ${column.type}.`;
  return [{ pointer: at, code: "operator_not_applicable", message }];
}

function checked(
  column: number,
  name: OperatorName,
  type: ColumnType,
  values: readonly FilterValue[],
  cast: string,
): Condition {
  const quantised = values.flatMap((value) => value.quantised ?? []);
  const rewrite = OPERATORS[name].exact;
  if (!rewrite || quantised.length === 0)
    return withoutZeroTest({ column, operator: name, values: values.map((value) => value.text), cast }, type);
  const exact = rewrite(quantised);
  if (exact === "never") return { column, operator: "never", values: [], cast };
  if (exact === "present") return { column, operator: "is_not_null", values: [], cast };
  const scale = type.number && !type.number.isFloat ? type.number.scale : 0;
  return { column, operator: exact.operator, values: exact.values.map((value) => formatScaled(value, scale)), cast };
}

/**
 * Parquet's Bloom filters treat 0.0 and -0.0 as different, and DuckDB consults them for `=`. A range condition, to
 * which they do not apply, finds both.
 */
function withoutZeroTest(condition: Condition, type: ColumnType): Condition {
  const isEquality = condition.operator !== "never" && OPERATORS[condition.operator].isEquality;
  const isZero = isEquality === true && type.number?.isFloat && condition.values.every((value) => Number(value) === 0);
  return isZero ? { ...condition, operator: "between", values: ["0", "0"] } : condition;
}

/** Faults in the number of values, which can be checked without the column. */
function countFaults(filter: Filter, name: OperatorName, pointer: string): Fault[] {
  const hasValue = filter.value !== undefined;
  switch (OPERATORS[name].arity) {
    case "none":
      return hasValue ? [invalid(`${pointer}/value`, `${name} does not take a value.`)] : [];
    case "one":
      return oneFaults(filter.value, name, pointer);
    case "two":
      return Array.isArray(filter.value) && filter.value.length === 2
        ? []
        : [invalid(`${pointer}/value`, `${name} takes an array of two values, low then high.`)];
    case "many":
      return manyFaults(filter.value, name, pointer);
  }
}

function oneFaults(value: unknown, name: OperatorName, pointer: string): Fault[] {
  if (value === undefined)
    return [{ pointer: `${pointer}/value`, code: "invalid_request", message: `${name} needs a value.` }];
  if (Array.isArray(value)) return [invalid(`${pointer}/value`, `${name} takes one value, not an array.`)];
  return OPERATORS[name].isPart && value === ""
    ? [invalid(`${pointer}/value`, `${name} takes a non-empty string.`)]
    : [];
}

function manyFaults(value: unknown, name: OperatorName, pointer: string): Fault[] {
  if (!Array.isArray(value) || value.length === 0)
    return [invalid(`${pointer}/value`, `${name} takes an array of 1 to ${VALUES_MAX} values.`)];
  return value.length > VALUES_MAX
    ? [{ pointer: `${pointer}/value`, code: "too_many_values", message: `${name} takes at most ${VALUES_MAX} values.` }]
    : [];
}

function orderFaults(name: OperatorName, [low, high]: readonly FilterValue[], pointer: string): Fault[] | undefined {
  return OPERATORS[name].arity === "two" && low && high && isAbove(low, high)
    ? [invalid(`${pointer}/value`, "The first value must not be greater than the second.")]
    : undefined;
}

function unsupported(operator: string, pointer: string, column: EngineColumn | undefined): Fault {
  const meant = didYouMean(operator, Object.keys(OPERATORS));
  const allowed = column ? operatorsFor(column.type) : Object.keys(OPERATORS);
  return {
    pointer: `${pointer}/operator`,
    code: "unsupported_operator",
    message: `Unknown operator ${JSON.stringify(operator.slice(0, 100))}.`,
    allowed,
    ...(meant && { didYouMean: meant }),
  };
}

function notApplicable(operator: string, pointer: string, column: EngineColumn): Fault {
  const message = `${operator} does not apply to ${JSON.stringify(column.name)}, which is of type ${column.type}.`;
  return {
    pointer: `${pointer}/operator`,
    code: "operator_not_applicable",
    message,
    allowed: operatorsFor(column.type),
  };
}

function invalid(pointer: string, message: string): Fault {
  return { pointer, code: "invalid_value", message };
}
