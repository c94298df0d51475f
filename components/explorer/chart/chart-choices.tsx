"use client";

import { CHART_KINDS, type ChartKind, type ChartSpec } from "@/components/chart/chart-spec";
import { measureOf } from "@/components/chart/measure";
import { placesOf } from "@/components/chart/places";
import { type BucketName, bucketsFor, isBucketName } from "@/lib/engine/types/buckets";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { isSpan } from "@/lib/engine/types/spans";
import { isGroupedView, type View, type ViewChart, type ViewColumn } from "@/lib/view/view";

interface Props {
  spec: ChartSpec;
  view: View;
  /** Of the table, or of a grouped view's result. */
  columns: readonly ViewColumn[];
  onChart: (chart: ViewChart) => void;
}

/** What is drawn, and how. */
export function ChartChoices({ spec, view, columns, onChart }: Props) {
  const numbers = columns.filter(({ type }) => measureOf(type) === "number");
  const isCounted = !isGroupedView(view) && view.limit === undefined;
  const choose = (change: Partial<ChartSpec>) => onChart(sound({ ...spec, ...change }, columns, isCounted));
  const kinds = CHART_KINDS.filter((kind) => kind !== "map" || spec.kind === "map" || placesOf(columns) !== undefined);
  const { x, y, counted } = LABELS[spec.kind];
  const counts = counted !== undefined && (spec.kind === "histogram" || isCounted);
  return (
    <div className="chart-choices needs-script">
      <Choice
        label="Chart"
        value={spec.kind}
        options={kinds}
        onChoose={(kind) => choose({ kind: kind as ChartKind })}
      />
      <Choice
        label={x}
        value={spec.x}
        options={xColumns(spec.kind, columns).map(({ name }) => name)}
        onChoose={(name) => choose({ x: name })}
      />
      <Choice
        label={y}
        value={spec.y}
        options={[...(counts ? [""] : []), ...numbers.map(({ name }) => name)]}
        empty={counted}
        onChoose={(name) => choose({ y: name })}
      />
      {spec.kind !== "histogram" && (
        <Choice
          label="Colour"
          value={spec.series ?? ""}
          options={["", ...columns.map(({ name }) => name)]}
          empty="none"
          onChoose={(series) => choose({ series: series || undefined })}
        />
      )}
      {hasSizes(spec.kind) && numbers.length > 0 && (
        <Choice
          label="Size"
          value={spec.size ?? ""}
          options={["", ...numbers.map(({ name }) => name)]}
          empty="all the same"
          onChoose={(size) => choose({ size: size || undefined })}
        />
      )}
      {isCounted && stepsOf(spec, columns).length > 0 && (
        <Choice
          label="Per"
          value={spec.step ?? ""}
          options={["", ...stepsOf(spec, columns)]}
          empty="automatic"
          onChoose={(step) => choose({ step: isBucketName(step) ? step : undefined })}
        />
      )}
      {hasScale(spec.kind) && (
        <Choice
          label="Scale"
          value={spec.log ? "log" : ""}
          options={["", "log"]}
          empty="linear"
          onChoose={(scale) => choose({ log: scale === "log" || undefined })}
        />
      )}
    </div>
  );
}

/** Labels of each kind's axes; `counted` where rows can be counted instead of using a column. */
const LABELS: Readonly<Record<ChartKind, { x: string; y: string; counted?: string }>> = {
  line: { x: "X axis", y: "Y axis", counted: "number of rows" },
  bar: { x: "X axis", y: "Y axis", counted: "number of rows" },
  histogram: { x: "Column", y: "Sum of", counted: "rows" },
  scatter: { x: "X axis", y: "Y axis" },
  map: { x: "Longitude", y: "Latitude" },
};

/** The time spans that a chart's rows can be counted in; none unless the x axis shows time. */
function stepsOf({ kind, x }: ChartSpec, columns: readonly ViewColumn[]): BucketName[] {
  const column = columns.find(({ name }) => name === x);
  if (!column || (kind !== "line" && kind !== "bar")) return [];
  return bucketsFor(columnTypeOf(column)).filter(
    (bucket): bucket is BucketName => isBucketName(bucket) && isSpan(bucket),
  );
}

const hasSizes = (kind: ChartKind): boolean => kind === "scatter" || kind === "map";
const hasScale = (kind: ChartKind): boolean => kind === "line" || kind === "scatter";

function xColumns(kind: ChartKind, columns: readonly ViewColumn[]): readonly ViewColumn[] {
  if (kind === "bar") return columns;
  return columns.filter(({ type }) => (kind === "map" ? measureOf(type) === "number" : measureOf(type) !== "category"));
}

/** A chart type that the chosen columns do not suit picks others that do. */
function sound(spec: ChartSpec, columns: readonly ViewColumn[], isCounted: boolean): ViewChart {
  const numbers = columns.filter(({ type }) => measureOf(type) === "number").map(({ name }) => name);
  const placed = columns.filter(({ type }) => measureOf(type) !== "category").map(({ name }) => name);
  const x = spec.kind === "bar" || placed.includes(spec.x) ? spec.x : (placed[0] ?? spec.x);
  const places = spec.kind === "map" ? placesOf(columns) : undefined;
  if (places && !isPlaces(spec, columns)) return { ...places, ...looks(spec) };
  if (spec.kind === "histogram")
    return { kind: spec.kind, x, y: numbers.includes(spec.y) && spec.y !== x ? spec.y : "" };
  return {
    kind: spec.kind,
    x,
    y: soundY(spec, x, numbers, isCounted && LABELS[spec.kind].counted !== undefined),
    ...looks(spec),
    ...(spec.step && stepsOf({ ...spec, x }, columns).includes(spec.step) && { step: spec.step }),
    ...(spec.log && hasScale(spec.kind) && { log: true as const }),
  };
}

/** Points may be coloured or sized by what is on an axis; lines and bars are separated by another column. */
const looks = ({ kind, x, series, size }: ChartSpec): Pick<ViewChart, "series" | "size"> => ({
  ...(series !== undefined && (hasSizes(kind) || series !== x) && { series }),
  ...(size !== undefined && hasSizes(kind) && { size }),
});

/** Whether a person has chosen two different numeric columns as the axes of a map. */
const isPlaces = ({ x, y }: ChartSpec, columns: readonly ViewColumn[]): boolean =>
  x !== y && [x, y].every((name) => columns.some((one) => one.name === name && measureOf(one.type) === "number"));

function soundY({ y }: ChartSpec, x: string, numbers: readonly string[], mayCount: boolean): string {
  if (numbers.includes(y) || (mayCount && y === "")) return y;
  return numbers.find((name) => name !== x) ?? numbers[0] ?? "";
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly string[];
  /** The label of the empty option. */
  empty?: string | undefined;
  onChoose: (value: string) => void;
}

function Choice({ label, value, options, empty = "", onChoose }: ChoiceProps) {
  return (
    <label>
      {label}
      <select className="field" value={value} onChange={(event) => onChoose(event.target.value)}>
        {options.map((option) => (
          <option key={option} value={option}>
            {option || empty}
          </option>
        ))}
      </select>
    </label>
  );
}
