/** The room of a chart whose data are not known yet; a map is higher. */
export function ChartWaits({ isMap }: { isMap: boolean }) {
  return <p className={`chart-waits needs-script ${isMap ? "chart-waits-map" : ""}`}>Drawing…</p>;
}
