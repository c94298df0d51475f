"use client";

import dynamic from "next/dynamic";
import { lazy, type ReactNode, Suspense } from "react";
import { placesOf } from "@/components/chart/places";
import { EmbedCode } from "@/components/embed/embed-code";
import { orNotLoaded } from "@/components/ui/not-loaded";
import { Notice } from "@/components/ui/notice";
import { formatCount } from "@/lib/kernel/format";
import type { View } from "@/lib/view/view";
import { type AddressFault, viewSearch } from "@/lib/view/view-address";
import { AnswerNotes } from "./answer/answer-notes";
import { DownloadPage } from "./answer/download-page";
import { partText } from "./answer/extent-text";
import { ProblemNotice } from "./answer/problem-notice";
import { RESULTS_ID } from "./answer/results-focus";
import type { ChartText } from "./chart/chart-text";
import { ExplorerAnswer } from "./explorer-answer";
import { ExplorerGrid, totalOf } from "./explorer-grid";
import type { PublishedTable } from "./explorer-table";
import { ExplorerToolbar } from "./explorer-toolbar";
import { FilterChips } from "./filters/filter-chips";
import { RejectedView } from "./rejected-view";
import { ShareView } from "./share-view";
import { UseCode } from "./use-code";
import { type ExplorerProps, type ExplorerState, useExplorer } from "./use-explorer";
import { VersionMenu } from "./version-menu";
import { frameTitle, viewSentence } from "./view/english";
import { fromStart } from "./view/view-changes";

const ExplorerEditor = dynamic(() => orNotLoaded(import("./explorer-editor").then((module) => module.ExplorerEditor)));

/** The explorer of one table: the URL holds the view, and the public query API answers it. */
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
        takesKey={table.published !== undefined}
        onOpen={(name) => setEditor(name === undefined ? undefined : { name })}
        onView={change}
      >
        {table.published && <PublishedTools state={state} published={table.published} />}
      </ExplorerToolbar>
      {editor && (
        <ExplorerEditor
          key={`${editor.name}:${editor.column ?? ""}`}
          editor={editor}
          view={view}
          columns={columns}
          tiers={tiers}
          hasKey={hasKey}
          lookupSources={
            table.published && {
              dataset: table.published.dataset,
              siblings: table.published.siblings,
              workspaceId: state.workspaceId,
            }
          }
          onView={change}
          onLoad={(next) => window.location.assign(`${table.path}${viewSearch(next)}`)}
          onKey={takeKey}
          checkKey={state.checkKey}
          onClose={() => setEditor(undefined)}
        />
      )}
      <FilterChips
        view={view}
        columns={columns}
        urlOf={(next) => `${table.path}${viewSearch(fromStart(next, view))}`}
        onShow={change}
        onEdit={() => setEditor({ name: "filter" })}
        matches={matchesText(state)}
      />
      <LimitNotice state={state} />
      {state.actionProblem && (
        <ProblemNotice problem={state.actionProblem} onDismiss={() => state.setActionProblem(undefined)} />
      )}
      <Results state={state} firstChart={props.firstChart} still={props.still} room={props.room} />
      <ExplorerAnswer state={state} />
      {table.published && (
        <UseCode
          table={table.published}
          path={table.path}
          owner={table.owner}
          view={view}
          columns={columns}
          anonymousRows={tiers.anonymousRows}
        />
      )}
    </div>
  );
}

/** What can be done with the view of a version besides looking at it. */
function PublishedTools({ state, published }: { state: ExplorerState; published: PublishedTable }) {
  const { view, columns, table } = state;
  const { versions, explored, versionsUrl, formats, rowFiles, tooLarge } = published;
  return (
    <>
      <VersionMenu versions={versions} explored={explored} view={view} path={table.path} versionsUrl={versionsUrl} />
      <ShareView tableId={table.id} view={view} owner={table.owner?.name} isSignedIn={state.isSignedIn} />
      {!table.owner && (
        <EmbedCode
          key={`${view.title ?? ""} ${view.note ?? ""}`}
          path={`${table.path}${viewSearch({ ...view, firstRow: undefined })}`}
          title={frameTitle(view, columns, table.name)}
          words={{ title: view.title ?? "", note: view.note ?? "" }}
          disabled={!state.present}
        />
      )}
      <DownloadPage
        formats={formats}
        route={state.route}
        body={state.fileBody}
        name={table.fileName}
        rowsMax={state.isGrouped ? Math.min(state.asked.limit ?? state.rowsMax, state.rowsMax) : state.rowsMax}
        before={(view.firstRow ?? 1) - 1}
        total={state.present && (state.isGrouped ? state.present.facts.total : totalOf(state.present, table.rows))}
        all={{ formats: rowFiles, urlOf: state.rowsUrl, signInUrl: signInUrl(table.path, view) }}
        isGrouped={state.isGrouped}
        hasCoordinates={placesOf(state.present?.columns ?? []) !== undefined}
        whole={tooLarge === undefined ? { url: `${table.path}/download` } : { tooLarge }}
        missing={state.present ? undefined : state.answer.phase === "failed" ? "failed" : "waiting"}
        onProblem={state.setActionProblem}
      />
    </>
  );
}

