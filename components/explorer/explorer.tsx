"use client";

import dynamic from "next/dynamic";
import { EmbedCode } from "@/components/embed/embed-code";
import { AddressFaults } from "./address-faults";
import { DownloadPage } from "./download-page";
import { viewSentence } from "./english";
import { ExplorerAnswer } from "./explorer-answer";
import { ExplorerGrid } from "./explorer-grid";
import { ExplorerToolbar } from "./explorer-toolbar";
import { FilterChips } from "./filter-chips";
import { UseCode } from "./use-code";
import { type ExplorerProps, type ExplorerState, useExplorer } from "./use-explorer";
import { viewSearch } from "./view-address";
import { rowsOfGroup } from "./view-changes";

const ExplorerEditor = dynamic(() => import("./explorer-editor").then((module) => module.ExplorerEditor));
const ChartPanel = dynamic(() => import("./chart-panel").then((module) => module.ChartPanel), {
  loading: () => <p className="chart-waits">Drawing…</p>,
});

/** The explorer of one table: the address says what is looked at, the public query API answers it. */
export function Explorer(props: ExplorerProps) {
  const state = useExplorer(props);
  const { view, columns, table, tiers, editor, setEditor, hasKey, change, takeKey } = state;
  return (
    <div className="explorer">
      <AddressFaults faults={state.faults} onDrop={() => state.show(view, "replace")} />
      <ExplorerToolbar
        view={view}
        columns={columns}
        open={editor?.name}
        hasKey={hasKey}
        onOpen={(name) => setEditor(name === undefined ? undefined : { name })}
        onView={change}
      >
        <EmbedCode path={`${table.path}${viewSearch(view)}`} title={viewSentence(view, columns, table.name)} />
        <DownloadPage
          route={state.route}
          body={state.fileBody}
          name={table.fileName}
          rowsMax={state.rowsMax}
          isGrouped={state.isGrouped}
          onProblem={state.setFileProblem}
        />
      </ExplorerToolbar>
      {editor && (
        <ExplorerEditor
          key={`${editor.name}:${editor.column ?? ""}`}
          editor={editor}
          view={view}
          columns={columns}
          tiers={tiers}
          hasKey={hasKey}
          onView={change}
          onKey={takeKey}
          onClose={() => setEditor(undefined)}
        />
      )}
      <FilterChips
        view={view}
        columns={columns}
        urlOf={(next) => `${table.path}${viewSearch(next)}`}
        onShow={change}
        onEdit={() => setEditor({ name: "filter" })}
      />
      <p className="explorer-sentence">{viewSentence(view, columns, table.name)}</p>
      {view.chart && <ExplorerChart state={state} />}
      <ExplorerGrid state={state} />
      <ExplorerAnswer state={state} />
      <UseCode table={table} view={view} columns={columns} anonymousRows={tiers.anonymousRows} />
    </div>
  );
}

function ExplorerChart({ state: { view, shown, answer, show, change, columns, table } }: { state: ExplorerState }) {
  const { facts } = answer;
  const version = facts ? [`Version ${facts.versionId}, ${facts.digest}`] : [];
  const caption = {
    title: viewSentence(view, columns, table.name),
    source: [table.source, ...version],
    path: table.versionsUrl,
    fileName: table.fileName,
  };
  return (
    <section aria-label="Chart" className="explorer-chart">
      <ChartPanel
        view={view}
        columns={shown}
        rows={answer.rows}
        isPartial={answer.next !== null || answer.facts?.truncated === true}
        onChart={(chart) => show({ ...view, chart }, "replace")}
        onGroup={(group) => change(rowsOfGroup(view, group))}
        caption={caption}
      />
    </section>
  );
}
