"use client";

import { GROUPS_MAX } from "@/lib/engine/grammar/bounds";
import { bucketsFor } from "@/lib/engine/types/buckets";
import { columnTypeOf, isOrderable } from "@/lib/engine/types/column-types";
import type { Column } from "@/lib/schemas/column";
import { distancesIn, groupNames, isGroupedView, resultNames, type View, viewFaults } from "@/lib/view/view";
import type { Problem } from "./answer/problem";
import type { Tiers } from "./explorer-table";
import { ColumnsEditor } from "./filters/columns-editor";
import { FilterEditor } from "./filters/filter-editor";
import { GroupEditor } from "./filters/group-editor";
import { KeyField } from "./filters/key-field";
import type { LookupSources } from "./filters/lookup-draft";
import { LookupFields } from "./filters/lookup-fields";
import { SortEditor } from "./filters/sort-editor";
import { regrouped } from "./view/view-changes";

export type EditorName = "filter" | "group" | "sort" | "columns" | "key";

interface Props {
  editor: { name: EditorName; column?: string | undefined };
  view: View;
  columns: readonly Column[];
  tiers: Tiers;
  hasKey: boolean;
  /** False for a view that cannot be shown. */
  onView: (view: View) => boolean;
  /** Where columns of other tables can be found; absent for tables that have none. */
  lookupSources: LookupSources | undefined;
  /** Loads the page of a view that has other columns than this page. */
  onLoad: (view: View) => void;
  onKey: (key: string | undefined) => void;
  checkKey: (key: string) => Promise<Problem | undefined>;
  onClose: () => void;
}

/** The editor that is open. */
export function ExplorerEditor(props: Props) {
  const { editor, view, columns, tiers, hasKey, lookupSources, onView, onLoad, onKey, checkKey, onClose } = props;
  const isGrouped = isGroupedView(view);
  const ordered = columns.filter((column) => isOrderable(columnTypeOf(column)));
  const apply = (next: View) => {
    if (onView(next)) onClose();
  };
  switch (editor.name) {
    case "filter":
      return <FilterEditor view={view} columns={columns} start={editor.column} onApply={apply} onClose={onClose} />;
    case "group":
      return (
        <GroupEditor
          view={view}
          columns={columns}
          groupable={columns.filter(
            (column) => isOrderable(columnTypeOf(column)) || bucketsFor(columnTypeOf(column)).length > 0,
          )}
          onApply={(grouping, names) => apply(regrouped(view, grouping, names))}
          onClose={onClose}
        />
      );
    case "sort":
      return (
        <SortEditor
          order={view.order_by}
          limit={view.limit}
          limitMax={tiers.keyRows}
          noun={isGrouped ? "groups" : "rows"}
          names={sortNames(view, ordered, isGrouped)}
          top={view.top}
          topNames={isGrouped ? groupNames(view) : ordered.map(({ name }) => name)}
          topMost={isGrouped ? view.group_by.length - 1 : GROUPS_MAX}
          topFault={(top) => topFault({ ...view, top }, columns)}
          onOrder={(order_by) => onView({ ...view, order_by })}
          onTop={(top) => onView({ ...view, top })}
          onLimit={(limit) => onView({ ...view, limit })}
          onClose={onClose}
        />
      );
    case "columns":
      return (
        <ColumnsEditor
          columns={[...columns, ...distancesIn(view)]}
          shown={view.columns}
          onApply={(shown) => onView({ ...view, columns: shown })}
          onClose={onClose}
        >
          {lookupSources && <LookupFields view={view} columns={columns} sources={lookupSources} onView={onLoad} />}
        </ColumnsEditor>
      );
    case "key":
      return <KeyField hasKey={hasKey} limits={tiers} check={checkKey} onKey={onKey} onClose={onClose} />;
  }
}

function sortNames(view: View, ordered: readonly Column[], isGrouped: boolean): string[] {
  if (!isGrouped) return [...ordered, ...distancesIn(view)].map(({ name }) => name);
  return view.group_by.length === 0 ? [] : resultNames(view);
}

const topFault = (view: View, columns: readonly Column[]): string | undefined =>
  viewFaults(view, columns).find(({ pointer }) => pointer.startsWith("/top"))?.message;
