"use client";

import { X } from "lucide-react";
import { aliasFor, columnsFor } from "@/components/explorer/view/view-changes";
import { GROUP_FILTERS_MAX } from "@/lib/engine/grammar/bounds";
import { AGGREGATES, type AggregateName, type AggregateNeed } from "@/lib/engine/types/aggregates";
import { emptyDraft, type FilterDraft, type FilteredColumn, labelOf, newId } from "./filter-draft";
import { FilterRows } from "./filter-rows";
import type { AggregateDraft } from "./group-draft";

interface Props {
  draft: AggregateDraft;
  columns: readonly FilteredColumn[];
  taken: readonly string[];
  /** The groups, named by their keys. */
  groups: readonly FilteredColumn[];
  fault: string | undefined;
  /** Whether errors are shown. */
  isChecked: boolean;
  onChange: (draft: AggregateDraft) => void;
  onRemove: () => void;
}

/** The choice of a share of the group's own rows. */
const SOME_ROWS = "rows";

/** What a share is of: several groups can only be named in a URL. */
const shareOf = ({ of }: AggregateDraft): string => (of === undefined ? SOME_ROWS : (of[0] ?? ""));

/** One result of a grouped view: the function, the rows it covers, and its name. */
export function AggregateRow({ draft, columns, taken, groups, fault, isChecked, onChange, onRemove }: Props) {
  const needs = (name: AggregateName, need: AggregateNeed) => AGGREGATES[name].needs?.includes(need) === true;
  const offeredFor = (name: AggregateName) => columnsFor(name, columns);
  const offered = offeredFor(draft.function);
  const choose = (name: AggregateName, column: string | undefined) =>
    onChange({
      key: draft.key,
      function: name,
      ...(column !== undefined && { column }),
      ...(needs(name, "at") && { at: draft.at ?? "0.9" }),
      ...(needs(name, "with") && { with: draft.with ?? offeredFor(name).find((other) => other.name !== column)?.name }),
      as: aliasFor(name === "count" ? "rows" : name, column, taken),
      conditions: conditionsFor(name),
    });
  const newCondition = () => {
    const [first] = columns;
    return first ? [emptyDraft(first, newId(draft.conditions))] : [];
  };
  const conditionsFor = (name: AggregateName) =>
    needs(name, "filters") && draft.conditions.length === 0 ? newCondition() : draft.conditions;
  const changeConditions = (conditions: readonly FilterDraft[]) => onChange({ ...draft, conditions });
  const changeShare = (chosen: string) => {
    const { of: _, ...rest } = draft;
    if (chosen === SOME_ROWS) onChange({ ...rest, conditions: newCondition() });
    else onChange({ ...rest, of: chosen === "" ? [] : [chosen], conditions: [] });
  };
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
          <span className="hidden text-muted text-sm sm:block">{draft.of ? "" : "of the group"}</span>
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
          {needs(draft.function, "with") && (
            <select
              className="field"
              aria-label="With the column"
              value={draft.with ?? ""}
              onChange={(event) => onChange({ ...draft, with: event.target.value })}
            >
              {offered.map(({ name }) => (
                <option key={name} value={name}>
                  with {name}
                </option>
              ))}
            </select>
          )}
          {needs(draft.function, "of") && (
            <select
              className="field"
              aria-label="Share of"
              value={shareOf(draft)}
              onChange={(event) => changeShare(event.target.value)}
            >
              <option value={SOME_ROWS}>of its rows where…</option>
              <option value="">of all groups</option>
              {groups.map((group) => (
                <option key={group.name} value={group.name}>
                  of the same {labelOf(group)}
                </option>
              ))}
            </select>
          )}
          {needs(draft.function, "at") && (
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
      {draft.conditions.length < GROUP_FILTERS_MAX && draft.of === undefined && (
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
