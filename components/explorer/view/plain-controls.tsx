import { OPERATORS } from "@/lib/engine/types/operators";
import type { View, ViewColumn } from "@/lib/view/view";
import { viewParameters } from "@/lib/view/view-address";

interface Props {
  path: string;
  view: View;
  columns: readonly ViewColumn[];
}

/** Filters and groups without JavaScript: plain forms, answered by the same page. */
export function PlainControls({ path, view, columns }: Props) {
  return (
    <div className="editor text-sm">
      <form action={path} className="flex flex-wrap items-end gap-2">
        <Kept view={view} />
        <Labelled name="Column">
          <select name="add_column" className="field">
            {columns.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Labelled>
        <Labelled name="Condition">
          <select name="add_operator" className="field">
            {Object.entries(OPERATORS).map(([name, { english }]) => (
              <option key={name} value={name}>
                {english.replace(" (inclusive)", "")}
              </option>
            ))}
          </select>
        </Labelled>
        <Labelled name="Value (separate several with commas)">
          <input name="add_value" className="field" />
        </Labelled>
        <button type="submit" className="button">
          Add filter
        </button>
      </form>
      <form action={path} className="mt-3 flex flex-wrap items-end gap-2">
        <Kept view={view} />
        <Labelled name="Count rows by">
          <select name="add_group" className="field">
            {columns.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Labelled>
        <button type="submit" className="button">
          Count
        </button>
        <a className="button" href={path}>
          Clear all
        </a>
      </form>
      <p className="mt-3 text-muted">
        Click a column’s name to sort by it. Loading more rows and changing the chart need JavaScript.
      </p>
    </div>
  );
}

function Labelled({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is what it is given.
    <label className="block">
      <span className="mb-1 block text-muted text-xs">{name}</span>
      {children}
    </label>
  );
}

/** The current view, from its first row, as hidden fields that a form adds its own to. */
function Kept({ view }: { view: View }) {
  return [...viewParameters({ ...view, firstRow: undefined })].map(([name, value], at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parameters may be repeated.
    <input key={`${name}:${at}`} type="hidden" name={name} value={value} />
  ));
}
