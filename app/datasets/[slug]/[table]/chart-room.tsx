import { ChartNotes, STILL_WIDTHS } from "@/components/chart/chart";
import { ChartLegends } from "@/components/chart/chart-legend";
import { headingOf } from "@/components/chart/chart-words";
import { drawChart } from "@/components/chart/draw-chart";
import type { ChartData } from "@/components/explorer/chart/chart-question";
import type { View } from "@/components/explorer/view/view";

/**
 * The room of a view's chart until its code has loaded: the same parts at the same heights, with an empty drawing, so
 * that nothing below moves.
 */
export function ChartRoom({ data: { spec, columns, rows, extent, notes }, view }: { data: ChartData; view: View }) {
  const drawings = STILL_WIDTHS.map(({ className, width }) => ({
    className,
    drawing: drawChart(spec, columns, rows, width),
  }));
  const [first] = drawings;
  if (!first || "problem" in first.drawing) return null;
  const { drawing } = first;
  return (
    <div className="chart-room needs-script" aria-hidden="true">
      <div className="chart-choices" />
      <div className="chart">
        <p className="chart-heading">
          <b>{view.title ?? headingOf(drawing.name)}</b> <span className="chart-extent">{extent}</span>
        </p>
        <ChartLegends drawing={drawing} label={spec.series} kind={spec.kind} />
        {drawings.map(
          ({ className, drawing: sized }) =>
            "height" in sized && <svg key={className} className={`chart-svg ${className}`} height={sized.height} />,
        )}
        <ChartNotes notes={[...notes, ...(view.note ? [view.note] : []), ...drawing.notes]} />
        <p className="chart-hint">Select a value to see the rows behind it.</p>
        <p className="chart-save" />
      </div>
      <p className="chart-words" />
    </div>
  );
}
