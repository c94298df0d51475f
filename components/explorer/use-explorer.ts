"use client";

import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Column } from "@/lib/schemas/column";
import {
  isGroupedView,
  queryText,
  type View,
  type ViewFilter,
  viewQuery,
  WORD_NAMES,
  withoutWords,
} from "@/lib/view/view";
import { fitsAddress } from "@/lib/view/view-address";
import {
  type Answered,
  isNarrowed,
  nextPage,
  receivedAnswer,
  type SentAnswer,
  withinLimit,
} from "./answer/answer-state";
import { askPage, type Route } from "./answer/ask";
import type { Extent } from "./answer/extent-text";
import { type Problem, TOO_LONG } from "./answer/problem";
import { type Answer, useAnswer } from "./answer/use-answer";
import type { ChartText } from "./chart/chart-text";
import type { EditorName } from "./explorer-editor";
import { chartRouteOf, type ExplorerTable, readColumns, routeOf, rowsUrl, type Tiers } from "./explorer-table";
import type { GridColumn } from "./grid/grid-columns";
import type { Place } from "./grid/grid-keys";
import { gridColumns } from "./grid/result-columns";
import { type RowProfile, useRowProfile } from "./grid/use-row-profile";
import { useSession } from "./use-session";
import { useView, type ViewState } from "./view/use-view";
import { fromStart, withFilter } from "./view/view-changes";

export interface ExplorerProps {
  table: ExplorerTable;
  tiers: Tiers;
  /** The columns of the version that is explored, as JSON text with all digits. */
  columnsText: string;
  first: SentAnswer;
  /** The chart of the first view, where the server has made it. */
  firstChart?: ChartText | undefined;
  /** The chart drawn by the server, for browsers without JavaScript. */
  still?: ReactNode;
  /** The room of that chart, until the code that draws it has loaded. */
  room?: ReactNode;
}

/** Everything that the parts of an explorer share. */
export interface ExplorerState extends ViewState {
  table: ExplorerTable;
  tiers: Tiers;
  columns: readonly Column[];
  isGrouped: boolean;
  /** The view as requested: only its first groups if it asks for more than one reply may hold. */
  asked: View;
  answer: Answer;
  /**
   * The answer, if it belongs to the current view: the only source for everything that is titled, saved, copied or
   * acted on.
   */
  present: Answered | undefined;
  /** The last view that was answered. */
  worked: View | undefined;
  /** The columns of the last answer. */
  shown: readonly GridColumn[];
  /** How much of the result is loaded; undefined without an answer to the current view. */
  loaded: Extent | undefined;
  /** Shows another view, as a step that Back undoes; false if it does not fit into a link. */
  change: (view: View) => boolean;
  addFilters: (filters: readonly ViewFilter[]) => void;
  hasKey: boolean;
  isSignedIn: boolean;
  /** The workspace in which a signed-in person reads. */
  workspaceId: string | undefined;
  /** Whether queries count against the reader's own quota, by key or by session. */
  isKeyed: boolean;
  takeKey: (key: string | undefined) => void;
  /** Why the service rejects a key; undefined if it accepts it. */
  checkKey: (key: string) => Promise<Problem | undefined>;
  route: Route;
  chartRoute: Route;
  /** Counts over the rows of the view, where it leaves rows out. */
  matched: RowProfile | undefined;
  /** Maximum number of rows in one reply. */
  rowsMax: number;
  /** The query of a file that is saved. */
  fileBody: string;
  /** The URL of the file of all rows with an extension; undefined for people who are not signed in. */
  rowsUrl: ((extension: string) => string) | undefined;
  /** Why a file could not be saved or a view could not be shown. */
  actionProblem: Problem | undefined;
  setActionProblem: (problem: Problem | undefined) => void;
  editor: OpenEditor | undefined;
  setEditor: (editor: OpenEditor | undefined) => void;
  active: Place | undefined;
  setActive: (place: Place | undefined) => void;
}

/** With a key: the largest page that arrives in well under a second. */
const KEY_PAGE_ROWS = 5000;

