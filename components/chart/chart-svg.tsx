import {
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from "d3-shape";
import { factsText } from "./chart-text";
import type { Axis, Drawing, Mark } from "./drawing";

const SHAPES = [
  symbolCircle,
  symbolSquare,
  symbolTriangle,
  symbolDiamond,
  symbolCross,
  symbolStar,
  symbolWye,
  symbolCircle,
];
const POINT_AREA = 38;
/** Above this number of vertices, dots would hide the line. */
const DOTS_MAX = 40;
/** Above this number of marks, they have no individual tooltips without JavaScript. */
const CROWD_MIN = 300;

/** The path of a point of a series around 0,0: each series has a shape as well as a colour. */
export const pointShape = (series: number, kinds: number): string =>
  symbol(kinds > 1 ? SHAPES[series % SHAPES.length] : symbolCircle, POINT_AREA).digits(1)() ?? "";

interface Props {
  drawing: Drawing & { name: string };
  /** Whether marks have the browser's own tooltips, for pages without JavaScript. */
  titles?: boolean;
  /**
   * `own`: the width it was drawn for. `fluid`: scales with the page. `boxed`: the same, at the height it was drawn
   * for.
   */
  fit: "own" | "fluid" | "boxed";
  className?: string;
}

/** The chart's drawing. Its colours are named in a separate legend. */
export function ChartSvg({ drawing, titles, fit, className = "" }: Props) {
  const { width, height, axes, marks, lines, name, plot } = drawing;
  const kinds = drawing.legend.length;
  const dots = lines.length > 0 && marks.length <= DOTS_MAX * Math.max(1, lines.length);
  const isCrowded = marks.length > CROWD_MIN;
  const isCloud = isCrowded && kinds <= 1 && !drawing.sizes && marks[0]?.shape === "point";
  const shapes = isCloud || (lines.length > 0 && !dots && isCrowded) ? [] : marks;
  return (
    <svg
      role="img"
      aria-label={name}
      viewBox={`0 0 ${width} ${height}`}
      width={fit === "own" ? width : "100%"}
      height={fit === "fluid" ? undefined : height}
      className={`chart-svg ${className}`}
    >
      {drawing.map && (
        <>
          <rect className="map-sea" x={plot.left} y={plot.top} width={plot.width} height={plot.height} />
          <path className="map-land" d={drawing.map.land} />
        </>
      )}
      {axes.map((axis) => (
        <AxisMarks key={axis.side} axis={axis} drawing={drawing} />
      ))}
      {drawing.map && <path className="map-borders" d={drawing.map.borders} />}
      {lines.map(({ series, path, partial }) => (
        <g key={series}>
          <path d={path} className={`chart-line series-${series + 1}`} />
          {partial && <path d={partial} className={`chart-partial series-${series + 1}`} />}
        </g>
      ))}
      {isCloud && cloudsOf(marks).map((cloud) => <Cloud key={cloud[0]?.colour ?? ""} marks={cloud} />)}
      {shapes.map((mark, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: marks are always redrawn together.
        <MarkShape key={at} mark={mark} kinds={kinds} dots={dots} titles={titles && !isCrowded} />
      ))}
      {axes.map((axis) => axis.base !== undefined && <BaseLine key={axis.side} axis={axis} drawing={drawing} />)}
    </svg>
  );
}

/** A mark's colour: its series', or its own on a continuous scale. */
export const colourOf = ({ series, colour }: Mark): { className: string } | { color: string } =>
  colour === undefined ? { className: `series-${series + 1}` } : { color: colour };

const shapeOf = ({ series, radius }: Mark, kinds: number): string =>
  radius === undefined
    ? pointShape(series, kinds)
    : (symbol(kinds > 1 ? SHAPES[series % SHAPES.length] : symbolCircle, Math.PI * radius ** 2).digits(1)() ?? "");

/** Points of the same colour, in the order in which they are drawn. */
function cloudsOf(marks: readonly Mark[]): Mark[][] {
  const clouds: Mark[][] = [];
  for (const mark of marks) {
    const last = clouds.at(-1);
    if (last?.[0]?.colour === mark.colour && last?.[0]?.series === mark.series) last?.push(mark);
    else clouds.push([mark]);
  }
  return clouds;
}

function Cloud({ marks: [first, ...more] }: { marks: readonly Mark[] }) {
  if (!first) return null;
  const dots = [first, ...more].map(({ x, y }) => `M${x} ${y}h0`).join("");
  return (
    <g {...colourOf(first)}>
      <path d={dots} className={first.colour === undefined ? "chart-cloud" : "chart-cloud chart-scaled"} />
    </g>
  );
}

function AxisMarks({ axis, drawing: { plot, width, height } }: { axis: Axis; drawing: Drawing }) {
  const isBottom = axis.side === "bottom";
  const [bottom, right] = [plot.top + plot.height, plot.left + plot.width];
  const onTop = isBottom && axis.grid; // the value axis of bars across is named above them
  return (
    <g className="chart-axis">
      {axis.ticks.map(({ at, text }) => (
        <g key={at}>
          {axis.grid &&
            (isBottom ? (
              <path className="chart-grid" d={`M${at} ${plot.top}V${bottom}`} />
            ) : (
              <path className="chart-grid" d={`M${plot.left} ${at}H${right}`} />
            ))}
          {isBottom ? (
            <text x={insideX(at, text, width)} y={bottom + 16} textAnchor="middle">
              {text}
            </text>
          ) : (
            <text x={plot.left - 8} y={at} dy="0.33em" textAnchor="end">
              {text}
            </text>
          )}
        </g>
      ))}
      {isBottom && !axis.grid && <path className="chart-base" d={`M${plot.left} ${bottom}H${right}`} />}
      {axis.title && (
        <text
          className="chart-title"
          x={isBottom && !onTop ? right : onTop ? plot.left : 0}
          y={isBottom && !onTop ? height - 4 : 12}
          textAnchor={isBottom && !onTop ? "end" : "start"}
        >
          {axis.title}
        </text>
      )}
    </g>
  );
}

/** The label of the last tick must stay inside the picture. */
function insideX(at: number, text: string, width: number): number {
  const half = (text.length * 7) / 2;
  return Math.min(Math.max(at, half), width - half);
}

function BaseLine({ axis: { side, base = 0 }, drawing: { plot, axes } }: { axis: Axis; drawing: Drawing }) {
  const isAcross = side === "left" && axes.some((axis) => axis.side === "bottom" && axis.grid);
  return (
    <path
      className="chart-base"
      d={
        isAcross ? `M${base} ${plot.top}V${plot.top + plot.height}` : `M${plot.left} ${base}H${plot.left + plot.width}`
      }
    />
  );
}

function MarkShape({
  mark,
  kinds,
  dots,
  titles,
}: {
  mark: Mark;
  kinds: number;
  dots: boolean;
  titles: boolean | undefined;
}) {
  const { shape, x, y, width, height, value, hit } = mark;
  const title = titles && <title>{factsText(mark.facts)}</title>;
  return (
    <g {...colourOf(mark)}>
      {shape === "bar" && (
        <rect
          className={mark.isPartial ? "chart-bar chart-partial" : "chart-bar"}
          x={x}
          y={y}
          width={width}
          height={height}
        />
      )}
      {shape === "cell" && (
        <rect
          className={`chart-cell shade-${mark.colour ? 5 : (mark.shade ?? 1)}`}
          x={x}
          y={y}
          width={width}
          height={height}
        />
      )}
      {shape === "vertex" && dots && !mark.isPartial && <circle className="chart-dot" cx={x} cy={y} r={2.25} />}
      {shape === "point" && (
        <path className="chart-point" d={shapeOf(mark, kinds)} transform={`translate(${x} ${y})`}>
          {title}
        </path>
      )}
      {value && (
        <text
          className="chart-value"
          x={value.x}
          y={value.y}
          dy={value.inside ? undefined : "0.33em"}
          textAnchor={value.inside ? "middle" : "start"}
        >
          {value.text}
        </text>
      )}
      {titles && shape !== "point" && (
        <rect className="chart-hit" {...hit}>
          {title}
        </rect>
      )}
    </g>
  );
}
