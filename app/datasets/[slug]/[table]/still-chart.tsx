import { ChartNotes } from "@/components/chart/chart";
import { ChartLegends } from "@/components/chart/chart-legend";
import { ChartSvg } from "@/components/chart/chart-svg";
import { ChartTable } from "@/components/chart/chart-table";
import { withAxisTitles } from "@/components/chart/chart-text";
import { drawChart } from "@/components/chart/draw-chart";
import type { Land } from "@/components/chart/land";
import type { ChartData } from "@/components/explorer/chart/chart-question";
import type { ViewWords } from "@/lib/view/view";

/**
 * Widths that read well on a phone and on a larger screen. Without JavaScript, the page contains the drawing at both.
 */
const WIDTH = 560;

interface Props {
  data: ChartData;
  land: Land | undefined;
  words: ViewWords;
}

/** The chart of a view for browsers without JavaScript. */
export function StillChart({ data, land, words }: Props) {
  const { spec, rows, extent, notes } = data;
  const { title, note } = words;
  const columns = withAxisTitles(data.columns, spec, words);
  const drawing = drawChart(spec, columns, rows, WIDTH, land);
  if ("problem" in drawing) return <p className="chart-problem">{drawing.problem}</p>;
  return (
    <figure className="chart">
      <figcaption className="chart-heading">
        {title && <b>{title} </b>}
        {extent}
      </figcaption>
      <ChartLegends drawing={drawing} label={spec.series} kind={spec.kind} />
      <ChartSvg drawing={drawing} fit="fluid" className="max-w-[44rem]" />
      <ChartNotes notes={[...notes, ...(note ? [note] : []), ...drawing.notes]} />
      <ChartTable spec={spec} columns={columns} rows={rows} name={drawing.name} />
    </figure>
  );
}
