import type { Column } from "@/lib/schemas/column";

interface Props {
  column: Column;
  /** How many bars are drawn. */
  bars: number;
  width: number;
  height: number;
}

/** Separates the bars of outliers, which have another scale, from the regular ones in a histogram. */
export function OverflowLines({ column, bars, width, height }: Props) {
  const { overflow } = column.profile.histogram ?? {};
  const step = width / Math.max(bars, 1);
  const places = [...(overflow?.first ? [step] : []), ...(overflow?.last ? [width - step] : [])];
  return places.map((x) => <line key={x} className="bins-overflow" x1={x} x2={x} y1="0" y2={height} />);
}
