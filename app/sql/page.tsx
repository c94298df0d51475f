import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { sessionContext } from "@/app/context";
import type { SearchParams } from "@/app/search-params";
import { readNamedTable, sqlUrl } from "@/components/sql/sql-address";
import { type OfferedTable, SqlPage } from "@/components/sql/sql-page";
import { Notice } from "@/components/ui/notice";
import { sqlName } from "@/lib/describe/snippet-text";
import { getAccount } from "@/lib/operations/account/own-account";
import { execute } from "@/lib/operations/execute";
import { offeredTable } from "./offered-table";
import { sqlWorkerUrl } from "./worker-url";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "SQL", robots: { index: false } };

/** The most tables of one page. */
const TABLES_MAX = 12;
const QUERY_CHARACTERS_MAX = 20_000;

const allOf = (value: string | string[] | undefined): string[] => [value ?? []].flat();

export default async function SqlQueryPage({ searchParams }: { searchParams: SearchParams }) {
  const { t, q } = await searchParams;
  const texts = allOf(t).slice(0, TABLES_MAX);
  const sql = (allOf(q)[0] ?? "").slice(0, QUERY_CHARACTERS_MAX);
  const named = texts.map((text) => readNamedTable(text));
  const ctx = await sessionContext(
    sqlUrl(
      named.flatMap((each) => each ?? []),
      sql,
    ),
  );
  const { workspaces } = await execute(getAccount, {}, ctx);
  const { tables, refused } = await offeredTables(texts, workspaces[0]?.id ?? "");
  const pinned = sqlUrl(
    tables.map((table) => table.named),
    sql,
  );
  if (refused.length === 0 && named.some((each) => each?.version === undefined)) redirect(pinned);
  const workerUrl = sqlWorkerUrl();
  const [first] = tables;
  return (
    <div className="page py-6 sm:py-8">
      <h1 className="font-semibold text-2xl tracking-tight">SQL</h1>
      <p className="mt-2 mb-6 max-w-prose text-muted">
        DuckDB runs in your browser, over whole tables whose bytes are checked against their SHA-256 first. Queries and
        results stay on your computer.{" "}
        <a className="link" href="/docs/sql">
          What it can do
        </a>
      </p>
      <noscript>
        <p className="mb-6 max-w-prose">This page needs JavaScript: the query runs in your browser.</p>
      </noscript>
      {refused.map((message) => (
        <div key={message} className="mb-4">
          <Notice tone="warning">{message}</Notice>
        </div>
      ))}
      {workerUrl === undefined ? (
        <Notice tone="warning">
          This build of the service has no DuckDB for browsers. Its operator runs npm run build.
        </Notice>
      ) : (
        <SqlPage
          workerUrl={workerUrl}
          tables={tables}
          sql={sql || (first ? `FROM ${sqlName(first.name)} LIMIT 100` : "")}
        />
      )}
    </div>
  );
}

/** The tables that a URL names, and why others cannot be offered. */
async function offeredTables(texts: readonly string[], workspaceId: string) {
  const tables: OfferedTable[] = [];
  const refused: string[] = [];
  for (const text of texts) {
    const named = readNamedTable(text);
    const offered = named && (await offeredTable(named, workspaceId));
    if (typeof offered !== "object") refused.push(offered ?? `“${text.slice(0, 100)}” does not name a table.`);
    else if (tables.some(({ name }) => name.toLowerCase() === offered.name.toLowerCase()))
      refused.push(`Two tables are named ${offered.name}.`);
    else tables.push(offered);
  }
  return { tables, refused };
}
