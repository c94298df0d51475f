"use client";

import { Plus } from "lucide-react";
import { type SubmitEvent, useRef, useState } from "react";
import { resultColumns } from "@/components/explorer/view/result-columns";
import {
  groupAliases,
  isGroupedView,
  type View,
  type ViewAggregate,
  type ViewColumn,
  type ViewFilter,
  type ViewGroup,
} from "@/components/explorer/view/view";
import { aliasFor, usualGroup, withSpan } from "@/components/explorer/view/view-changes";
import { GROUPS_MAX } from "@/lib/engine/grammar/bounds";
import { bucketsFor } from "@/lib/engine/types/buckets";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import type { Column } from "@/lib/schemas/column";
import {
  type AggregateDraft,
  aggregateFaultOf,
  aggregateOf,
  draftAggregate,
  isSoundAggregate,
} from "./aggregate-draft";
import { AggregateRow } from "./aggregate-row";
import { draftFault, draftOf, type FilterDraft, filterOf } from "./filter-draft";
import { GroupRow, groupFault } from "./group-row";
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
  const nextId = useRef(0);
  const [group, setGroup] = useState<readonly ViewGroup[]>(() =>
    isGroupedView(view) ? view.group : [...groupable].sort(timesFirst).slice(0, 1).map(usualGroup),
  );
  const names = groupAliases({ group });
  const [drafts, setDrafts] = useState<AggregateDraft[]>(() =>
    (view.aggregates.length > 0 ? view.aggregates : [{ function: "count" as const, alias: "rows" }]).map((entry) =>
      draftAggregate(entry, nextId.current++),
    ),
  );
  const [having, setHaving] = useState<readonly FilterDraft[]>(() => (view.having ?? []).map(draftOf));
  const [isChecked, setChecked] = useState(false);
  const takenBefore = (at: number) => [...names, ...drafts.slice(0, at).map((other) => other.alias)];
  const faults = drafts.map((draft, at) => aggregateFaultOf(draft, takenBefore(at)));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setChecked(true);
    const aggregates = drafts.map((draft) => aggregateOf(draft, columns));
    const areSound = drafts.every((draft, at) => isSoundAggregate(draft, takenBefore(at), columns));
    if (!areSound || !group.every(isSound)) return;
    const results = resultColumns({ group, aggregates }, columns);
    const kept = having.filter(({ column }) => results.some(({ name }) => name === column));
    if (kept.some((condition) => draftFault(condition, results) !== undefined)) return;
    const typeOf = (name: string) => results.find((column) => column.name === name)?.type ?? "string";
    onApply(
      group,
      aggregates,
      kept.map((condition) => filterOf(condition, typeOf(condition.column))),
    );
  };
  const isSound = (entry: ViewGroup) => {
    const column = columns.find(({ name }) => name === entry.column);
    return column !== undefined && groupFault(entry, column) === undefined;
  };
  const addGroup = (name: string) => {
    const column = free.find((entry) => entry.name === name);
    const usual = column && usualGroup(column);
    if (usual) setGroup([...group, withSpan(usual, usual, names)]);
  };
  const change = (next: AggregateDraft) =>
    setDrafts((all) => all.map((draft) => (draft.id === next.id ? next : draft)));
  const add = () =>
    setDrafts((all) => [
      ...all,
      {
        id: nextId.current++,
        function: "count",
        alias: aliasFor("rows", undefined, [...names, ...all.map((entry) => entry.alias)]),
        conditions: [],
      },
    ]);
  const free = groupable.filter(
    (column) => isSpanned(column) || !group.some(({ column: name }) => name === column.name),
  );
  return (
    <form onSubmit={submit} className="editor" aria-label="Groups" noValidate>
      <fieldset className="min-w-0">
        <legend className="editor-hint">One result row for each</legend>
        <ul className="space-y-2">
          {group.map((entry, at) => (
            <GroupRow
              key={entry.alias}
              group={entry}
              column={columns.find(({ name }) => name === entry.column) ?? { name: entry.column, type: "string" }}
              taken={[
                ...groupAliases({ group: group.filter((other) => other !== entry) }),
                ...drafts.map(({ alias }) => alias),
              ]}
              isChecked={isChecked}
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
                taken={[...names, ...drafts.filter((other) => other.id !== draft.id).map((other) => other.alias)]}
                fault={isChecked ? faults[at] : undefined}
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
      <HavingFields
        drafts={having}
        columns={resultColumns({ group, aggregates: drafts }, columns)}
        isChecked={isChecked}
        onChange={setHaving}
      />
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

/** Whether a column can be grouped by more than once: by month and by hour, for example. */
const isSpanned = ({ type }: ViewColumn): boolean => bucketsFor(columnTypeOf({ type })).length > 0;
const timesFirst = (a: ViewColumn, b: ViewColumn): number => Number(isSpanned(b)) - Number(isSpanned(a));
