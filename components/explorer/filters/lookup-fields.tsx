"use client";

import { type SubmitEvent, useEffect, useId, useRef, useState } from "react";
import { isLookedUp, type View, type ViewColumn } from "@/lib/view/view";
import {
  columnsWithKey,
  findTable,
  type LookupDraft,
  type LookupSources,
  lookupFault,
  startLookup,
  withLookup,
} from "./lookup-draft";

interface Props {
  view: View;
  columns: readonly ViewColumn[];
  sources: LookupSources;
  /** Shows a view with other columns than the page has. */
  onView: (view: View) => void;
}

/** Adds columns of another table, whose rows are found by their key. */
export function LookupFields({ view, columns, sources, onView }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState("");
  const [draft, setDraft] = useState<LookupDraft>();
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const own = columns.filter((column) => !isLookedUp(view, column.name)); // a key is found by these alone
  const ids = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isOpen) field.current?.focus();
  }, [isOpen]);
  if (!isOpen)
    return (
      <button type="button" className="button button-small mt-3" onClick={() => setOpen(true)}>
        Add columns of another table
      </button>
    );
  const find = async () => {
    setBusy(true);
    const found = await findTable(name, sources);
    setBusy(false);
    setFault(typeof found === "string" ? found : undefined);
    setDraft(typeof found === "string" || field.current?.value !== name ? undefined : startLookup(found, own));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!draft) return void find();
    const missing = lookupFault(draft, view);
    setFault(missing);
    if (missing === undefined) onView(withLookup(view, draft, columns));
  };
  return (
    <form className="mt-4 border-line border-t pt-3 text-sm" aria-label="Columns of another table" onSubmit={submit}>
      <div className="flex flex-wrap items-end gap-2">
        <label className="min-w-0 grow basis-64">
          Table
          <input
            ref={field}
            className="field mt-1 max-w-96"
            list={`${ids}-tables`}
            autoComplete="off"
            spellCheck={false}
            placeholder="dataset/table"
            required
            value={name}
            onChange={(event) => {
              setName(event.target.value);
              setDraft(undefined);
            }}
          />
        </label>
        <datalist id={`${ids}-tables`}>
          {sources.siblings.map(({ id, slug }) => (
            <option key={id} value={`${sources.dataset}/${slug}`} />
          ))}
        </datalist>
        {!draft && (
          <button type="submit" className="button button-small" disabled={isBusy}>
            Find its columns
          </button>
        )}
      </div>
      {draft && <DraftFields draft={draft} columns={own} onChange={setDraft} />}
      <p role="alert" className="mt-2 text-danger empty:hidden">
        {fault}
      </p>
      {draft && (
        <div className="editor-buttons">
          <button type="submit" className="button button-small button-primary">
            Add columns
          </button>
        </div>
      )}
    </form>
  );
}

interface DraftProps {
  draft: LookupDraft;
  columns: readonly ViewColumn[];
  onChange: (draft: LookupDraft) => void;
}

function DraftFields({ draft, columns, onChange }: DraftProps) {
  const { table, on } = draft;
  const toggle = (name: string) =>
    onChange({
      ...draft,
      columns: table.columns
        .map((column) => column.name)
        .filter((other) => draft.columns.includes(other) !== (other === name)),
    });
  return (
    <>
      <fieldset className="mt-3 min-w-0">
        <legend className="text-muted">Each row is found by its key</legend>
        {table.primaryKey.map((key) => (
          <label key={key} className="mt-1.5 flex flex-wrap items-center gap-2">
            <span className="wrap-anywhere font-medium">{key}</span> is
            <select
              className="field w-auto max-w-64"
              value={on[key] ?? ""}
              onChange={(event) => onChange({ ...draft, on: { ...on, [key]: event.target.value } })}
            >
              <option value="">choose a column…</option>
              {columnsWithKey(columns, table, key).map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        ))}
      </fieldset>
      <fieldset className="mt-3 min-w-0">
        <legend className="text-muted">Its columns</legend>
        <ul className="column-choices mt-1.5">
          {table.columns
            .filter(({ name }) => !table.primaryKey.includes(name))
            .map(({ name, type }) => (
              <li key={name}>
                <label className="flex items-start gap-2">
                  <input
                    type="checkbox"
                    className="mt-1"
                    checked={draft.columns.includes(name)}
                    onChange={() => toggle(name)}
                  />
                  <span className="min-w-0">
                    <span className="wrap-anywhere">{name}</span> <span className="text-faint text-xs">{type}</span>
                  </span>
                </label>
              </li>
            ))}
        </ul>
      </fieldset>
    </>
  );
}
