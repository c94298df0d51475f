"use client";

import { colourOf } from "./chart-svg";
import type { Drawing, Mark } from "./drawing";
import { marksBeside } from "./find-mark";

/** The exact values at the pointer, next to it, and a marker in the picture. */
export function ChartTip({ drawing, at }: { drawing: Drawing; at: number }) {
  const mark = drawing.marks[at];
  if (!mark) return null;
  const isRight = anchorX(mark) > drawing.width / 2;
  const place = isRight ? { right: drawing.width - anchorX(mark) + 12 } : { left: anchorX(mark) + 12 };
  const beside = marksBeside(drawing, at);
  return (
    <div
      aria-hidden="true"
      className="chart-tip"
      style={{ ...place, top: Math.max(0, Math.min(mark.y, drawing.height - 24 * (beside.length + 2))) }}
    >
      <b>{mark.facts[0]?.value}</b>
      {beside.length > 1 ? (
        beside.map((other) => <SeriesLine key={other.series} mark={other} label={drawing.legend[other.series] ?? ""} />)
      ) : (
        <FactLines mark={mark} />
      )}
    </div>
  );
}

const anchorX = (mark: Mark): number => mark.x + mark.width / 2;

function SeriesLine({ mark, label }: { mark: Mark; label: string }) {
  return (
    <span className={`chart-tip-line series-${mark.series + 1}`}>
      <svg aria-hidden="true" width="8" height="8" viewBox="0 0 8 8">
        <rect className="chart-bar" width="8" height="8" rx="2" />
      </svg>
      <span>{label}</span>
      <i>{mark.facts[1]?.value}</i>
    </span>
  );
}

const FactLines = ({ mark }: { mark: Mark }) =>
  mark.facts.slice(1).map(({ name, value }) => (
    <span key={name} className="chart-tip-line">
      <span>{name}</span>
      <i>{value}</i>
    </span>
  ));

/** Marks in the chart what the tooltip describes. */
export function MarkSign({ drawing: { marks, plot }, at }: { drawing: Drawing; at: number }) {
  const mark = marks[at];
  if (!mark) return null;
  if (mark.shape === "bar" || mark.shape === "cell") return <rect className="chart-lit" {...mark.hit} />;
  return (
    <g {...colourOf(mark)}>
      {mark.shape === "vertex" && (
        <path className="chart-rule" d={`M${mark.x} ${plot.top}V${plot.top + plot.height}`} />
      )}
      <circle
        className="chart-ring"
        cx={mark.x}
        cy={mark.y}
        r={mark.shape === "vertex" ? 4.5 : Math.max(6, mark.radius ?? 0)}
      />
    </g>
  );
}
