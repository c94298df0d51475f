"use client";

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Column } from "@/lib/schemas/column";
import { type AnswerState, nextPage } from "./answer-state";
import type { Route } from "./ask";
import type { EditorName } from "./explorer-editor";
import { type ExplorerTable, readColumns, routeOf, type Tiers } from "./explorer-table";
import type { GridColumn } from "./grid-columns";
import type { Place } from "./grid-keys";
import type { Problem } from "./problem";
import { gridColumns } from "./result-columns";
import { type Answer, useAnswer } from "./use-answer";
import { useView, type ViewState } from "./use-view";
import { isGroupedView, type View, type ViewFilter } from "./view";
import { withFilter } from "./view-changes";
import { queryText, viewQuery } from "./view-query";

export interface ExplorerProps {
  table: ExplorerTable;
  tiers: Tiers;
  /** The columns of the version that is explored, as JSON text with all digits. */
  columnsText: string;
  first: AnswerState;
}

/** Everything that the parts of an explorer share. */
export interface ExplorerState extends ViewState {
  table: ExplorerTable;
  tiers: Tiers;
  columns: readonly Column[];
  isGrouped: boolean;
  answer: Answer;
  /** The columns of the result. */
  shown: readonly GridColumn[];
  /** Rows of the whole result, where it is known. */
  total: number | undefined;
  /** Shows another view, as a step that Back undoes. */
  change: (view: View) => void;
  addFilters: (filters: readonly ViewFilter[]) => void;
  hasKey: boolean;
  takeKey: (key: string | undefined) => void;
  route: Route;
  /** The most rows that one answer may have. */
  rowsMax: number;
  /** The query of a file that is saved. */
  fileBody: string;
  problem: Problem | undefined;
  setFileProblem: (problem: Problem | undefined) => void;
  retry: () => void;
  editor: OpenEditor | undefined;
  setEditor: (editor: OpenEditor | undefined) => void;
  active: Place | undefined;
  setActive: (place: Place | undefined) => void;
}

export interface OpenEditor {
  name: EditorName;
  column?: string;
}

/** With a key, pages are as large as still come in well under a second. */
const KEY_PAGE_ROWS = 5000;

export function useExplorer({ table, tiers, columnsText, first }: ExplorerProps): ExplorerState {
  const columns = useMemo(() => readColumns(columnsText), [columnsText]);
  const viewState = useView(table.path, columns);
  const { view, show } = viewState;
  const [key, setKey] = useState<string>();
  const [editor, setEditor] = useState<OpenEditor>();
  const [active, setActive] = useState<Place>();
  const [fileProblem, setFileProblem] = useState<Problem>();
  const route = useMemo(() => routeOf(table, key), [table, key]);
  const isGrouped = isGroupedView(view);
  const rowsMax = key === undefined ? tiers.anonymousRows : tiers.keyRows;
  const answer = useAnswer({ view, columns, route, rowsMax: Math.min(rowsMax, KEY_PAGE_ROWS) }, first);
  useRetryWith(key, answer.retry);
  const shown = useMemo(() => gridColumns(answer.columns, columns, isGrouped), [answer.columns, columns, isGrouped]);
  const change = useCallback(
    (next: View) => {
      setActive(undefined);
      setFileProblem(undefined);
      show(next);
    },
    [show],
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
    answer,
    shown,
    total: totalOf(view, answer, table),
    change,
    addFilters: (filters) => change(withFilter(view, ...filters)),
    hasKey: key !== undefined,
    takeKey,
    route,
    rowsMax,
    fileBody: queryText(viewQuery(view, columns, nextPage(view, 0, rowsMax))),
    problem: fileProblem ?? answer.problem,
    setFileProblem,
    retry: () => (fileProblem ? setFileProblem(undefined) : answer.retry()),
    editor,
    setEditor,
    active,
    setActive,
  };
}

/** What failed with another key, or without one, is asked again at once. */
function useRetryWith(key: string | undefined, retry: () => void): void {
  const before = useRef(key);
  useEffect(() => {
    if (before.current !== key) retry();
    before.current = key;
  }, [key, retry]);
}

function totalOf(view: View, answer: Answer, table: ExplorerTable): number | undefined {
  if (answer.phase === "done" && answer.next === null && !answer.facts?.truncated) return answer.rows.length;
  if (isGroupedView(view) || view.filters.length > 0) return undefined;
  return Math.min(table.rows, view.limit ?? table.rows);
}
