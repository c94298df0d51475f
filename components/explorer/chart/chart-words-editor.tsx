"use client";

import { useState } from "react";
import { NOTE_MAX, ownText, TITLE_MAX } from "@/components/explorer/view/read-parts";

interface Words {
  title: string | undefined;
  note: string | undefined;
}

/** A custom title and note, kept in the URL with the view. */
export function ChartWords({ title, note, onWords }: Words & { onWords: (words: Words) => void }) {
  const [given, setGiven] = useState({ title, note });
  const [draft, setDraft] = useState(draftOf(given));
  if (given.title !== title || given.note !== note) {
    setGiven({ title, note });
    setDraft(draftOf({ title, note }));
  }
  return (
    <details className="chart-words needs-script">
      <summary>Title and note</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onWords({ title: ownText(draft.title) || undefined, note: ownText(draft.note) || undefined });
        }}
      >
        <label>
          Title
          <input
            className="field"
            maxLength={TITLE_MAX}
            value={draft.title}
            onChange={(event) => setDraft({ ...draft, title: event.target.value })}
          />
        </label>
        <label>
          Note
          <input
            className="field"
            maxLength={NOTE_MAX}
            value={draft.note}
            onChange={(event) => setDraft({ ...draft, note: event.target.value })}
          />
        </label>
        <button type="submit" className="button button-small">
          Apply
        </button>
      </form>
    </details>
  );
}

const draftOf = ({ title = "", note = "" }: Words) => ({ title, note });
