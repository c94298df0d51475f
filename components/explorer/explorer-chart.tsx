"use client";

import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import type { Answered } from "./answer/answer-state";
import { type Extent, partText } from "./answer/extent-text";
import type { ExplorerState } from "./use-explorer";
import { viewSentence } from "./view/english";
import { leadsToRows } from "./view/group-filters";
import type { View } from "./view/view";
import { rowsOfGroup } from "./view/view-changes";

/** Charts are drawn from at most this many rows, all of the first page: scrolling changes no chart. */
const ROWS_MAX = 2000;

const ChartPanel = dynamic(() => import("./chart-panel").then((module) => module.ChartPanel), {
  loading: () => <p className="chart-waits needs-script">Drawing…</p>,
});

/**
 * The chart of the answer. While another view is loading, the last one remains under its own title, faded and inactive.
 */
export function ExplorerChart({ state, still }: { state: ExplorerState; still: ReactNode }) {
  const { view, answer, present } = state;
  if (!view.chart) return null;
  const { answered } = answer;
  const drawn = present ? view : answered?.view;
  return (
    <section aria-label="Chart" aria-busy={!present} inert={!present} className="explorer-chart">
      <noscript>{still}</noscript>
      {answered && drawn?.chart ? (
        <DrawnChart state={state} answered={answered} view={drawn} />
      ) : (
        <p className="chart-waits needs-script">Loading…</p>
      )}
    </section>
  );
}

function DrawnChart({ state, answered, view }: { state: ExplorerState; answered: Answered; view: View }) {
  const { shown, show, change, columns, table, present, loaded } = state;
  const rows = answered.rows.slice(0, Math.min(answered.firstRows, ROWS_MAX));
  const extent: Extent = {
    shown: rows.length,
    total: loaded?.total,
    isPartial: (loaded?.isPartial ?? true) || rows.length < answered.rows.length,
    noun: view.group.length > 0 ? "group" : "row",
  };
  const { facts } = answered;
  return (
    <ChartPanel
      view={view}
      columns={shown}
      rows={rows}
      extent={extent}
      isPresent={present !== undefined}
      onChart={(chart) => show({ ...state.view, chart }, "replace")}
      onGroup={leadsToRows(view) ? (row) => change(rowsOfGroup(view, row, columns)) : undefined}
      caption={{
        title: viewSentence(answered.view, columns, table.name, partText(extent)),
        source: [table.source, `Version ${facts.versionId}, ${facts.digest}`],
        path: table.versionsUrl,
        fileName: table.fileName,
      }}
    />
  );
}
