import type { Column } from "@/lib/schemas/column";
import { Histogram } from "./histogram";
import { drawingOf, topShares, truthShares } from "./profile-drawing";
import { type ShareBar, ShareBars } from "./share-bars";
import { valueText } from "./value-text";

const TOP_SHOWN = 4;

/** A column's values drawn small. `rows` is the table's row count. */
export function ColumnProfile({ column, rows }: { column: Column; rows: number }) {
  switch (drawingOf(column.profile, rows)) {
    case "histogram":
      return <Histogram column={column} />;
    case "truth":
      return <ShareBars label={`Shares of ${column.name}`} bars={truthBars(column, rows)} />;
    case "top":
      return <ShareBars label={`Commonest values of ${column.name}`} bars={topBars(column, rows, TOP_SHOWN)} />;
    case "none":
      return <p className="text-faint text-xs">{rangeText(column)}</p>;
  }
}

export function topBars(column: Column, rows: number, most: number): ShareBar[] {
  return topShares(column.profile, rows, most).map(({ value, count, share }) => ({ label: valueText(value, column), count, share }));
}

function truthBars(column: Column, rows: number): ShareBar[] {
  const { yes, no, none } = truthShares(column.profile, rows);
  const bars: ShareBar[] = [
    { label: "true", share: yes },
    { label: "false", share: no },
  ];
  return none > 0 ? [...bars, { label: null, share: none }] : bars;
}

function rangeText(column: Column): string {
  const low = valueText(column.profile.min, column);
  const high = valueText(column.profile.max, column);
  if (low === null || high === null) return "";
  return low === high ? `always ${low}` : `${low} … ${high}`;
}
