"use client";

import { Plus, X } from "lucide-react";
import { type SubmitEvent, useRef, useState } from "react";
import type { View, ViewAggregate, ViewColumn } from "@/components/explorer/view/view";
import { aliasFor, columnsFor } from "@/components/explorer/view/view-changes";
import { GROUPS_MAX } from "@/lib/engine/grammar/bounds";
import { AGGREGATES, type AggregateName } from "@/lib/engine/types/aggregates";
import { type AggregateDraft, aggregateFaultOf, draftAggregate } from "./aggregate-draft";

interface Props {
  view: View;
  columns: readonly ViewColumn[];
  /** The columns that can be grouped by. */
  groupable: readonly ViewColumn[];
  onApply: (group: readonly string[], aggregates: readonly ViewAggregate[]) => void;
  onClose: () => void;
}

/** Groups and what is computed for each. */
export function GroupEditor({ view, columns, groupable, onApply, onClose }: Props) {
  const nextId = useRef(0);
  const [group, setGroup] = useState<readonly string[]>(
    view.group.length > 0 || view.aggregates.length > 0 ? view.group : groupable.slice(0, 1).map(({ name }) => name),
  );
  const [drafts, setDrafts] = useState<AggregateDraft[]>(() =>
    (view.aggregates.length > 0 ? view.aggregates : [{ function: "count" as const, alias: "rows" }]).map((entry) =>
      draftAggregate(entry, nextId.current++),
    ),
  );
  const [isChecked, setChecked] = useState(false);
  const faults = drafts.map((draft, at) =>
    aggregateFaultOf(draft, [...group, ...drafts.slice(0, at).map((other) => other.alias)]),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setChecked(true);
    if (faults.every((fault) => fault === undefined))
      onApply(
        group,
        drafts.map(({ id: _, ...entry }) => entry),
      );
  };
  const change = (next: AggregateDraft) =>
    setDrafts((all) => all.map((draft) => (draft.id === next.id ? next : draft)));
  const add = () =>
    setDrafts((all) => [
      ...all,
      {
        id: nextId.current++,
        function: "count",
        alias: aliasFor("rows", undefined, [...group, ...all.map((entry) => entry.alias)]),
      },
    ]);
  const free = groupable.filter(({ name }) => !group.includes(name));
  return (
    <form onSubmit={submit} className="editor" aria-label="Groups" noValidate>
      <fieldset className="min-w-0">
        <legend className="editor-hint">One result row for each</legend>
        <div className="flex flex-wrap items-center gap-2">
          {group.map((name) => (
            <span key={name} className="filter-chip">
              {name}
              <button
                type="button"
                aria-label={`Do not group by ${name}`}
                onClick={() => setGroup(group.filter((other) => other !== name))}
              >
                <X size={14} aria-hidden="true" />
              </button>
            </span>
          ))}
          {group.length < GROUPS_MAX && free.length > 0 && (
            <select
              className="field w-auto max-w-60"
              aria-label="Group by"
              value=""
              onChange={(event) => setGroup([...group, event.target.value])}
            >
              <option value="" disabled>
                {group.length === 0 ? "nothing: the whole table in one row" : "Another column"}
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
                taken={[...group, ...drafts.filter((other) => other.id !== draft.id).map((other) => other.alias)]}
                fault={isChecked ? faults[at] : undefined}
                onChange={change}
                onRemove={() => setDrafts((all) => all.filter((other) => other.id !== draft.id))}
              />
            </li>
          ))}
        </ul>
      </fieldset>
      <div className="editor-buttons">
        <button type="button" className="button button-small" onClick={add}>
          <Plus size={15} aria-hidden="true" /> Another result
        </button>
        <span className="flex-1" />
        {(view.group.length > 0 || view.aggregates.length > 0) && (
          <button type="button" className="button button-small" onClick={() => onApply([], [])}>
            Back to single rows
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

interface RowProps {
  draft: AggregateDraft;
  columns: readonly ViewColumn[];
  taken: readonly string[];
  fault: string | undefined;
  onChange: (draft: AggregateDraft) => void;
  onRemove: () => void;
}

function AggregateRow({ draft, columns, taken, fault, onChange, onRemove }: RowProps) {
  const offered = columnsFor(draft.function, columns);
  const choose = (name: AggregateName, column: string | undefined) =>
    onChange({
      id: draft.id,
      function: name,
      ...(column !== undefined && { column }),
      alias: aliasFor(column === undefined ? "rows" : name, column, taken),
    });
  const chooseFunction = (name: AggregateName) => {
    const fits = columnsFor(name, columns);
    choose(
      name,
      AGGREGATES[name].arity === 0 ? undefined : (fits.find((column) => column.name === draft.column) ?? fits[0])?.name,
    );
  };
  return (
    <>
      <div className="filter-row">
        <select
          className="field"
          aria-label="Function"
          value={draft.function}
          onChange={(event) => chooseFunction(event.target.value as AggregateName)}
        >
          {Object.entries(AGGREGATES)
            .filter(([name, { arity }]) => arity === 0 || columnsFor(name, columns).length > 0)
            .map(([name, { english }]) => (
              <option key={name} value={name}>
                {english}
              </option>
            ))}
        </select>
        {AGGREGATES[draft.function].arity === 0 ? (
          <span className="hidden text-muted text-sm sm:block">of the group</span>
        ) : (
          <select
            className="field"
            aria-label="Of the column"
            value={draft.column ?? ""}
            onChange={(event) => choose(draft.function, event.target.value)}
          >
            {offered.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
        <div className="filter-values">
          <input
            className="field"
            aria-label="Name of the result"
            spellCheck={false}
            value={draft.alias}
            aria-invalid={fault ? true : undefined}
            onChange={(event) => onChange({ ...draft, alias: event.target.value })}
          />
        </div>
        <button type="button" className="icon-button" aria-label={`Remove ${draft.alias}`} onClick={onRemove}>
          <X size={16} aria-hidden="true" />
        </button>
      </div>
      {fault && (
        <p role="alert" className="mt-1 text-danger text-sm">
          {fault}
        </p>
      )}
    </>
  );
}
