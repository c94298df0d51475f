"use client";

import { type ReactNode, useMemo } from "react";
import type { ChartRow } from "@/components/chart/chart-spec";
import { withAxisTitles } from "@/components/chart/chart-text";
import { LiveChart } from "@/components/chart/live-chart";
import type { AxisRange } from "@/components/chart/use-range";
import { isGroupedView, type View, type ViewWords, WORD_NAMES, withoutWords } from "@/lib/view/view";
import { viewSearch } from "@/lib/view/view-address";
import { ProblemNotice } from "./answer/problem-notice";
import { readRow } from "./answer/reply-text";
import { ChartChoices } from "./chart/chart-choices";
import type { ChartData, ChartSubject } from "./chart/chart-question";
import type { ChartText } from "./chart/chart-text";
import { ChartWords } from "./chart/chart-text-editor";
import { axisColumnOf, markFilters, rangeFilter } from "./chart/mark-filters";
import { type DrawnChart, useChart } from "./chart/use-chart";
import { wantedChart } from "./chart/wanted-chart";
import type { ExplorerState } from "./use-explorer";
import { chartSentence } from "./view/english";
import { rowsOfGroup, withFilter, withRange } from "./view/view-changes";

const NO_RESULT = "There are no numbers to plot. Add a result for each group, such as a count.";
const NO_NUMBERS = "There is nothing to plot: no column has values that vary. Group by a column, or show others.";

interface Props {
  state: ExplorerState;
  first: ChartText | undefined;
  /** Shown until there is a chart. */
  waits: ReactNode;
}

/** The view as a chart: the one that the URL specifies, or the most suitable one. Each part can be changed. */
export function ChartPanel({ state, first, waits }: Props) {
  const { view, columns, table, answer, present, shown } = state;
  const subject = useMemo<ChartSubject>(() => ({ view, columns, rows: table.rows }), [view, columns, table.rows]);
  const spec = useMemo(
    () =>
      wantedChart(view, {
        table: subject,
        columns: shown,
        sample: () => (present?.rows ?? []).slice(0, 100).map(readRow),
      }),
    [view, subject, shown, present],
  );
  const chart = useChart(subject, spec, state.chartRoute, first);
  if (!spec && present)
    return <p className="py-8 text-center text-muted text-sm">{isGroupedView(view) ? NO_RESULT : NO_NUMBERS}</p>;
  const { drawn, isPresent, problem } = chart;
  if (!problem && !drawn) return waits;
  return (
    <>
      {spec && (
        <ChartChoices
          spec={spec}
          view={view}
          columns={isGroupedView(view) ? shown : columns}
          onChart={(next) => state.show({ ...view, chart: next }, "replace")}
        />
      )}
      {problem && <ProblemNotice problem={problem} onRetry={chart.retry} onWaited={chart.retry} />}
      {!problem && drawn && (
        <div aria-busy={!isPresent} inert={!isPresent} className="chart-drawn">
          <DrawnPanel state={state} drawn={drawn} isPresent={isPresent && answer.phase !== "failed"} />
        </div>
      )}
      {/* outside the part that waits for an answer, so that typing is not interrupted */}
      {spec && drawn && (
        <ChartWords
          words={wordsOf(view)}
          hasAxes={spec.kind !== "map"}
          onWords={(words) => state.show({ ...view, ...words }, "replace")}
        />
      )}
    </>
  );
}

function DrawnPanel({ state, drawn, isPresent }: { state: ExplorerState; drawn: DrawnChart; isPresent: boolean }) {
  const { table, columns, view, change, present } = state;
  const { data, subject } = drawn;
  const facts = drawn.facts ?? present?.facts;
  const titled = useMemo(() => withAxisTitles(data.columns, data.spec, view), [data, view]);
  const onSelect = (row: ChartRow) => change(viewBehind(view, data, row, state.columns));
  const leads = isPresent && data.rows.some((row) => markFilters(data, row, columns).length > 0);
  return (
    <LiveChart
      spec={data.spec}
      columns={titled}
      rows={data.rows}
      title={view.title}
      extent={data.extent}
      notes={[...data.notes, ...(view.note ? [view.note] : [])]}
      caption={
        isPresent && facts
          ? {
              title: chartSentence(subject.view, columns, table.name),
              source: [table.source, table.published ? `Version ${facts.versionId}, ${facts.digest}` : facts.digest],
              path: `${table.path}${viewSearch({
                ...withoutWords(subject.view),
                version: table.published && facts.versionId,
              })}`,
              fileName: table.fileName,
            }
          : undefined
      }
      onSelect={leads ? onSelect : undefined}
      onRange={rangeOf(state, data)}
    />
  );
}

const wordsOf = (view: View): ViewWords => Object.fromEntries(WORD_NAMES.map((name) => [name, view[name]]));

/** The rows behind a mark: a group's rows, ungrouped, or the same view with fewer rows. */
function viewBehind(view: View, data: ChartData, row: ChartRow, columns: ExplorerState["columns"]): View {
  if (isGroupedView(view)) return rowsOfGroup(view, row, columns);
  return withFilter({ ...view, limit: undefined }, ...markFilters(data, row, columns));
}

/** What selecting a range on the axes does: the same view, filtered to those rows and redrawn. */
function rangeOf({ view, columns, change }: ExplorerState, data: ChartData) {
  const [x, y] = [data.spec.x, data.spec.y].map((name) => axisColumnOf(data, name, columns));
  if (!x || view.limit !== undefined) return undefined;
  const own = [x, ...(y ? [y] : [])];
  const isNarrowed = view.filters.some(({ column }) => own.some(({ name }) => name === column));
  return {
    onChoose: (range: AxisRange) => {
      const inX = range.x ? withRange(view, x.name, [rangeFilter(x, range.x)]) : view;
      change(range.y && y ? withRange(inX, y.name, [rangeFilter(y, range.y)]) : inX);
    },
    onWhole: isNarrowed ? () => change(own.reduce((whole, { name }) => withRange(whole, name, []), view)) : undefined,
  };
}
