import type { AnyCheckKind } from "./check";
import { nullShare, rowCount, rowCountChange } from "./count-checks";
import { references, unique } from "./key-checks";
import { keepsRows, newValues } from "./previous-checks";
import { acceptedValues, compare, notNull, pattern, range } from "./row-checks";
import { completeSeries, freshnessOfColumn } from "./time-checks";

/** THE checks, in the order of the docs. */
export const CHECK_KINDS: Readonly<Record<string, AnyCheckKind>> = {
  not_null: notNull,
  unique,
  accepted_values: acceptedValues,
  range,
  pattern,
  row_count: rowCount,
  row_count_change: rowCountChange,
  references,
  freshness_of_column: freshnessOfColumn,
  compare,
  null_share: nullShare,
  complete_series: completeSeries,
  keeps_rows: keepsRows,
  new_values: newValues,
};
