"use client";

import { Plus } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { aliasFor, type Grouping, usualGroup, withSpan } from "@/components/explorer/view/view-changes";
import { isTemporal } from "@/components/values/value-text";
import { GROUPS_MAX } from "@/lib/engine/grammar/bounds";
import type { Column } from "@/lib/schemas/column";
import {
  isGroupedView,
  namedGroup,
  resultNames,
  type View,
  type ViewColumn,
  type ViewGroup,
  viewFaults,
} from "@/lib/view/view";
import { AggregateRow } from "./aggregate-row";
import { DerivedFields } from "./derived-fields";
import { draftFault } from "./filter-draft";
import {
  type AggregateDraft,
  draftsOf,
  type GroupDraft,
  type GroupDrafts,
  groupingOf,
  keyedResults,
  namesOf,
  removedOf,
} from "./group-draft";
import { GroupRow } from "./group-row";
import { HavingFields } from "./having-fields";

interface Props {
  view: View;
  columns: readonly Column[];
  /** The columns that can be grouped by. */
  groupable: readonly Column[];
  /** `names` are the present names of groups and results, by those that they had. */
  onApply: (grouping: Grouping, names: ReadonlyMap<string, string>) => void;
  onClose: () => void;
}

/** Groups and what is computed for each. */
export function GroupEditor({ view, columns, groupable, onApply, onClose }: Props) {
  const [drafts, setDrafts] = useState<GroupDrafts>(() => draftsOf(startOf(view, groupable)));
  const [isChecked, setChecked] = useState(false);
  const { groups, aggregates, derived, having } = drafts;
  const change = (parts: Partial<GroupDrafts>) => setDrafts((all) => ({ ...all, ...parts }));
  const results = keyedResults(drafts, columns);
  const keyedGroups = results.slice(0, groups.length);
  const names = namesOf(drafts);
  /** What nothing new may be called, so that it is not taken for something else. */
  const keys = [...resultNames(view), ...names.keys(), ...names.values()];
  const takenBut = (own: string) => [...names].flatMap(([key, name]) => (key === own ? [] : [name]));
  const grouping = groupingOf(drafts, columns);
  const faults = viewFaults({ ...grouping, having: undefined }, columns);
  /** Conditions show their own faults. */
  const faultOf = (place: string) => {
    const isOwn = (pointer: string) =>
      `${pointer}/`.startsWith(`${place}/`) && !pointer.startsWith(`${place}/filters/`);
    const own = isChecked ? faults.find(({ pointer }) => isOwn(pointer)) : undefined;
    return own && (WORDS[own.pointer.slice(place.length + 1)] ?? own.message);
  };
  /** A removed result or group is missed at once. */
  const derivedFault = (at?: number) => {
    const draft = at === undefined ? undefined : derived[at];
    if (!draft) return isChecked ? faults.find(({ pointer }) => pointer === "/derive")?.message : undefined;
    const [removed] = removedOf(draft, names);
    return removed === undefined
      ? faultOf(`/derive/${at}`)
      : `${draft.as} needs ${removed}, which was removed. Choose another, or remove ${draft.as}.`;
  };
  const columnOf = (entry: ViewGroup): ViewColumn => {
    const { column: name } = namedGroup(entry);
    return columns.find((column) => column.name === name) ?? { name, type: "string" };
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setChecked(true);
    const conditions = aggregates.flatMap((draft) => draft.conditions);
    if (faults.length > 0 || conditions.some((condition) => draftFault(condition, columns) !== undefined)) return;
    if (derived.some((draft) => removedOf(draft, names).length > 0)) return;
    const kept = having.filter(({ column }) => names.has(column));
    if (kept.some((condition) => draftFault(condition, results) !== undefined)) return;
    onApply(grouping, names);
  };
  const addGroup = (name: string) => {
    const column = free.find((entry) => entry.name === name);
    const usual = column && usualGroup(column);
    if (!usual) return;
    const group = withSpan(usual, namedGroup(usual), takenBut(""));
    change({ groups: [...groups, { key: aliasFor(namedGroup(group).as, undefined, keys), group }] });
  };
  const changeGroup = (next: GroupDraft) =>
    change({ groups: groups.map((draft) => (draft.key === next.key ? next : draft)) });
  const changeAggregate = (next: AggregateDraft) =>
    change({ aggregates: aggregates.map((draft) => (draft.key === next.key ? next : draft)) });
  const add = () => {
    const as = aliasFor("rows", undefined, takenBut(""));
    const key = aliasFor(as, undefined, keys);
    change({ aggregates: [...aggregates, { key, function: "count", as, conditions: [] }] });
  };
  const free = groupable.filter(
    (column) => isSpanned(column) || !groups.some(({ group }) => namedGroup(group).column === column.name),
  );
  return (
    <form onSubmit={submit} className="editor" aria-label="Groups" noValidate>
      <fieldset className="min-w-0">
        <legend className="editor-hint">One result row for each</legend>
        <ul className="space-y-2">
          {groups.map(({ key, group }, at) => (
            <GroupRow
              key={key}
              group={group}
              column={columnOf(group)}
              taken={takenBut(key)}
              fault={faultOf(`/group_by/${at}`)}
              onChange={(next) => changeGroup({ key, group: next })}
              onRemove={() => change({ groups: groups.toSpliced(at, 1) })}
            />
          ))}
        </ul>
        <div className="mt-2 flex flex-wrap items-center gap-2">
          {groups.length < GROUPS_MAX && free.length > 0 && (
            <select
              className="field w-auto max-w-60"
              aria-label="Group by"
              value=""
              onChange={(event) => addGroup(event.target.value)}
            >
              <option value="" disabled>
                {groups.length === 0 ? "Nothing (one row for the whole table)" : "Add a column"}
              </option>
              {free.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </div>
      </fieldset>
      <fieldset className="mt-4 min-w-0">
        <legend className="editor-hint">Computed for each</legend>
        <ul className="space-y-2.5">
          {aggregates.map((draft, at) => (
            <li key={draft.key}>
              <AggregateRow
                draft={draft}
                columns={columns}
                taken={takenBut(draft.key)}
                groups={keyedGroups}
                fault={faultOf(`/aggregates/${at}`)}
                isChecked={isChecked}
                onChange={changeAggregate}
                onRemove={() => change({ aggregates: aggregates.toSpliced(at, 1) })}
              />
            </li>
          ))}
        </ul>
        <div className="mt-2">
          <button type="button" className="button button-small" onClick={add}>
            <Plus size={15} aria-hidden="true" /> Add a result
          </button>
        </div>
      </fieldset>
      <DerivedFields
        drafts={derived}
        groups={keyedGroups}
        results={results.slice(groups.length)}
        keys={keys}
        faultOf={derivedFault}
        onChange={(next) => change({ derived: next })}
      />
      <HavingFields
        drafts={having}
        columns={results}
        isChecked={isChecked}
        onChange={(next) => change({ having: next })}
      />
      <div className="editor-buttons">
        <span className="flex-1" />
        {isGroupedView(view) && (
          <button
            type="button"
            className="button button-small"
            onClick={() => onApply({ group_by: [], aggregates: [] }, new Map())}
          >
            Remove grouping
          </button>
        )}
        <button type="button" className="button button-small" onClick={onClose}>
          Close
        </button>
        <button
          type="submit"
          className="button button-small button-primary"
          disabled={groups.length === 0 && aggregates.length === 0}
        >
          Apply
        </button>
      </div>
    </form>
  );
}

/** The groups of the view; of rows, those that tell the most. Something is computed for each in any case. */
function startOf(view: View, groupable: readonly Column[]): Grouping {
  const { aggregates } = view;
  return {
    ...view,
    group_by: isGroupedView(view) ? view.group_by : [...groupable].sort(timesFirst).slice(0, 1).map(usualGroup),
    aggregates: aggregates.length > 0 ? aggregates : [{ function: "count", as: "rows" }],
  };
}

/** What a result lacks, as what to do. */
const WORDS: Readonly<Record<string, string>> = {
  filters: "Add a condition for the rows to count.",
  at: "Enter a quantile from 0 to 1, such as 0.9.",
  with: "Choose another column of numbers.",
};

/** Whether a column can be grouped by more than once: by month and by hour, for example. */
const isSpanned = ({ type }: ViewColumn): boolean => isTemporal(type);
const timesFirst = (a: ViewColumn, b: ViewColumn): number => Number(isSpanned(b)) - Number(isSpanned(a));
