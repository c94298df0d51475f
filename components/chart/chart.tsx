import { ChartLegends } from "./chart-legend";
import type { ChartColumn, ChartRow, ChartSpec } from "./chart-spec";
import { ChartSvg } from "./chart-svg";
import { ChartTable } from "./chart-table";
import { drawChart } from "./draw-chart";
import type { Land } from "./land";

export interface ChartProps {
  spec: ChartSpec;
  columns: readonly ChartColumn[];
  rows: readonly ChartRow[];
  /** The land outlines below a map's points. */
  land?: Land | undefined;
  /** Shown under the chart, such as how its values were aggregated. */
  notes?: readonly string[] | undefined;
}

/**
 * Widths that charts are drawn at before the browser has measured the page; the style sheet shows the one that fits.
 */
export const STILL_WIDTHS = [
  { className: "chart-narrow", width: 320 },
  { className: "chart-middle", width: 520 },
  { className: "chart-wide", width: 800 },
] as const;

/** Additional widths, for documents that may be as wide as a screen. */
const BROAD_WIDTHS = [
  { className: "chart-broad", width: 1140 },
  { className: "chart-broadest", width: 1640 },
] as const;
/** Land outlines are large, and a wider map would be taller than a screen. */
const BROAD_MAP = [{ className: "chart-broad chart-broadest", width: 1140 }] as const;

/**
 * A chart for pages without JavaScript: drawn at three widths, or at five where it may be wide, one of which is shown.
 * A table below contains its values.
 */
export function Chart({ spec, columns, rows, notes = [], land, isBroad }: ChartProps & { isBroad?: true }) {
  const drawing = drawChart(spec, columns, rows, STILL_WIDTHS[0].width, land);
  if ("problem" in drawing) return <p className="chart-problem">{drawing.problem}</p>;
  return (
    <figure className="chart">
      <ChartLegends drawing={drawing} label={spec.series} kind={spec.kind} />
      <StillDrawings spec={spec} columns={columns} rows={rows} fit="fluid" land={land} isBroad={isBroad} />
      <ChartNotes notes={[...notes, ...drawing.notes]} />
      <ChartTable spec={spec} columns={columns} rows={rows} name={drawing.name} />
    </figure>
  );
}

interface StillProps extends ChartProps {
  fit: "fluid" | "boxed";
  isBroad?: true | undefined;
}

/** The same chart at each width. */
export function StillDrawings({ spec, columns, rows, land, fit, isBroad }: StillProps) {
  const broad = spec.kind === "map" ? BROAD_MAP : BROAD_WIDTHS;
  return [...STILL_WIDTHS, ...(isBroad ? broad : [])].map(({ width, className }) => {
    const drawing = drawChart(spec, columns, rows, width, land);
    return "name" in drawing && <ChartSvg key={className} drawing={drawing} className={className} titles fit={fit} />;
  });
}

/** What a chart leaves out, as notes. */
export function ChartNotes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return <p className="chart-note">{notes.join(" ")}</p>;
}
