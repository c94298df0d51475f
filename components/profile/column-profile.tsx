import { isNumeric, isTemporal, valueText } from "@/components/values/value-text";
import type { Column } from "@/lib/schemas/column";
import { filterOn } from "@/lib/view/filter-values";
import type { ViewFilter } from "@/lib/view/view";
import { Histogram } from "./histogram";
import { drawingOf, topShares, truthShares } from "./profile-drawing";
import { type ShareBar, ShareBars } from "./share-bars";

const TOP_SHOWN = 4;

/** The URL of the rows that filters of a column match. */
export type LinkTo = (filters: readonly ViewFilter[]) => string;

interface Props {
  column: Column;
  /** The table's row count. */
  rows: number;
  linkTo?: LinkTo | undefined;
}

/** A column's values as a small chart; with `linkTo`, every bar and value is a link. */
export function ColumnProfile({ column, rows, linkTo }: Props) {
  switch (drawingOf(column.profile, rows)) {
    case "histogram":
      return (
        <>
          <Histogram column={column} rows={rows} linkTo={linkTo} />
          <AbsentBars column={column} rows={rows} linkTo={linkTo} />
        </>
      );
    case "truth":
      return (
        <ShareBars
          label={`Shares of ${column.name}`}
          bars={[...truthBars(column, rows, linkTo), ...absentBars(column, rows, linkTo)]}
        />
      );
    case "top":
      return (
        <ShareBars
          label={`Most common values of ${column.name}`}
          bars={[...topBars(column, rows, TOP_SHOWN, linkTo), ...absentBars(column, rows, linkTo)]}
        />
      );
    case "none":
      return (
        <>
          <p className="text-faint text-xs">{rangeText(column)}</p>
          <AbsentBars column={column} rows={rows} linkTo={linkTo} />
        </>
      );
  }
}

/** The most frequent values as bars. */
export function topBars(column: Column, rows: number, most: number, linkTo?: LinkTo): ShareBar[] {
  return topShares(column.profile, rows, most).map(({ value, count, share }) => ({
    label: valueText(value, column),
    count,
    share,
    href: hrefOf(column, "eq", [String(value)], linkTo),
  }));
}

function hrefOf(
  column: Column,
  operator: ViewFilter["operator"],
  values: readonly string[],
  linkTo: LinkTo | undefined,
): string | undefined {
  return column.operators.includes(operator) ? linkTo?.([filterOn(column, operator, values)]) : undefined;
}

/** Null and NaN, if there are any. */
function absentBars(column: Column, rows: number, linkTo: LinkTo | undefined): ShareBar[] {
  const { null_count: nulls, nan_count: nans = 0 } = column.profile;
  const bars: ShareBar[] = [];
  if (nans > 0) bars.push({ label: "NaN", share: nans / Math.max(rows, 1), count: nans });
  if (nulls > 0)
    bars.push({
      label: null,
      share: nulls / Math.max(rows, 1),
      count: nulls,
      href: hrefOf(column, "is_null", [], linkTo),
    });
  return bars;
}

function AbsentBars({ column, rows, linkTo }: Props) {
  const bars = absentBars(column, rows, linkTo);
  if (bars.length === 0) return null;
  return (
    <div className="mt-1.5">
      <ShareBars label={`Share of nulls in ${column.name}`} bars={bars} />
    </div>
  );
}

function truthBars(column: Column, rows: number, linkTo: LinkTo | undefined): ShareBar[] {
  const { yes, no } = truthShares(column.profile, rows);
  const trues = column.profile.true_count ?? 0;
  return [
    { label: "true", share: yes, count: trues, href: hrefOf(column, "eq", ["true"], linkTo) },
    {
      label: "false",
      share: no,
      count: Math.max(0, rows - trues - column.profile.null_count),
      href: hrefOf(column, "eq", ["false"], linkTo),
    },
  ];
}

/** The range, shown if nothing is drawn and the adjacent facts do not include it. */
function rangeText(column: Column): string {
  if (isNumeric(column.type) || isTemporal(column.type)) return "";
  const low = valueText(column.profile.min, column);
  const high = valueText(column.profile.max, column);
  if (low === null || high === null) return "";
  return low === high ? `always ${low}` : `${low} … ${high}`;
}