export function useExplorer({ table, tiers, columnsText, first: sent }: ExplorerProps): ExplorerState {
  const columns = useMemo(() => readColumns(columnsText), [columnsText]);
  const first = useMemo(() => receivedAnswer(sent, columns), [sent, columns]);
  const viewState = useView(table.path, columns);
  const { view, show } = viewState;
  const [key, setKey] = useState<string>();
  const { session, drop } = useSession(table.owner?.id);
  const isKeyed = key !== undefined || session !== undefined;
  const { editor, setEditor } = useEditor();
  const [active, setActive] = useState<Place>();
  const [actionProblem, setActionProblem] = useState<Problem>();
  const route = useMemo(() => routeOf(table, key, session), [table, key, session]);
  const chartRoute = useMemo(() => chartRouteOf(table, key, session), [table, key, session]);
  const isGrouped = isGroupedView(view);
  const rowsMax = isKeyed ? tiers.keyRows : tiers.anonymousRows;
  const asked = useMemo(() => withinLimit(view, rowsMax), [view, rowsMax]);
  const answer = useAnswer({ view: asked, columns, route, rowsMax: Math.min(rowsMax, KEY_PAGE_ROWS) }, first);
  useRetryWith(route.url + (key ?? ""), answer.retry);
  useEffect(() => {
    if (route.isOwn && answer.problem?.code === "key_missing") drop();
  }, [route, answer.problem, drop]);
  const profileRoute = useMemo(() => routeOf(table, key, session, "profile"), [table, key, session]);
  const matched = useRowProfile(
    answer.isPresent && table.published ? answer.answered : undefined,
    columns,
    profileRoute,
  );
  const worked = useWorked(view, answer.isPresent);
  const { answered } = answer;
  const present = answer.isPresent ? answered : undefined;
  const shown = useMemo(
    () => (answered ? gridColumns(answered.columns, columns, answered.view) : []),
    [answered, columns],
  );
  const change = useCallback(
    (next: View) => {
      const fits = fitsAddress(next);
      setActionProblem(fits ? undefined : TOO_LONG);
      if (!fits) return false;
      setActive(undefined);
      show(withOwnText(fromStart(next, view), view));
      return true;
    },
    [show, view],
  );
  const takeKey = (next: string | undefined) => {
    setKey(next);
    setEditor(undefined);
  };
  return {
    ...viewState,
    table,
    tiers,
    columns,
    isGrouped,
    asked,
    answer,
    present,
    worked,
    shown,
    loaded: present && extentOf(present, table),
    change,
    addFilters: (filters) => change(withFilter(view, ...filters)),
    hasKey: key !== undefined,
    isSignedIn: session !== undefined,
    workspaceId: session?.workspaceId,
    isKeyed,
    takeKey,
    checkKey: (next) => keyProblem(routeOf(table, next), columns),
    route,
    chartRoute,
    matched,
    rowsMax,
    fileBody: queryText(viewQuery(asked, columns, { ...nextPage(asked, 0, rowsMax), total: false, notes: false })),
    rowsUrl:
      session && present && ((extension) => rowsUrl(table, session, allRowsQuery(view, columns, present), extension)),
    actionProblem,
    setActionProblem,
    editor,
    setEditor,
    active,
    setActive,
  };
}

/** The author's words do not fit another view. */
const withOwnText = (next: View, before: View): View =>
  WORD_NAMES.every((name) => next[name] === before[name]) ? withoutWords(next) : next;

/** The query of all rows of a view, of the version that is shown. Without the names of columns if it has all of them. */
function allRowsQuery(view: View, columns: readonly Column[], { facts }: Answered): string {
  const query = viewQuery({ ...view, version: facts.versionId }, columns);
  if (view.columns || view.near || isGroupedView(view)) return queryText(query);
  const { columns: _all, ...rest } = query;
  return queryText(rest);
}

/** Requests one row with a key and returns whether the key itself was rejected. */
async function keyProblem(route: Route, [column]: readonly Column[]): Promise<Problem | undefined> {
  const body = JSON.stringify({ columns: column ? [column.name] : [], limit: 1 });
  const asked = await askPage(route, body, new AbortController().signal);
  return asked?.problem?.code.startsWith("key_") ? asked.problem : undefined;
}

/** Immediately resends a query that failed with another credential, or without one. */
function useRetryWith(key: string | undefined, retry: () => void): void {
  const before = useRef(key);
  useEffect(() => {
    if (before.current !== key) retry();
    before.current = key;
  }, [key, retry]);
}

/** The last view that was answered, to return to from a failed one. */
function useWorked(view: View, isPresent: boolean): View | undefined {
  const worked = useRef<View>(undefined);
  useEffect(() => {
    if (isPresent) worked.current = view;
  }, [view, isPresent]);
  return worked.current;
}

/** How much of an answer's result is loaded. The total is known where nothing is filtered or grouped. */
function extentOf({ view, rows, next, facts }: Answered, table: ExplorerTable): Extent {
  const isGrouped = isGroupedView(view);
  const isPartial = next !== null || facts.truncated;
  const before = (view.firstRow ?? 1) - 1;
  const isWhole = !isGrouped && !isNarrowed(view);
  return {
    shown: rows.length,
    ...(before > 0 && { before }),
    total: isPartial || before > 0 ? (facts.total ?? (isWhole ? table.rows : undefined)) : rows.length,
    isPartial,
    noun: isGrouped ? "group" : "row",
  };
}

interface OpenEditor {
  name: EditorName;
  column?: string;
}

/** The open editor. Escape closes it and returns the focus to the control that opened it. */
function useEditor() {
  const [editor, setOpen] = useState<OpenEditor>();
  const opener = useRef<Element>(null);
  const name = editor?.name;
  const setEditor = useCallback(
    (next: OpenEditor | undefined) => {
      if (next && name === undefined) opener.current = document.activeElement;
      setOpen(next);
      if (!next && name !== undefined) focusOpener(opener.current, name);
    },
    [name],
  );
  useEffect(() => {
    if (name === undefined) return;
    const close = (event: KeyboardEvent) => {
      const isOthers = event.defaultPrevented || document.querySelector("dialog[open], :popover-open") !== null;
      if (event.key === "Escape" && !isOthers) setEditor(undefined);
    };
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, [name, setEditor]);
  return { editor, setEditor };
}

/** The control that opened an editor may have disappeared with the previous view; its toolbar button never does. */
function focusOpener(opener: Element | null, name: EditorName): void {
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
  const place = isThere ? opener : document.querySelector<HTMLElement>(`[data-editor="${name}"]`);
  place?.focus();
}
