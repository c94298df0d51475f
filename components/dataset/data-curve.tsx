import { scaleLinear, scaleUtc } from "d3-scale";
import { line } from "d3-shape";
import Link from "next/link";
import { unitText } from "@/components/values/unit-text";
import { formatMeasure, formatPlural } from "@/lib/kernel/format";

export interface CurvePoint {
  at: Date;
  value: number;
}

interface Props {
  title: string;
  slug: string;
  /** The column drawn, and its unit. */
  measure: string;
  unit: string | null;
  points: readonly CurvePoint[];
}

const [WIDTH, HEIGHT] = [440, 300];
const MARGIN = { top: 16, right: 18, bottom: 24, left: 40 };

/** A table's measure over time, from every row, as an overview of the dataset. */
export function DataCurve({ title, slug, measure, unit, points }: Props) {
  const { path, last, years, levels } = drawCurve(points);
  return (
    <figure className="self-center">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="w-full"
        role="img"
        aria-label={`${measure}${unit ? ` in ${unitText(unit)}` : ""}: ${spanOf(points)}`}
      >
        {levels.map(({ y, label }) => (
          <g key={label}>
            <line x1={MARGIN.left} x2={WIDTH - MARGIN.right} y1={y} y2={y} stroke="var(--line)" />
            <text x={MARGIN.left - 8} y={y + 4} textAnchor="end" className="fill-faint text-[11px] tabular-nums">
              {label}
            </text>
          </g>
        ))}
        {years.map(({ x, label }) => (
          <text key={label} x={x} y={HEIGHT - 4} textAnchor="middle" className="fill-faint text-[11px] tabular-nums">
            {label}
          </text>
        ))}
        <path d={path} fill="none" stroke="var(--accent)" strokeWidth={1.5} strokeLinejoin="round" />
        <circle cx={last.x} cy={last.y} r={3.5} fill="var(--accent)" />
        <text
          x={last.x - 10}
          y={last.y + 4}
          textAnchor="end"
          className="fill-ink font-semibold text-[13px] tabular-nums"
        >
          {formatMeasure(points.at(-1)?.value ?? 0)}
          {unit && ` ${unitText(unit)}`}
        </text>
      </svg>
      <figcaption className="mt-2 text-muted text-xs">
        <Link href={`/datasets/${slug}`} prefetch={false} className="link">
          {title}
        </Link>
        : {measure}
        {unit && ` in ${unit}`}, all {formatPlural(points.length, "row")}
      </figcaption>
    </figure>
  );
}

function drawCurve(points: readonly CurvePoint[]) {
  const times = points.map(({ at }) => at.getTime());
  const values = points.map(({ value }) => value);
  const x = scaleUtc([Math.min(...times), Math.max(...times)], [MARGIN.left, WIDTH - MARGIN.right]);
  const y = scaleLinear([Math.min(...values), Math.max(...values)], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(4);
  const place = ({ at, value }: CurvePoint) => ({ x: round(x(at)), y: round(y(value)) });
  const path =
    line<CurvePoint>(
      (point) => place(point).x,
      (point) => place(point).y,
    ).digits(1)([...points]) ?? "";
  const format = x.tickFormat(5);
  return {
    path,
    last: place(points.at(-1) ?? { at: new Date(0), value: 0 }),
    years: x.ticks(5).map((tick) => ({ x: round(x(tick)), label: format(tick) })),
    levels: y.ticks(4).map((tick) => ({ y: round(y(tick)), label: formatMeasure(tick) })),
  };
}

function spanOf(points: readonly CurvePoint[]): string {
  const [first, last] = [points[0], points.at(-1)];
  const said = (point: CurvePoint | undefined) =>
    point ? `${formatMeasure(point.value)} on ${point.at.toISOString().slice(0, 10)}` : "nothing";
  return `from ${said(first)} to ${said(last)}`;
}

const round = (place: number): number => Math.round(place * 10) / 10;
