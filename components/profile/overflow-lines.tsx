import type { Column } from "@/lib/schemas/column";

interface Props {
  column: Column;
  /** How many bars are drawn. */
  bars: number;
  width: number;
  height: number;
}

/** Lines that separate a histogram's bars of outliers, which have a different scale, from the regular ones. */
export function OverflowLines({ column, bars, width, height }: Props) {
  const { overflow } = column.profile.histogram ?? {};
  const step = width / Math.max(bars, 1);
  const places = [...(overflow?.first ? [step] : []), ...(overflow?.last ? [width - step] : [])];
  return places.map((x) => <line key={x} className="bins-overflow" x1={x} x2={x} y1="0" y2={height} />);
}
