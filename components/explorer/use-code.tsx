"use client";

import { useMemo, useState } from "react";
import { CodeView } from "./code-view";
import type { View, ViewColumn } from "./view";
import { viewQuery } from "./view-query";
import { type SnippetTable, viewSnippets } from "./view-snippets";

interface Props {
  table: SnippetTable;
  view: View;
  columns: readonly ViewColumn[];
  /** The most rows of an answer without a key. */
  anonymousRows: number;
}

/** The view as code in each language: what is pasted gives the rows that the grid shows first. */
export function UseCode({ table, view, columns, anonymousRows }: Props) {
  const [tab, setTab] = useState("curl");
  const needsKey = (view.limit ?? 0) > anonymousRows;
  const [wantsKey, setWantsKey] = useState(false);
  const keyed = wantsKey || needsKey;
  const query = useMemo(() => viewQuery(view, columns), [view, columns]);
  const snippets = useMemo(
    () => viewSnippets({ table, view, columns, query, keyed }),
    [table, view, columns, query, keyed],
  );
  return (
    <section aria-labelledby="use-code" className="mt-10">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="use-code" className="text-xl">
          Take it with you
        </h2>
        <label className="flex items-center gap-2 text-muted text-sm">
          <input
            type="checkbox"
            checked={keyed}
            disabled={needsKey}
            onChange={(event) => setWantsKey(event.target.checked)}
          />
          With a use key{needsKey ? ", which so many rows need" : ""}
        </label>
      </div>
      <fieldset className="min-w-0">
        <legend className="sr-only">Language</legend>
        <div className="tabs">
          {snippets.map((snippet) => (
            <CodeTab
              key={snippet.id}
              id={snippet.id}
              title={snippet.tab}
              isChosen={tab === snippet.id}
              onChoose={setTab}
            >
              <p className="mb-2 text-muted text-sm">{snippet.note}</p>
              <CodeView code={snippet.code} language={snippet.language} label={`This view with ${snippet.tab}`} />
            </CodeTab>
          ))}
        </div>
      </fieldset>
    </section>
  );
}

interface TabProps {
  id: string;
  title: string;
  isChosen: boolean;
  onChoose: (id: string) => void;
  children: React.ReactNode;
}

function CodeTab({ id, title, isChosen, onChoose, children }: TabProps) {
  return (
    <>
      <input
        type="radio"
        name="explorer-code"
        id={`explorer-code-${id}`}
        checked={isChosen}
        onChange={() => onChoose(id)}
        className="sr-only"
      />
      <label htmlFor={`explorer-code-${id}`}>{title}</label>
      <div className="panel">{children}</div>
    </>
  );
}
