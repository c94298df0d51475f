"use client";

import { ArrowUp, X } from "lucide-react";
import { ORDER_MAX } from "@/lib/engine/bounds";
import type { ViewSort } from "./view";

interface Props {
  sort: readonly ViewSort[];
  /** Names that the result can be sorted by. */
  names: readonly string[];
  onApply: (sort: readonly ViewSort[]) => void;
  onClose: () => void;
}

/** The order of the rows, key by key; each change shows at once. */
export function SortEditor({ sort, names, onApply, onClose }: Props) {
  const free = names.filter((name) => !sort.some((key) => key.column === name));
  const change = (at: number, key: ViewSort) => onApply(sort.map((other, index) => (index === at ? key : other)));
  const raise = (at: number) => onApply([...sort.slice(0, at - 1), ...sort.slice(at, at + 1), ...sort.slice(at - 1, at), ...sort.slice(at + 1)]);
  return (
    <section className="editor" aria-label="Order">
      <p className="editor-hint">Nulls come last either way; rows that tie keep their place in the table.</p>
      <ul className="space-y-2.5">
        {sort.map((key, at) => (
          <li key={key.column} className="flex items-center gap-2">
            <span className="w-16 shrink-0 text-muted text-sm">{at === 0 ? "Sort by" : "then by"}</span>
            <span className="min-w-0 flex-1 truncate text-sm sm:max-w-60">{key.column}</span>
            <select
              className="field w-auto"
              aria-label={`Direction of ${key.column}`}
              value={key.descending ? "desc" : "asc"}
              onChange={(event) => change(at, { ...key, descending: event.target.value === "desc" })}
            >
              <option value="asc">ascending</option>
              <option value="desc">descending</option>
            </select>
            <button type="button" className="icon-button" disabled={at === 0} aria-label={`Move ${key.column} up`} onClick={() => raise(at)}>
              <ArrowUp size={16} aria-hidden="true" />
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label={`Do not sort by ${key.column}`}
              onClick={() => onApply(sort.filter((other) => other !== key))}
            >
              <X size={16} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      <div className="editor-buttons">
        {free.length > 0 && sort.length < ORDER_MAX && (
          <select
            className="field w-auto max-w-60"
            aria-label="Sort by another column"
            value=""
            onChange={(event) => onApply([...sort, { column: event.target.value, descending: false }])}
          >
            <option value="" disabled>
              {sort.length === 0 ? "Choose a column" : "Another column"}
            </option>
            {free.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
        {names.length === 0 && <span className="text-muted text-sm">One row has no order.</span>}
        <span className="flex-1" />
        <button type="button" className="button button-small" onClick={onClose}>
          Close
        </button>
      </div>
    </section>
  );
}
