import { pointShape } from "./chart-svg";

/** The colours and shapes of the series; nothing if there is only one. */
export function ChartLegend({ names, label, kind }: { names: readonly string[]; label: string; kind: string }) {
  if (names.length === 0) return null;
  return (
    <ul aria-label={`Colours of ${label}`} className="chart-legend">
      {names.map((name, at) => (
        <li key={name} className={`series-${at + 1}`}>
          <svg aria-hidden="true" width="20" height="12" viewBox="0 0 20 12">
            {kind === "line" && <path className={`chart-line series-${at + 1}`} d="M0 6H20" />}
            {kind === "bar" && <rect className="chart-bar" x="4" y="0" width="12" height="12" />}
            {kind === "scatter" && (
              <path className="chart-point" d={pointShape(at, names.length)} transform="translate(10 6)" />
            )}
          </svg>
          <span>{name || "empty string"}</span>
        </li>
      ))}
    </ul>
  );
}
