import { ChartLegend } from "./chart-legend";
import type { ChartColumn, ChartRow, ChartSpec } from "./chart-spec";
import { ChartSvg } from "./chart-svg";
import { ChartTable } from "./chart-table";
import { drawChart } from "./draw-chart";

export interface ChartProps {
  spec: ChartSpec;
  columns: readonly ChartColumn[];
  rows: readonly ChartRow[];
  /** Shown under the chart, such as that only one page of a result is drawn. */
  note?: string | undefined;
}

/** Widths that a page is drawn for before a browser has measured it; the style sheet shows the one that fits. */
const WIDTHS = [
  { className: "chart-narrow", width: 320 },
  { className: "chart-middle", width: 520 },
  { className: "chart-wide", width: 800 },
] as const;

/** A chart for pages without script: drawn for three widths, one of which is shown; its values are in a table below. */
export function Chart({ spec, columns, rows, note }: ChartProps) {
  const drawing = drawChart(spec, columns, rows, WIDTHS[0].width);
  if ("problem" in drawing) return <p className="chart-problem">{drawing.problem}</p>;
  return (
    <figure className="chart">
      <ChartLegend names={drawing.legend} label={spec.series ?? ""} kind={spec.kind} />
      <StillDrawings spec={spec} columns={columns} rows={rows} fit="fluid" />
      <ChartNotes notes={[...(note ? [note] : []), ...drawing.notes]} />
      <ChartTable spec={spec} columns={columns} rows={rows} name={drawing.name} />
    </figure>
  );
}

/** The same chart at each width. */
export function StillDrawings({ spec, columns, rows, fit }: ChartProps & { fit: "fluid" | "boxed" }) {
  return WIDTHS.map(({ width, className }) => {
    const drawing = drawChart(spec, columns, rows, width);
    return "name" in drawing && <ChartSvg key={className} drawing={drawing} className={className} titles fit={fit} />;
  });
}

/** What a chart leaves out. */
export function ChartNotes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return <p className="chart-note">{notes.join(" ")}</p>;
}
