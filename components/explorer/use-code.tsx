"use client";

import { useMemo, useState } from "react";
import { sqlNameOf, sqlUrl } from "@/components/sql/sql-address";
import { formatCount } from "@/lib/kernel/format";
import { firstPlace, type View, viewQuery } from "@/lib/view/view";
import { CodeView } from "./code-view";
import type { ExplorerTable, PublishedTable } from "./explorer-table";
import { viewSnippets } from "./view/view-snippets";
import { type SqlColumn, viewSqlOver } from "./view/view-sql";

interface Props {
  table: PublishedTable;
  /** The explorer's path. */
  path: string;
  owner: ExplorerTable["owner"];
  view: View;
  columns: readonly SqlColumn[];
  /** Maximum number of rows without a key. */
  anonymousRows: number;
}

/** The view as code in each language; as pasted, it returns the rows that the grid shows first. */
export function UseCode({ table, path, owner, view, columns, anonymousRows }: Props) {
  const needsKey = owner !== undefined || (view.limit ?? 0) > anonymousRows;
  const [wantsKey, setWantsKey] = useState(false);
  const keyed = wantsKey || needsKey;
  const query = useMemo(() => viewQuery(view, columns, firstPlace(view)), [view, columns]);
  const snippets = useMemo(
    () => viewSnippets({ table, view, columns, query, keyed }),
    [table, view, columns, query, keyed],
  );
  const sqlPage = useMemo(() => sqlPageOf(table, path, view, columns), [table, path, view, columns]);
  return (
    <section aria-labelledby="use-code" className="mt-10">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="use-code" className="text-xl">
          Use this view in code
        </h2>
        <label className="flex items-center gap-2 text-muted text-sm">
          <input
            type="checkbox"
            checked={keyed}
            disabled={needsKey}
            onChange={(event) => setWantsKey(event.target.checked)}
          />
          {owner
            ? `Requires an API key of ${owner.name}`
            : needsKey
              ? `Requires an API key (more than ${formatCount(anonymousRows)} rows)`
              : "With an API key"}
        </label>
      </div>
      <fieldset className="min-w-0">
        <legend className="sr-only">Language</legend>
        <div className="tabs">
          {snippets.map((snippet) => (
            <CodeTab key={snippet.id} id={snippet.id} title={snippet.tab} isFirst={snippet.id === "curl"}>
              <p className="mb-2 text-muted text-sm">
                {snippet.note}
                {snippet.language === "sql" && sqlPage !== undefined && (
                  <>
                    {" "}
                    <a className="link" href={sqlPage}>
                      Open in SQL
                    </a>{" "}
                    runs it in your browser.
                  </>
                )}
              </p>
              <CodeView code={snippet.code} language={snippet.language} label={`This view with ${snippet.tab}`} />
            </CodeTab>
          ))}
        </div>
      </fieldset>
    </section>
  );
}

/** The page for SQL with this view as a query over the version that is explored. */
function sqlPageOf({ slug, explored }: PublishedTable, path: string, view: View, columns: readonly SqlColumn[]) {
  const [dataset = "", table = ""] = path.split("/").slice(2);
  const name = sqlNameOf(slug);
  const sql = viewSqlOver(view, columns, name);
  return sql && sqlUrl([{ name, slug: dataset, table, version: explored }], sql);
}

interface TabProps {
  id: string;
  title: string;
  isFirst: boolean;
  children: React.ReactNode;
}

/** The browser keeps track of the open tab, so a choice made before hydration is kept. */
function CodeTab({ id, title, isFirst, children }: TabProps) {
  return (
    <>
      <input
        type="radio"
        name="explorer-code"
        id={`explorer-code-${id}`}
        defaultChecked={isFirst}
        className="sr-only"
      />
      <label htmlFor={`explorer-code-${id}`}>{title}</label>
      <div className="panel">{children}</div>
    </>
  );
}
