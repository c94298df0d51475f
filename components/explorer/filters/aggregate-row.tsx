"use client";

import { X } from "lucide-react";
import { aliasFor, columnsFor } from "@/components/explorer/view/view-changes";
import { GROUP_FILTERS_MAX } from "@/lib/engine/grammar/bounds";
import { AGGREGATES, type AggregateName } from "@/lib/engine/types/aggregates";
import { type AggregateDraft, emptyDraft, type FilterDraft, type FilteredColumn, newId } from "./filter-draft";
import { FilterRows } from "./filter-rows";

interface Props {
  draft: AggregateDraft;
  columns: readonly FilteredColumn[];
  taken: readonly string[];
  fault: string | undefined;
  /** Whether errors are shown. */
  isChecked: boolean;
  onChange: (draft: AggregateDraft) => void;
  onRemove: () => void;
}

/** One result of a grouped view: the function, the rows it covers, and its name. */
export function AggregateRow({ draft, columns, taken, fault, isChecked, onChange, onRemove }: Props) {
  const offered = columnsFor(draft.function, columns);
  const choose = (name: AggregateName, column: string | undefined) =>
    onChange({
      id: draft.id,
      function: name,
      ...(column !== undefined && { column }),
      ...(AGGREGATES[name].needs === "at" && { at: draft.at ?? "0.9" }),
      as: aliasFor(name === "count" ? "rows" : name, column, taken),
      conditions: conditionsFor(name),
    });
  const newCondition = () => {
    const [first] = columns;
    return first ? [emptyDraft(first, newId(draft.conditions))] : [];
  };
  const conditionsFor = (name: AggregateName) =>
    AGGREGATES[name].needs === "filters" && draft.conditions.length === 0 ? newCondition() : draft.conditions;
  const changeConditions = (conditions: readonly FilterDraft[]) => onChange({ ...draft, conditions });
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
          {AGGREGATES[draft.function].needs === "at" && (
            <input
              className="field w-20"
              inputMode="decimal"
              aria-label="Quantile, from 0 to 1"
              value={draft.at ?? ""}
              onChange={(event) => onChange({ ...draft, at: event.target.value.trim() })}
            />
          )}
          <input
            className="field"
            aria-label="Name of the result"
            spellCheck={false}
            value={draft.as}
            aria-invalid={fault ? true : undefined}
            onChange={(event) => onChange({ ...draft, as: event.target.value })}
          />
        </div>
        <button type="button" className="icon-button" aria-label={`Remove ${draft.as}`} onClick={onRemove}>
          <X size={16} aria-hidden="true" />
        </button>
      </div>
      <FilterRows
        drafts={draft.conditions}
        columns={columns}
        isChecked={isChecked}
        className="mt-1.5 space-y-1.5 border-line border-l-2 pl-3 empty:hidden"
        onChange={changeConditions}
      />
      {draft.conditions.length < GROUP_FILTERS_MAX && (
        <button
          type="button"
          className="link mt-1 text-sm"
          onClick={() => changeConditions([...draft.conditions, ...newCondition()])}
        >
          {draft.conditions.length === 0 ? "Only rows where…" : "and…"}
        </button>
      )}
      {fault && (
        <p role="alert" className="mt-1 text-danger text-sm">
          {fault}
        </p>
      )}
    </>
  );
}
