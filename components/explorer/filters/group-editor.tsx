"use client";

import { Plus } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import {
  groupNames,
  isGroupedView,
  namedGroup,
  resultColumns,
  type View,
  type ViewAggregate,
  type ViewColumn,
  type ViewFilter,
  type ViewGroup,
  viewFaults,
} from "@/components/explorer/view/view";
import { aliasFor, stillDerived, usualGroup, withSpan } from "@/components/explorer/view/view-changes";
import { isTemporal } from "@/components/values/value-text";
import { GROUPS_MAX } from "@/lib/engine/grammar/bounds";
import type { Column } from "@/lib/schemas/column";
import { AggregateRow } from "./aggregate-row";
import {
  type AggregateDraft,
  aggregateOf,
  draftAggregate,
  draftFault,
  draftOf,
  type FilterDraft,
  filterOf,
  newId,
} from "./filter-draft";
import { GroupRow } from "./group-row";
import { HavingFields } from "./having-fields";

interface Props {
  view: View;
  columns: readonly Column[];
  /** The columns that can be grouped by. */
  groupable: readonly Column[];
  onApply: (group: readonly ViewGroup[], aggregates: readonly ViewAggregate[], having: readonly ViewFilter[]) => void;
  onClose: () => void;
}

/** Groups and what is computed for each. */
export function GroupEditor({ view, columns, groupable, onApply, onClose }: Props) {
  const [group, setGroup] = useState<readonly ViewGroup[]>(() =>
    isGroupedView(view) ? view.group_by : [...groupable].sort(timesFirst).slice(0, 1).map(usualGroup),
  );
  const names = groupNames({ group_by: group });
  const [drafts, setDrafts] = useState<AggregateDraft[]>(() =>
    (view.aggregates.length > 0 ? view.aggregates : [{ function: "count" as const, as: "rows" }]).map(draftAggregate),
  );
  const [having, setHaving] = useState<readonly FilterDraft[]>(() => (view.having ?? []).map(draftOf));
  const [isChecked, setChecked] = useState(false);
  const aggregates = drafts.map((draft) => aggregateOf(draft, columns));
  const derive = stillDerived(view, group, aggregates);
  const results = resultColumns({ group_by: group, aggregates, derive }, columns);
  const faults = viewFaults({ group_by: group, aggregates }, columns);
  /** Conditions show their own faults. */
  const faultOf = (place: string) => {
    const isOwn = (pointer: string) =>
      `${pointer}/`.startsWith(`${place}/`) && !pointer.startsWith(`${place}/filters/`);
    const own = isChecked ? faults.find(({ pointer }) => isOwn(pointer)) : undefined;
    return own && (WORDS[own.pointer.slice(place.length + 1)] ?? own.message);
  };
  const columnOf = (entry: ViewGroup): ViewColumn => {
    const { column: name } = namedGroup(entry);
    return columns.find((column) => column.name === name) ?? { name, type: "string" };
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setChecked(true);
    const conditions = drafts.flatMap((draft) => draft.conditions);
    if (faults.length > 0 || conditions.some((condition) => draftFault(condition, columns) !== undefined)) return;
    const kept = having.filter(({ column }) => results.some(({ name }) => name === column));
    if (kept.some((condition) => draftFault(condition, results) !== undefined)) return;
    onApply(
      group,
      aggregates,
      kept.map((condition) => filterOf(condition, results)),
    );
  };
  const addGroup = (name: string) => {
    const column = free.find((entry) => entry.name === name);
    const usual = column && usualGroup(column);
    if (usual) setGroup([...group, withSpan(usual, namedGroup(usual), names)]);
  };
  const change = (next: AggregateDraft) =>
    setDrafts((all) => all.map((draft) => (draft.id === next.id ? next : draft)));
  const add = () =>
    setDrafts((all) => [
      ...all,
      {
        id: newId(all),
        function: "count",
        as: aliasFor("rows", undefined, [...names, ...all.map((entry) => entry.as)]),
        conditions: [],
      },
    ]);
  const free = groupable.filter(
    (column) => isSpanned(column) || !group.some((entry) => namedGroup(entry).column === column.name),
  );
  return (
    <form onSubmit={submit} className="editor" aria-label="Groups" noValidate>
      <fieldset className="min-w-0">
        <legend className="editor-hint">One result row for each</legend>
        <ul className="space-y-2">
          {group.map((entry, at) => (
            <GroupRow
              key={names[at]}
              group={entry}
              column={columnOf(entry)}
              taken={[...names.filter((_, index) => index !== at), ...drafts.map(({ as }) => as)]}
              fault={faultOf(`/group_by/${at}`)}
              onChange={(next) => setGroup(group.map((other, index) => (index === at ? next : other)))}
              onRemove={() => setGroup(group.filter((other) => other !== entry))}
            />
          ))}
        </ul>
        <div className="mt-2 flex flex-wrap items-center gap-2">
          {group.length < GROUPS_MAX && free.length > 0 && (
            <select
              className="field w-auto max-w-60"
              aria-label="Group by"
              value=""
              onChange={(event) => addGroup(event.target.value)}
            >
              <option value="" disabled>
                {group.length === 0 ? "Nothing (one row for the whole table)" : "Add a column"}
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
          {drafts.map((draft, at) => (
            <li key={draft.id}>
              <AggregateRow
                draft={draft}
                columns={columns}
                taken={[...names, ...drafts.filter((other) => other.id !== draft.id).map((other) => other.as)]}
                groups={names}
                fault={faultOf(`/aggregates/${at}`)}
                isChecked={isChecked}
                onChange={change}
                onRemove={() => setDrafts((all) => all.filter((other) => other.id !== draft.id))}
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
      <HavingFields drafts={having} columns={results} isChecked={isChecked} onChange={setHaving} />
      <div className="editor-buttons">
        <span className="flex-1" />
        {isGroupedView(view) && (
          <button type="button" className="button button-small" onClick={() => onApply([], [], [])}>
            Remove grouping
          </button>
        )}
        <button type="button" className="button button-small" onClick={onClose}>
          Close
        </button>
        <button
          type="submit"
          className="button button-small button-primary"
          disabled={group.length === 0 && drafts.length === 0}
        >
          Apply
        </button>
      </div>
    </form>
  );
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
