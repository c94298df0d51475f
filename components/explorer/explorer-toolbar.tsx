"use client";

import {
  ArrowDownUp,
  ChartColumn,
  Columns3,
  Filter,
  Group,
  KeyRound,
  type LucideIcon,
  Map as MapIcon,
} from "lucide-react";
import type { ReactNode } from "react";
import { placesOf } from "@/components/chart/places";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { isGroupedView, type View, type ViewColumn } from "@/lib/view/view";
import type { EditorName } from "./explorer-editor";
import { SearchField } from "./filters/search-field";

interface Props {
  view: View;
  columns: readonly ViewColumn[];
  open: EditorName | undefined;
  hasKey: boolean;
  /** Whether rows can be read with a key. */
  takesKey: boolean;
  onOpen: (name: EditorName | undefined) => void;
  onView: (view: View) => unknown;
  children: ReactNode;
}

/** The editors of a view, each behind a button that shows how much of it is set. */
export function ExplorerToolbar({ view, columns, open, hasKey, takesKey, onOpen, onView, children }: Props) {
  const isGrouped = isGroupedView(view);
  const places = placesOf(columns);
  const toggle = (name: EditorName) => ({
    name,
    isOpen: open === name,
    onToggle: () => onOpen(open === name ? undefined : name),
  });
  return (
    <div className="explorer-toolbar">
      {columns.some(({ type }) => columnTypeOf({ type }).family === "text") && (
        <SearchField
          key={view.search?.text ?? ""}
          text={view.search?.text}
          onSearch={(text) => onView({ ...view, search: text === undefined ? undefined : { text } })}
        />
      )}
      <div className="explorer-editors">
        <Tool {...toggle("filter")} icon={Filter} words="Filter" count={view.filters.length} />
        <Tool {...toggle("group")} icon={Group} words="Group" count={view.group_by.length || view.aggregates.length} />
        <Tool
          {...toggle("sort")}
          icon={ArrowDownUp}
          words="Sort"
          count={view.order_by.length + (view.limit === undefined ? 0 : 1)}
        />
        {!isGrouped && (
          <Tool
            {...toggle("columns")}
            icon={Columns3}
            words="Columns"
            count={view.columns ? `${view.columns.length} of ${columns.length}` : 0}
          />
        )}
        <button
          type="button"
          className="button button-small needs-script"
          aria-pressed={view.chart !== undefined && view.chart.kind !== "map"}
          onClick={() => onView({ ...view, chart: view.chart ? undefined : { kind: AUTOMATIC, x: "", y: "" } })}
        >
          <ChartColumn size={15} aria-hidden="true" /> Chart
        </button>
        {!isGrouped && places && (
          <button
            type="button"
            className="button button-small needs-script"
            aria-pressed={view.chart?.kind === "map"}
            onClick={() => onView({ ...view, chart: view.chart?.kind === "map" ? undefined : places })}
          >
            <MapIcon size={15} aria-hidden="true" /> Map
          </button>
        )}
      </div>
      <span className="hidden flex-1 sm:block" />
      <div className="explorer-tools">
        {takesKey && (
          <Tool {...toggle("key")} icon={KeyRound} words={hasKey ? "Your API key" : "API key"} count={0} isShort />
        )}
        {children}
      </div>
    </div>
  );
}

interface ToolProps {
  name: EditorName;
  isOpen: boolean;
  onToggle: () => void;
  icon: LucideIcon;
  words: string;
  count: number | string;
  /** Whether its label is only for screen readers. */
  isShort?: boolean;
}

function Tool({ name, isOpen, onToggle, icon: Icon, words, count, isShort }: ToolProps) {
  return (
    <button
      type="button"
      data-editor={name}
      className="button button-small needs-script"
      aria-expanded={isOpen}
      title={isShort ? words : undefined}
      onClick={onToggle}
    >
      <Icon size={15} aria-hidden="true" /> <span className={isShort ? "sr-only" : undefined}>{words}</span>
      {count !== 0 && <span className="tool-count">{count}</span>}
    </button>
  );
}

/** The URL parameter's value for the chart that suits the result best. */
const AUTOMATIC = "auto";
