import type { Column } from "@/lib/schemas/column";
import { binPosition, edgeText } from "./bins";

const NAMES = ["p05", "p25", "p50", "p75", "p95"] as const;

/** Under a histogram: a thin line over 90 % of the values, a thick one over the middle half, a tick at the median. */
export function QuantileLine({ column }: { column: Column }) {
  const { quantiles, histogram } = column.profile;
  const bins = histogram?.counts.length ?? 0;
  if (!quantiles || bins < 2) return null;
  const places = NAMES.map((name) => binPosition(column, quantiles[name]));
  if (places.includes(undefined)) return null;
  const [p05, p25, p50, p75, p95] = places.map((place) => `${Math.round(((place ?? 0) / bins) * 1000) / 10}%`);
  const said =
    `Half of the values are between ${edgeText(quantiles.p25, column)} and ${edgeText(quantiles.p75, column)}; the ` +
    `median is ${edgeText(quantiles.p50, column)}`;
  return (
    <svg role="img" aria-label={said} className="quantiles">
      <title>{said}</title>
      <line x1={p05} x2={p95} y1="4" y2="4" />
      <line x1={p25} x2={p75} y1="4" y2="4" strokeWidth="4" />
      <line x1={p50} x2={p50} y1="0" y2="8" />
    </svg>
  );
}
