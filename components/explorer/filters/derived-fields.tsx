"use client";

import { Plus } from "lucide-react";
import { aliasFor } from "@/components/explorer/view/view-changes";
import { isTemporal } from "@/components/values/value-text";
import { DERIVED_MAX } from "@/lib/engine/grammar/bounds";
import { DerivedRow, derivable, derivedFrom } from "./derived-row";
import { type FilteredColumn, labelOf } from "./filter-draft";
import type { DerivedDraft } from "./group-draft";

interface Props {
  drafts: readonly DerivedDraft[];
  /** The groups, and the results of each, named by their keys; what is derived comes last. */
  groups: readonly FilteredColumn[];
  results: readonly FilteredColumn[];
  /** Keys that no new result may have. */
  keys: readonly string[];
  /** What is wrong with one, by its position, or with all of them. */
  faultOf: (at?: number) => string | undefined;
  onChange: (drafts: readonly DerivedDraft[]) => void;
}

/** What is derived for each group from the results of others. */
export function DerivedFields({ drafts, groups, results, keys, faultOf, onChange }: Props) {
  const known = results.length - drafts.length;
  const first = results[0];
  if (drafts.length === 0 && (groups.length === 0 || !first)) return null;
  const names = [...groups, ...results].map(labelOf);
  const add = () => {
    if (!first) return;
    const over = groups.find(({ type }) => isTemporal(type))?.name;
    const name = over !== undefined && derivable("change", results).length > 0 ? "change" : "rank";
    const start = { key: "", function: name, of: first.name, over, by: [], isAscending: false } as const;
    const draft = derivedFrom(start, results, groups, names);
    onChange([...drafts, { ...draft, key: aliasFor(draft.as, undefined, keys) }]);
  };
  return (
    <fieldset className="mt-4 min-w-0">
      <legend className="editor-hint">Compared with other groups</legend>
      <ul className="space-y-2.5">
        {drafts.map((draft, at) => (
          <li key={draft.key}>
            <DerivedRow
              draft={draft}
              results={results.slice(0, known + at)}
              groups={groups}
              taken={names.filter((_, index) => index !== groups.length + known + at)}
              fault={faultOf(at)}
              onChange={(next) => onChange(drafts.with(at, next))}
              onRemove={() => onChange(drafts.toSpliced(at, 1))}
            />
          </li>
        ))}
      </ul>
      <p role="alert" className="mt-1 text-danger text-sm empty:hidden">
        {faultOf()}
      </p>
      {drafts.length < DERIVED_MAX && groups.length > 0 && first && (
        <div className="mt-2">
          <button type="button" className="button button-small" onClick={add}>
            <Plus size={15} aria-hidden="true" /> Compare groups
          </button>
        </div>
      )}
    </fieldset>
  );
}
