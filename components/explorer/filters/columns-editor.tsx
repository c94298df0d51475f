"use client";

import { type ReactNode, useState } from "react";
import type { ViewColumn } from "@/lib/view/view";

interface Props {
  columns: readonly (ViewColumn & { description?: string | null })[];
  /** Absent: all. */
  shown: readonly string[] | undefined;
  onApply: (shown: readonly string[] | undefined) => void;
  onClose: () => void;
  /** What adds columns that the table has not. */
  children?: ReactNode;
}

const SEARCHED_FROM = 12;

/** Which columns are shown. With fewer columns, less is read and more rows fit on a page. */
export function ColumnsEditor({ columns, shown, onApply, onClose, children }: Props) {
  const [sought, setSought] = useState("");
  // a view needs at least one column, so it is unchanged until a column is chosen
  const [isCleared, setCleared] = useState(false);
  const names = isCleared ? [] : (shown ?? columns.map(({ name }) => name));
  const toggle = (name: string) => {
    const next = names.includes(name)
      ? names.filter((other) => other !== name)
      : columns.map((column) => column.name).filter((other) => other === name || names.includes(other));
    setCleared(false);
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
        {listed.map(({ name, type, description }) => (
          <li key={name}>
            <label className="flex items-start gap-2 text-sm">
              <input
                type="checkbox"
                className="mt-1"
                checked={names.includes(name)}
                disabled={names.length === 1 && names[0] === name}
                onChange={() => toggle(name)}
              />
              <span className="min-w-0">
                <span className="wrap-anywhere">{name}</span> <span className="text-faint text-xs">{type}</span>
                {description && <span className="line-clamp-2 text-muted text-xs">{description}</span>}
              </span>
            </label>
          </li>
        ))}
      </ul>
      {children}
      <div className="editor-buttons">
        <button
          type="button"
          className="button button-small"
          disabled={shown === undefined && !isCleared}
          onClick={() => {
            setCleared(false);
            onApply(undefined);
          }}
        >
          Show all
        </button>
        <button
          type="button"
          className="button button-small"
          disabled={isCleared || columns.length < 2}
          onClick={() => setCleared(true)}
        >
          Clear all
        </button>
        {isCleared && (
          <p role="status" className="text-muted text-sm">
            Choose the columns to show.
          </p>
        )}
        <span className="flex-1" />
        <button type="button" className="button button-small" onClick={onClose}>
          Close
        </button>
      </div>
    </section>
  );
}
