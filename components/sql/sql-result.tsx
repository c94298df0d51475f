"use client";

import { useEffect, useMemo, useState } from "react";
import { isChartKind } from "@/components/chart/chart-spec";
import { LiveChart } from "@/components/chart/live-chart";
import type { ChartCaption } from "@/components/chart/save-chart";
import { suggestChart } from "@/components/chart/suggest-chart";
import { readRow } from "@/components/explorer/answer/reply-text";
import { ChartChoices } from "@/components/explorer/chart/chart-choices";
import { CellBar } from "@/components/explorer/grid/cell-bar";
import type { GridColumn } from "@/components/explorer/grid/grid-columns";
import type { Place } from "@/components/explorer/grid/grid-keys";
import type { HeadActions } from "@/components/explorer/grid/head-actions";
import { ResultGrid } from "@/components/explorer/grid/result-grid";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { formatCount, formatPlural } from "@/lib/kernel/format";
import { type ViewChart, WHOLE_TABLE } from "@/lib/view/view";
import type { ResultColumn, SqlTable } from "./messages";
import type { ShownResult } from "./use-sql";

/** Rows that are drawn at most. */
const DRAWN_MAX = 5_000;

/** A result's rows: its order is the query's own. */
const NO_ACTIONS: HeadActions = {
  order: [],
  filters: [],
  isNarrowed: false,
  tableRows: 0,
  matched: undefined,
  sortUrl: () => "",
  onSort: () => undefined,
  onFilter: () => undefined,
  onCard: () => undefined,
  hasCard: () => false,
  canSort: () => false,
};

type Shown = ShownResult<SqlTable>;

/** Floats have more digits than were measured; the bar of a cell shows all of them. */
const withDigits = ({ name, type }: ResultColumn): GridColumn => ({
  name,
  type,
  isComputed: columnTypeOf({ type }).number?.isFloat === true,
});

interface Props {
  result: Shown;
  /** What a saved chart says about itself. */
  caption: ChartCaption;
  onMore: () => void;
}

/** The rows of a result, as a grid or as a chart. */
export function SqlResult({ result, caption, onMore }: Props) {
  const [isChart, setChart] = useState(false);
  const [active, setActive] = useState<Place>();
  const columns = useMemo(() => result.columns.map(withDigits), [result.columns]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place was in the result before.
  useEffect(() => setActive(undefined), [result.sql, result.columns]);
  return (
    <section aria-label="Result" className="space-y-3">
      <fieldset className="sql-views flex gap-1">
        <legend className="sr-only">Shown as</legend>
        {(["Rows", "Chart"] as const).map((label) => (
          <button
            key={label}
            type="button"
            className="button button-small"
            aria-pressed={isChart === (label === "Chart")}
            onClick={() => setChart(label === "Chart")}
          >
            {label}
          </button>
        ))}
      </fieldset>
      {isChart ? (
        <ResultChart result={result} caption={caption} onMore={onMore} />
      ) : (
        <div>
          <ResultGrid
            label="Rows of the result"
            columns={columns}
            rows={result.rowTexts}
            before={0}
            total={result.rows}
            of={result.sql}
            isStale={false}
            active={active}
            onActive={setActive}
            onNearEnd={onMore}
            actions={NO_ACTIONS}
            empty={<p className="grid-empty">The query found no rows.</p>}
          />
          <ActiveCell result={result} active={active} />
        </div>
      )}
    </section>
  );
}

function ActiveCell({ result, active }: { result: Shown; active: Place | undefined }) {
  const column = active && result.columns[active.column];
  const text = active && result.rowTexts[active.row];
  if (!column || text === undefined)
    return <p className="cell-bar text-faint">Select a cell to read or copy its full value.</p>;
  return (
    <div className="cell-bar">
      <CellBar
        column={column}
        row={active.row + 1}
        value={readRow(text)[column.name]}
        fits={() => false}
        operators={[]}
      />
    </div>
  );
}

function ResultChart({ result, caption, onMore }: Props) {
  const [chosen, setChosen] = useState<{ of: Shown["columns"]; chart: ViewChart }>();
  const { columns, rowTexts, rows: total } = result;
  const wanted = Math.min(DRAWN_MAX, total);
  useEffect(() => {
    if (rowTexts.length < wanted) onMore();
  }, [rowTexts.length, wanted, onMore]);
  const rows = useMemo(() => rowTexts.slice(0, DRAWN_MAX).map(readRow), [rowTexts]);
  const suggested = useMemo(
    () => suggestChart(columns, { groups: groupsIn(columns, rows), orders: [] }, rows.slice(0, 200)),
    [columns, rows],
  );
  const chart = chosen?.of === columns ? chosen.chart : suggested;
  if (!chart || !isChartKind(chart.kind))
    return (
      <p className="py-8 text-center text-muted text-sm">There is nothing to plot: no column of numbers varies.</p>
    );
  const spec = { ...chart, kind: chart.kind };
  const isPart = rows.length < total;
  return (
    <>
      <ChartChoices
        spec={spec}
        view={{ ...WHOLE_TABLE, limit: total }}
        columns={columns}
        onChart={(next) => setChosen({ of: columns, chart: next })}
      />
      <LiveChart
        spec={spec}
        columns={columns}
        rows={rows}
        extent={
          isPart
            ? `The first ${formatCount(rows.length)} of ${formatPlural(total, "row")}`
            : `All ${formatPlural(total, "row")}`
        }
        notes={[]}
        caption={caption}
      />
    </>
  );
}

/** The first column, if no two rows have the same value in it: those are groups with their results. */
function groupsIn(columns: Shown["columns"], rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  const [first] = columns;
  if (!first) return [];
  return new Set(rows.map((row) => String(row[first.name]))).size === rows.length ? [first.name] : [];
}
