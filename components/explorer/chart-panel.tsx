"use client";

import { useMemo } from "react";
import { CHART_KINDS, type ChartKind, type ChartRow, type ChartSpec, isChartKind } from "@/components/chart/chart-spec";
import { LiveChart } from "@/components/chart/live-chart";
import { measureOf } from "@/components/chart/measure";
import type { ChartCaption } from "@/components/chart/save-chart";
import { suggestChart } from "@/components/chart/suggest-chart";
import { type Extent, extentTitle } from "./answer/extent-text";
import { readRow } from "./answer/reply-text";
import { AUTOMATIC } from "./automatic-chart";
import type { GridColumn } from "./grid/grid-columns";
import { groupAliases, type View, type ViewChart } from "./view/view";

interface Props {
  view: View;
  columns: readonly GridColumn[];
  /** The rows that are drawn. */
  rows: readonly string[];
  /** How much of the result they are. */
  extent: Extent;
  /** Whether they answer the current query; only then can the chart be saved. */
  isPresent: boolean;
  onChart: (chart: ViewChart) => void;
  /** Shows the rows that a drawn group was counted from; undefined where no filters can select them. */
  onGroup: ((row: ChartRow) => void) | undefined;
  /** The caption of the chart in a file. */
  caption: ChartCaption;
}

const NO_RESULT = "These groups have no number to draw: add a result to them, such as a count.";
const NO_NUMBERS = "This result has nothing to draw: group it by a column, or show a column of numbers.";

/** The result as a chart: as the address says, or in the most suitable way. Each part can be chosen. */
export function ChartPanel({ view, columns, rows, extent, isPresent, onChart, onGroup, caption }: Props) {
  const drawn = useMemo(() => rows.map(readRow), [rows]);
  const shape = { groups: groupAliases(view), orders: view.sort.map((key) => key.column) };
  const wanted =
    view.chart && view.chart.kind !== AUTOMATIC && isChartKind(view.chart.kind) ? (view.chart as ChartSpec) : undefined;
  const spec = wanted ?? suggestChart(columns, shape, drawn);
  if (!spec)
    return <p className="py-8 text-center text-muted text-sm">{view.group.length > 0 ? NO_RESULT : NO_NUMBERS}</p>;
  const advice = extent.isPartial && extent.noun === "row" ? "Group the rows to chart all of them." : undefined;
  return (
    <>
      <ChartChoices spec={spec} columns={columns} onChart={onChart} />
      <LiveChart
        spec={spec}
        columns={columns}
        rows={drawn}
        extent={extentTitle(extent)}
        advice={advice}
        caption={isPresent ? caption : undefined}
        onSelect={onGroup}
      />
    </>
  );
}

function ChartChoices({
  spec,
  columns,
  onChart,
}: {
  spec: ChartSpec;
  columns: readonly GridColumn[];
  onChart: (chart: ViewChart) => void;
}) {
  const numbers = columns.filter(({ type }) => measureOf(type) === "number");
  const xs = spec.kind === "bar" ? columns : columns.filter(({ type }) => measureOf(type) !== "category");
  const choose = (change: Partial<ChartSpec>) => onChart(sound({ ...spec, ...change }, columns));
  return (
    <div className="chart-choices">
      <Choice
        label="Chart"
        value={spec.kind}
        options={CHART_KINDS}
        onChoose={(kind) => choose({ kind: kind as ChartKind })}
      />
      <Choice
        label={spec.kind === "histogram" ? "Of" : "X axis"}
        value={spec.x}
        options={xs.map(({ name }) => name)}
        onChoose={(x) => choose({ x })}
      />
      <Choice
        label={spec.kind === "histogram" ? "Sum of" : "Y axis"}
        value={spec.y}
        options={[...(spec.kind === "histogram" ? [""] : []), ...numbers.map(({ name }) => name)]}
        empty="rows"
        onChoose={(y) => choose({ y })}
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
    </div>
  );
}

/** A chart type that the chosen columns do not suit picks others that do. */
function sound(spec: ChartSpec, columns: readonly GridColumn[]): ViewChart {
  const numbers = columns.filter(({ type }) => measureOf(type) === "number").map(({ name }) => name);
  const placed = columns.filter(({ type }) => measureOf(type) !== "category").map(({ name }) => name);
  const x = spec.kind === "bar" || placed.includes(spec.x) ? spec.x : (placed[0] ?? spec.x);
  if (spec.kind === "histogram")
    return { kind: spec.kind, x, y: numbers.includes(spec.y) && spec.y !== x ? spec.y : "" };
  const y = numbers.includes(spec.y) ? spec.y : (numbers.find((name) => name !== x) ?? numbers[0] ?? "");
  return { kind: spec.kind, x, y, ...(spec.series !== undefined && spec.series !== x && { series: spec.series }) };
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly string[];
  /** The label of the empty option. */
  empty?: string;
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
