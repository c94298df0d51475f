import { ChartLegend } from "./chart-legend";
import type { ChartColumn, ChartRow, ChartSpec } from "./chart-spec";
import { ChartSvg } from "./chart-svg";
import { ChartTable } from "./chart-table";
import { drawChart } from "./draw-chart";

export interface ChartProps {
  spec: ChartSpec;
  columns: readonly ChartColumn[];
  rows: readonly ChartRow[];
  /** Said under the chart, such as that only one page of a result is drawn. */
  note?: string | undefined;
}

/** Widths that a page is drawn for before a browser has measured it; the style sheet shows the one that fits. */
const WIDTHS = [
  { className: "chart-narrow", width: 320 },
  { className: "chart-middle", width: 520 },
  { className: "chart-wide", width: 800 },
] as const;

/** A chart for pages without script: drawn for three widths, one of which is shown; its values stand in a table below. */
export function Chart({ spec, columns, rows, note }: ChartProps) {
  const drawings = WIDTHS.map(({ width, className }) => ({ className, drawing: drawChart(spec, columns, rows, width) }));
  const first = drawings[0]?.drawing;
  if (!first || "problem" in first) return <p className="chart-problem">{first?.problem}</p>;
  return (
    <figure className="chart">
      <ChartLegend names={first.legend} label={spec.series ?? ""} kind={spec.kind} />
      {drawings.map(({ className, drawing }) => "name" in drawing && <ChartSvg key={className} drawing={drawing} className={className} titles fluid />)}
      <ChartNotes notes={[...(note ? [note] : []), ...first.notes]} />
      <ChartTable spec={spec} columns={columns} rows={rows} name={first.name} />
    </figure>
  );
}

/** What a chart leaves out. */
export function ChartNotes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return <p className="chart-note">{notes.join(" ")}</p>;
}
