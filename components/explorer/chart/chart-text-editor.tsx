"use client";

import { useState } from "react";
import type { ViewWords } from "@/lib/view/view";
import { NOTE_MAX, ownText, TITLE_MAX } from "@/lib/view/view-address";

const FIELDS = [
  { name: "title", label: "Title", most: TITLE_MAX },
  { name: "note", label: "Note", most: NOTE_MAX },
  { name: "xTitle", label: "X axis label", most: TITLE_MAX },
  { name: "yTitle", label: "Y axis label", most: TITLE_MAX },
] as const;

interface Props {
  words: ViewWords;
  /** Whether the chart has axes that can be named. */
  hasAxes: boolean;
  onWords: (words: ViewWords) => void;
}

/**
 * The reader's own words in a chart, kept in the URL with the view. They apply when a field is left or Enter is
 * pressed, so whatever is saved or copied next contains them.
 */
export function ChartWords({ words, hasAxes, onWords }: Props) {
  const [draft, setDraft] = useState<ViewWords>({});
  const apply = () => {
    const said = { ...words, ...draft };
    setDraft({});
    const next = Object.fromEntries(FIELDS.map(({ name }) => [name, ownText(said[name] ?? "") || undefined]));
    if (FIELDS.some(({ name }) => next[name] !== words[name])) onWords(next);
  };
  return (
    <details className="chart-words needs-script">
      <summary>{hasAxes ? "Title, axes and note" : "Title and note"}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        {FIELDS.slice(0, hasAxes ? undefined : 2).map(({ name, label, most }) => (
          <label key={name}>
            {label}
            <input
              className="field"
              maxLength={most}
              value={draft[name] ?? words[name] ?? ""}
              onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
              onBlur={apply}
            />
          </label>
        ))}
        <button type="submit" hidden>
          Apply
        </button>
      </form>
    </details>
  );
}
