import { ChartNotes } from "@/components/chart/chart";
import { ChartLegend, ShadeLegend } from "@/components/chart/chart-legend";
import { ChartSvg } from "@/components/chart/chart-svg";
import { ChartTable } from "@/components/chart/chart-table";
import { drawChart } from "@/components/chart/draw-chart";
import type { Land } from "@/components/chart/land";
import type { ChartData } from "@/components/explorer/chart/chart-question";

/**
 * Widths that read well on a phone and on a larger screen. Without JavaScript, the page contains the drawing at both.
 */
const WIDTH = 560;

interface Props {
  data: ChartData;
  land: Land | undefined;
  title: string | undefined;
  note: string | undefined;
}

/** The chart of a view for browsers without JavaScript. */
export function StillChart({ data: { spec, columns, rows, extent, notes }, land, title, note }: Props) {
  const drawing = drawChart(spec, columns, rows, WIDTH, land);
  if ("problem" in drawing) return <p className="chart-problem">{drawing.problem}</p>;
  return (
    <figure className="chart">
      <figcaption className="chart-heading">
        {title && <b>{title} </b>}
        {extent}
      </figcaption>
      <ChartLegend names={drawing.legend} label={spec.series ?? ""} kind={spec.kind} />
      <ShadeLegend texts={drawing.shades ?? []} />
      <ChartSvg drawing={drawing} fit="fluid" className="max-w-[44rem]" />
      <ChartNotes notes={[...notes, ...(note ? [note] : []), ...drawing.notes]} />
      <ChartTable spec={spec} columns={columns} rows={rows} name={drawing.name} />
    </figure>
  );
}
