import type { Column } from "@/lib/schemas/column";
import { histogramPath } from "./profile-drawing";
import { valueText } from "./value-text";

const WIDTH = 240;
const HEIGHT = 40;

/** The spread of a column's values between the outermost edges of its bins. */
export function Histogram({ column }: { column: Column }) {
  const { histogram } = column.profile;
  if (!histogram) return null;
  const low = edgeText(histogram.edges[0], column);
  const high = edgeText(histogram.edges.at(-1), column);
  return (
    <div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Histogram of ${column.name}, from ${low} to ${high}`}
        className="h-10 w-full border-line-strong border-b text-bar"
      >
        <path d={histogramPath(histogram.counts, WIDTH, HEIGHT)} fill="currentColor" />
      </svg>
      <div className="mt-1 flex justify-between gap-3 text-muted text-xs tabular-nums">
        <span className="truncate">{low}</span>
        <span className="truncate text-right">{high}</span>
      </div>
    </div>
  );
}

/** An edge as short as the drawing: instants to the minute, midnight as its day. */
function edgeText(edge: unknown, column: Column): string {
  const text = valueText(edge, column) ?? "";
  return column.type === "timestamp" ? text.slice(0, 16).replace(/ 00:00$/, "") : text;
}
