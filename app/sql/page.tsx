import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { sessionContext } from "@/app/context";
import type { SearchParams } from "@/app/search-params";
import { type NamedTable, readNamedTable, sqlUrl } from "@/components/sql/sql-address";
import { type OfferedTable, SqlPage } from "@/components/sql/sql-page";
import { Notice } from "@/components/ui/notice";
import type { Context } from "@/lib/access/context";
import { takeMetadataRequest } from "@/lib/access/quotas";
import { sqlName } from "@/lib/describe/snippet-text";
import { Failure } from "@/lib/kernel/errors";
import { pageText } from "@/lib/kernel/page-text";
import { getAccount } from "@/lib/operations/account/own-account";
import { execute } from "@/lib/operations/execute";
import { offeredTable } from "./offered-table";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "SQL", robots: { index: false } };

/** The most tables of one page, and columns of them all. */
const TABLES_MAX = 12;
const COLUMNS_MAX = 5_000;
const QUERY_CHARACTERS_MAX = 20_000;

const allOf = (value: string | string[] | undefined): string[] => [value ?? []].flat();

export default async function SqlQueryPage({ searchParams }: { searchParams: SearchParams }) {
  const { t, q } = await searchParams;
  const all = allOf(t);
  const texts = all.slice(0, TABLES_MAX);
  const [written = ""] = allOf(q);
  const sql = written.length > QUERY_CHARACTERS_MAX ? "" : written;
  const named = texts.map((text) => readNamedTable(text));
  const ctx = await sessionContext(
    sqlUrl(
      named.flatMap((each) => each ?? []),
      sql,
    ),
  );
  const { workspaces } = await execute(getAccount, {}, ctx);
  const { tables, refused } = await offeredTables(texts, workspaces[0]?.id ?? "", ctx);
  if (all.length > texts.length) refused.push(`A page has at most ${TABLES_MAX} tables. The others were left out.`);
  if (sql !== written) refused.push(`The query was left out: it has more than ${QUERY_CHARACTERS_MAX} characters.`);
  const pinned = sqlUrl(
    tables.map((table) => table.named),
    sql,
  );
  if (refused.length === 0 && named.some((each) => each?.version === undefined)) redirect(pinned);
  const script = sqlWorkerUrl();
  const [first] = tables;
  return (
    <div className="page py-6 sm:py-8">
      <h1 className="font-semibold text-2xl tracking-tight">SQL</h1>
      <p className="mt-2 mb-6 max-w-prose text-muted">
        DuckDB runs in your browser, over whole tables whose bytes are checked against their SHA-256 first. Results stay
        on your computer.{" "}
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
      {script === undefined ? (
        <Notice tone="warning">
          This build of the service has no DuckDB for browsers. Its operator runs npm run build.
        </Notice>
      ) : (
        <SqlPage
          workerUrl={script}
          tables={tables}
          sql={sql || (first ? `FROM ${sqlName(first.name)} LIMIT 100` : "")}
        />
      )}
    </div>
  );
}

let workerUrl: string | undefined;

/** Where the build has the worker's script, which is read once; undefined without a build. */
function sqlWorkerUrl(): string | undefined {
  const path = join(process.cwd(), ".next", "sql-worker");
  if (workerUrl === undefined && existsSync(path)) workerUrl = `/_next/static/sql/${readFileSync(path, "utf8")}`;
  return workerUrl;
}

/** The tables that a URL names, and why others cannot be offered. Each counts as a metadata request. */
async function offeredTables(texts: readonly string[], workspaceId: string, ctx: Context) {
  const tables: OfferedTable[] = [];
  const refused: string[] = [];
  let columns = 0;
  for (const [at, text] of texts.entries()) {
    const named = readNamedTable(text);
    const offered = texts.indexOf(text) < at ? undefined : named && (await countedTable(named, workspaceId, ctx));
    if (typeof offered !== "object") refused.push(offered ?? refusal(text, texts.indexOf(text) < at));
    else if (tables.some(({ name }) => name.toLowerCase() === offered.name.toLowerCase()))
      refused.push(`Two tables are named ${offered.name}. The second was left out.`);
    else if (columns + offered.columns.length > COLUMNS_MAX)
      refused.push(`${offered.name} was left out: the tables of a page have at most ${COLUMNS_MAX} columns together.`);
    else {
      columns += offered.columns.length;
      tables.push(offered);
    }
  }
  return { tables, refused };
}

const refusal = (text: string, isThere: boolean): string =>
  isThere ? `“${text.slice(0, 100)}” is there already.` : `“${text.slice(0, 100)}” does not name a table.`;

async function countedTable(named: NamedTable, workspaceId: string, ctx: Context): Promise<OfferedTable | string> {
  try {
    await takeMetadataRequest(ctx);
  } catch (error) {
    if (error instanceof Failure && error.status < 500) return pageText(error);
    throw error;
  }
  return await offeredTable(named, workspaceId);
}