const signInUrl = (path: string, view: View): string =>
  `/sign-in?${new URLSearchParams({ callbackUrl: `${path}${viewSearch(view)}` })}`;

/** `74,058 of 3,000,000 rows match`; undefined for grouped views, whose groups are counted instead. */
function matchesText({ present, isGrouped, loaded, table }: ExplorerState): string | undefined {
  const total = isGrouped ? undefined : (present?.facts.total ?? (loaded?.isPartial ? undefined : loaded?.total));
  if (total === undefined) return undefined;
  return `${formatCount(total)} of ${formatCount(table.rows)} rows match`;
}

/** Says that a link requests more groups than a visitor can have. */
function LimitNotice({ state: { view, asked, setEditor } }: { state: ExplorerState }) {
  if (view === asked || view.limit === undefined || asked.limit === undefined) return null;
  return (
    <div className="my-3">
      <Notice tone="info" title={`Showing up to ${formatCount(asked.limit)} groups`}>
        <p>
          This link asks for {formatCount(view.limit)} groups. To see more than {formatCount(asked.limit)}, sign in or
          use an API key.
        </p>
        <p className="mt-2 flex flex-wrap gap-2">
          <a href="/sign-in" className="button button-small">
            Sign in
          </a>
          <button type="button" className="button button-small needs-script" onClick={() => setEditor({ name: "key" })}>
            Use an API key
          </button>
        </p>
      </Notice>
    </div>
  );
}

type ResultsProps = Pick<ExplorerProps, "firstChart" | "still" | "room"> & { state: ExplorerState };

/** The title, chart and rows of an answer; or, where the query was rejected, why. */
function Results({ state, firstChart, still, room }: ResultsProps) {
  const { answer, asked, columns, table, loaded, isGrouped, present, change } = state;
  const isRejected = answer.phase === "failed" && !answer.isPresent && answer.problem !== undefined;
  const part = isGrouped ? ((loaded && partText(loaded)) ?? "") : undefined;
  const sentence = viewSentence(asked, columns, table.name, part);
  return (
    <div id={RESULTS_ID} tabIndex={-1} className="explorer-results">
      {isRejected ? (
        <RejectedView state={state} sentence={sentence} />
      ) : (
        <>
          <p className="explorer-sentence">{sentence}</p>
          <AnswerNotes notes={present?.facts.notes ?? []} view={asked} onView={change} />
          <ExplorerChart state={state} first={firstChart} still={still} room={room} />
          <ExplorerGrid state={state} />
        </>
      )}
    </div>
  );
}

const TEXT_MAX = 200;

/** What of the address could not be shown, each part with its reason. */
function AddressFaults({ faults, onDrop }: { faults: readonly AddressFault[]; onDrop: () => void }) {
  if (faults.length === 0) return null;
  return (
    <div className="mb-4">
      <Notice
        tone="warning"
        title={faults.length === 1 ? "Part of this link was ignored" : "Parts of this link were ignored"}
      >
        <ul className="mt-1 list-disc pl-5">
          {faults.map(({ parameter, text, message }) => (
            <li key={`${parameter}:${text}`}>
              <code className="wrap-anywhere">
                {parameter}={text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text}
              </code>
              : {message}
            </li>
          ))}
        </ul>
        <button type="button" className="button button-small needs-script mt-2" onClick={onDrop}>
          Remove {faults.length === 1 ? "it" : "them"} from the link
        </button>
      </Notice>
    </div>
  );
}

const ChartPanel = lazy(async () => ({
  default: await orNotLoaded(import("./chart-panel").then((module) => module.ChartPanel)),
}));

interface Props {
  state: ExplorerState;
  /** The chart of the page's first view, where the server has made it. */
  first: ChartText | undefined;
  /** The same chart, drawn by the server for browsers without JavaScript. */
  still: ReactNode;
  /** Its room, until the code that draws it has loaded. */
  room: ReactNode;
}

/** The chart of the view, which has its own queries. */
function ExplorerChart({ state, first, still, room }: Props) {
  const { chart } = state.view;
  if (!chart) return null;
  const waits = room ?? <ChartWaits isMap={chart.kind === "map"} />;
  return (
    <section aria-label="Chart" className="explorer-chart">
      <noscript>{still}</noscript>
      <Suspense fallback={waits}>
        <ChartPanel state={state} first={first} waits={waits} />
      </Suspense>
    </section>
  );
}

/** The room of a chart whose data are not known yet; a map is higher. */
const ChartWaits = ({ isMap }: { isMap: boolean }) => (
  <p className={`chart-waits needs-script ${isMap ? "chart-waits-map" : ""}`}>Drawing…</p>
);
