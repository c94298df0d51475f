import { pointShape } from "./chart-svg";

/** What the shades of cells stand for, from the lightest. */
export function ShadeLegend({ texts }: { texts: readonly string[] }) {
  if (texts.length < 2) return null;
  return (
    <ul aria-label="Rows in a cell" className="chart-legend">
      {texts.map((text, at) => (
        <li key={text} className="series-1">
          <svg aria-hidden="true" width="20" height="12" viewBox="0 0 20 12">
            <rect className={`chart-cell shade-${shadeOf(at, texts.length)}`} x="4" y="0" width="12" height="12" />
          </svg>
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** If fewer shades are used, the last one is still the darkest. */
export const shadeOf = (at: number, shades: number): number => Math.max(1, at + 1 + (5 - shades));

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
            {(kind === "scatter" || kind === "map") && (
              <path className="chart-point" d={pointShape(at, names.length)} transform="translate(10 6)" />
            )}
          </svg>
          <span>{name || "empty string"}</span>
        </li>
      ))}
    </ul>
  );
}
