import type { Column } from "@/lib/schemas/column";
import { Histogram } from "./histogram";
import { drawingOf, topShares, truthShares } from "./profile-drawing";
import { type ShareBar, ShareBars } from "./share-bars";
import { isNumeric, isTemporal, valueText } from "./value-text";

const TOP_SHOWN = 4;

/** A column's values drawn small. `rows` is the table's row count. */
export function ColumnProfile({ column, rows }: { column: Column; rows: number }) {
  switch (drawingOf(column.profile, rows)) {
    case "histogram":
      return (
        <>
          <Histogram column={column} />
          <NullBar column={column} rows={rows} />
        </>
      );
    case "truth":
      return <ShareBars label={`Shares of ${column.name}`} bars={truthBars(column, rows)} />;
    case "top":
      return <ShareBars label={`Commonest values of ${column.name}`} bars={[...topBars(column, rows, TOP_SHOWN), ...nullBars(column, rows)]} />;
    case "none":
      return (
        <>
          <p className="text-faint text-xs">{rangeText(column)}</p>
          <NullBar column={column} rows={rows} />
        </>
      );
  }
}

export function topBars(column: Column, rows: number, most: number): ShareBar[] {
  return topShares(column.profile, rows, most).map(({ value, count, share }) => ({ label: valueText(value, column), count, share }));
}

function nullBars(column: Column, rows: number): ShareBar[] {
  const nulls = column.profile.null_count;
  return nulls > 0 ? [{ label: null, share: nulls / Math.max(rows, 1), count: nulls }] : [];
}

function NullBar({ column, rows }: { column: Column; rows: number }) {
  const bars = nullBars(column, rows);
  if (bars.length === 0) return null;
  return (
    <div className="mt-1.5">
      <ShareBars label={`Share of nulls in ${column.name}`} bars={bars} />
    </div>
  );
}

function truthBars(column: Column, rows: number): ShareBar[] {
  const { yes, no } = truthShares(column.profile, rows);
  return [{ label: "true", share: yes }, { label: "false", share: no }, ...nullBars(column, rows)];
}

/** Said where nothing is drawn and the facts beside do not say it. */
function rangeText(column: Column): string {
  if (isNumeric(column.type) || isTemporal(column.type)) return "";
  const low = valueText(column.profile.min, column);
  const high = valueText(column.profile.max, column);
  if (low === null || high === null) return "";
  return low === high ? `always ${low}` : `${low} … ${high}`;
}
