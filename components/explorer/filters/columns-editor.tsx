"use client";

import { useState } from "react";
import type { ViewColumn } from "@/components/explorer/view/view";

interface Props {
  columns: readonly ViewColumn[];
  /** Absent: all. */
  shown: readonly string[] | undefined;
  onApply: (shown: readonly string[] | undefined) => void;
  onClose: () => void;
}

const SEARCHED_FROM = 12;

/** Which columns are shown; fewer are read, and more rows of them fit into a page. */
export function ColumnsEditor({ columns, shown, onApply, onClose }: Props) {
  const [sought, setSought] = useState("");
  const names = shown ?? columns.map(({ name }) => name);
  const toggle = (name: string) => {
    const next = names.includes(name)
      ? names.filter((other) => other !== name)
      : columns.map((column) => column.name).filter((other) => other === name || names.includes(other));
    onApply(next.length === columns.length ? undefined : next);
  };
  const listed = columns.filter(({ name }) => name.toLowerCase().includes(sought.toLowerCase()));
  return (
    <section className="editor" aria-label="Columns">
      {columns.length >= SEARCHED_FROM && (
        <input
          type="search"
          className="field mb-3 max-w-72"
          placeholder="Find a column"
          aria-label="Find a column"
          value={sought}
          onChange={(event) => setSought(event.target.value)}
        />
      )}
      <ul className="column-choices">
        {listed.map(({ name }) => (
          <li key={name}>
            <label className="flex items-center gap-2 text-sm">
              <input
                type="checkbox"
                checked={names.includes(name)}
                disabled={names.length === 1 && names[0] === name}
                onChange={() => toggle(name)}
              />
              <span className="truncate">{name}</span>
            </label>
          </li>
        ))}
      </ul>
      <div className="editor-buttons">
        <button
          type="button"
          className="button button-small"
          disabled={shown === undefined}
          onClick={() => onApply(undefined)}
        >
          Show all
        </button>
        <span className="flex-1" />
        <button type="button" className="button button-small" onClick={onClose}>
          Close
        </button>
      </div>
    </section>
  );
}
