import { Chart } from "@/components/chart/chart";
import type { Land } from "@/components/chart/land";
import type { ChartData } from "@/components/explorer/chart/chart-question";

/** The chart of a view for browsers without script. */
export function StillChart({ data: { spec, columns, rows, extent, notes }, land, title, note }: Props) {
  return (
    <>
      <p className="chart-heading">
        {title && <b>{title} </b>}
        {extent}
      </p>
      <Chart spec={spec} columns={columns} rows={rows} land={land} notes={[...notes, ...(note ? [note] : [])]} />
    </>
  );
}

interface Props {
  data: ChartData;
  land: Land | undefined;
  title: string | undefined;
  note: string | undefined;
}
