"use client";

import { X } from "lucide-react";
import { aliasFor } from "@/components/explorer/view/view-changes";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { DERIVATIONS, type DerivationName, derivationsFor } from "@/lib/engine/types/derivations";
import { type FilteredColumn, labelOf } from "./filter-draft";
import type { DerivedDraft } from "./group-draft";

interface Props {
  draft: DerivedDraft;
  /** The results that it can be derived from, and the groups, named by their keys. */
  results: readonly FilteredColumn[];
  groups: readonly FilteredColumn[];
  taken: readonly string[];
  fault: string | undefined;
  onChange: (draft: DerivedDraft) => void;
  onRemove: () => void;
}

const USUAL_SIZE = "3";

export const derivable = (name: DerivationName, results: readonly FilteredColumn[]): FilteredColumn[] =>
  results.filter((result) => derivationsFor(columnTypeOf(result)).includes(name));

/** The columns, and those that were removed although they are still named. */
function withRemoved(columns: readonly FilteredColumn[], named: readonly string[]): FilteredColumn[] {
  const removed = named.filter((name) => !columns.some((column) => column.name === name));
  return [...columns, ...removed.map((name) => ({ name, label: `${name} (removed)`, type: "string" }))];
}

/** A draft of another function, or of another result, with a name that says so. */
export function derivedFrom(
  draft: Omit<DerivedDraft, "as">,
  results: readonly FilteredColumn[],
  groups: readonly FilteredColumn[],
  taken: readonly string[],
): DerivedDraft {
  const { needs, takes } = DERIVATIONS[draft.function];
  const offered = derivable(draft.function, results);
  const of = offered.find(({ name }) => name === draft.of) ?? offered[0];
  return {
    ...draft,
    of: of?.name ?? draft.of,
    as: aliasFor(draft.function, of && labelOf(of), taken),
    over: needs.includes("over") ? (draft.over ?? groups[0]?.name) : undefined,
    size: needs.includes("size") ? (draft.size ?? USUAL_SIZE) : undefined,
    by: takes.includes("by") ? draft.by : [],
    isAscending: takes.includes("direction") && draft.isAscending,
  };
}

/** One result of a grouped view that is derived from those of other groups. */
export function DerivedRow({ draft, results, groups, taken, fault, onChange, onRemove }: Props) {
  const { needs, takes } = DERIVATIONS[draft.function];
  const change = (next: Partial<DerivedDraft>) => onChange({ ...draft, ...next });
  const choose = (next: Pick<DerivedDraft, "function"> | Pick<DerivedDraft, "of">) =>
    onChange(derivedFrom({ ...draft, ...next }, results, groups, taken));
  const within = withRemoved(groups, draft.by);
  return (
    <>
      <div className="filter-row">
        <select
          className="field"
          aria-label="Comparison"
          value={draft.function}
          onChange={(event) => choose({ function: event.target.value as DerivationName })}
        >
          {Object.entries(DERIVATIONS)
            .filter(([name]) => name === draft.function || derivable(name as DerivationName, results).length > 0)
            .map(([name, { english }]) => (
              <option key={name} value={name}>
                {english}
              </option>
            ))}
        </select>
        <select
          className="field"
          aria-label="Of the result"
          value={draft.of}
          onChange={(event) => choose({ of: event.target.value })}
        >
          {withRemoved(derivable(draft.function, results), [draft.of]).map((result) => (
            <option key={result.name} value={result.name}>
              of {labelOf(result)}
            </option>
          ))}
        </select>
        <div className="filter-values flex-wrap">
          {needs.includes("size") && (
            <input
              className="field w-16 shrink-0"
              inputMode="numeric"
              aria-label="Groups in each average"
              value={draft.size ?? ""}
              onChange={(event) => change({ size: event.target.value.trim() })}
            />
          )}
          {needs.includes("over") && (
            <select
              className="field min-w-28 flex-1"
              aria-label="In the order of"
              value={draft.over ?? ""}
              onChange={(event) => change({ over: event.target.value })}
            >
              {withRemoved(groups, draft.over === undefined ? [] : [draft.over]).map((group) => (
                <option key={group.name} value={group.name}>
                  by {labelOf(group)}
                </option>
              ))}
            </select>
          )}
          {takes.includes("direction") && (
            <select
              className="field min-w-28 flex-1"
              aria-label="First place"
              value={draft.isAscending ? "asc" : "desc"}
              onChange={(event) => change({ isAscending: event.target.value === "asc" })}
            >
              <option value="desc">1 = greatest</option>
              <option value="asc">1 = least</option>
            </select>
          )}
          <input
            className="field min-w-28 flex-1"
            aria-label="Name of the result"
            spellCheck={false}
            value={draft.as}
            aria-invalid={fault ? true : undefined}
            onChange={(event) => change({ as: event.target.value })}
          />
        </div>
        <button type="button" className="icon-button" aria-label={`Remove ${draft.as}`} onClick={onRemove}>
          <X size={16} aria-hidden="true" />
        </button>
      </div>
      {takes.includes("by") && within.length > 0 && (groups.length > 1 || draft.by.length > 0) && (
        <fieldset className="mt-1.5 flex min-w-0 flex-wrap gap-x-4 gap-y-1 text-muted text-sm">
          <legend className="sr-only">Rank within each</legend>
          <span aria-hidden="true">within each</span>
          {within.map((group) => (
            <label key={group.name} className="flex min-w-0 items-center gap-2">
              <input
                type="checkbox"
                checked={draft.by.includes(group.name)}
                onChange={({ target: { checked } }) =>
                  change({
                    by: within
                      .map(({ name }) => name)
                      .filter((name) => (name === group.name ? checked : draft.by.includes(name))),
                  })
                }
              />
              <span className="wrap-anywhere">{labelOf(group)}</span>
            </label>
          ))}
        </fieldset>
      )}
      <p role="alert" className="mt-1 text-danger text-sm empty:hidden">
        {fault}
      </p>
    </>
  );
}
