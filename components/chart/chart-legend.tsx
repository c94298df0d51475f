import { pointShape } from "./chart-svg";
import { RAMP_STEPS, rampColour } from "./colour-scale";
import { type ColourLegend, type Drawing, FONT } from "./drawing";

import type { SizeLegend } from "./size-scale";
import { textWidth } from "./text-size";

interface Props {
  drawing: Drawing;
  kind: string;
  /** The column that the colours stand for. */
  label: string | undefined;
}

/** What the colours, shades and sizes of a chart stand for; nothing where they stand for nothing. */
export function ChartLegends({ drawing: { legend, shades = [], colours, sizes }, kind, label = "" }: Props) {
  return (
    <>
      <SeriesLegend names={legend} label={label} kind={kind} />
      <ShadeLegend texts={shades} />
      {(colours || sizes) && (
        <ul className="chart-legend chart-scales">
          {colours && <ColourScaleLegend legend={colours} />}
          {sizes && <SizeScaleLegend legend={sizes} />}
        </ul>
      )}
    </>
  );
}

const RAMP_WIDTH = 220;
const RAMP_EDGE = 14;

/** The colours from the smallest to the largest value, with numbers below. */
function ColourScaleLegend({ legend: { title, ticks } }: { legend: ColourLegend }) {
  const wide = RAMP_WIDTH - 2 * RAMP_EDGE;
  const step = wide / RAMP_STEPS;
  const ends = ticks.length > 0 ? `, ${ticks[0]?.text} to ${ticks.at(-1)?.text}` : "";
  return (
    <li>
      <svg
        role="img"
        aria-label={`Colours of ${title}${ends}`}
        width={RAMP_WIDTH}
        height="36"
        viewBox={`0 0 ${RAMP_WIDTH} 36`}
      >
        <text className="chart-title" x={RAMP_EDGE} y="10">
          {title}
        </text>
        {Array.from({ length: RAMP_STEPS }, (_, at) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a scale never move.
            key={at}
            x={RAMP_EDGE + at * step}
            y="15"
            width={step + 0.5}
            height="8"
            fill={rampColour((at + 0.5) / RAMP_STEPS)}
          />
        ))}
        {ticks.map(({ at, text }) => (
          <text key={at} x={RAMP_EDGE + at * wide} y="34" textAnchor="middle">
            {text}
          </text>
        ))}
      </svg>
    </li>
  );
}

const SIZE_GAP = 8;

/** Circles of the smallest, a middle and the largest value. */
function SizeScaleLegend({ legend: { title, entries } }: { legend: SizeLegend }) {
  const wides = entries.map(({ radius, text }) => 2 * radius + SIZE_GAP / 2 + textWidth(text, FONT) + SIZE_GAP);
  const lefts = wides.map((_, at) => wides.slice(0, at).reduce((sum, wide) => sum + wide, 0));
  const width = Math.ceil(Math.max(textWidth(title, FONT) * 1.1, (lefts.at(-1) ?? 0) + (wides.at(-1) ?? 0)));
  return (
    <li>
      <svg role="img" aria-label={`Sizes of ${title}`} width={width} height="42" viewBox={`0 0 ${width} 42`}>
        <text className="chart-title" x="0" y="10">
          {title}
        </text>
        {entries.map(({ radius, text }, at) => (
          <g key={text} className="series-1">
            <circle className="chart-point" cx={(lefts[at] ?? 0) + radius} cy="28" r={radius} />
            <text x={(lefts[at] ?? 0) + 2 * radius + SIZE_GAP / 2} y="32">
              {text}
            </text>
          </g>
        ))}
      </svg>
    </li>
  );
}

/** What the shades of cells stand for, from the lightest. */
function ShadeLegend({ texts }: { texts: readonly string[] }) {
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
const shadeOf = (at: number, shades: number): number => Math.max(1, at + 1 + (5 - shades));

/** The colours and shapes of the series; nothing if there is only one. */
function SeriesLegend({ names, label, kind }: { names: readonly string[]; label: string; kind: string }) {
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
