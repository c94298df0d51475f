"use client";

import { Download, Link2, Play, Square, X } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type RefObject, useCallback, useEffect, useId, useRef, useState } from "react";
import type { ChartCaption } from "@/components/chart/save-chart";
import { useCodeEditor } from "@/components/editor/use-code-editor";
import { saveAs } from "@/components/explorer/answer/download-page";
import { SharedLink, ShortLinks } from "@/components/share/short-links";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Menu } from "@/components/ui/menu";
import { Notice } from "@/components/ui/notice";
import { formatBytes, formatCount, formatPlural } from "@/lib/kernel/format";
import { SAVED_FORMATS, type SavedFormat, type SqlTable } from "./messages";
import { type NamedTable, sqlNameOf, sqlUrl } from "./sql-address";
import { SqlResult } from "./sql-result";
import { type ShownResult, useSql } from "./use-sql";

/** A longer one does not fit into the URL of a page everywhere. */
const URL_CHARACTERS_MAX = 8_000;

/** A table of the page, with what is said about it. */
export interface OfferedTable extends SqlTable {
  tableId: string;
  title: string;
  named: NamedTable;
  /** The explorer of this version. */
  explorer: string;
  /** `version 1.50.0 of 15 Sept 2021`, and whether another one is current. */
  versionText: string;
  isOlder: boolean;
  isPrivate: boolean;
  /** How to cite this version. */
  citation: string;
}

interface Props {
  workerUrl: string;
  tables: readonly OfferedTable[];
  sql: string;
}

const FORMATS: Readonly<Record<SavedFormat, { label: string; extension: string }>> = {
  csv: { label: "CSV", extension: "csv" },
  parquet: { label: "Parquet", extension: "parquet" },
  arrow: { label: "Arrow", extension: "arrows" },
};

/** Queries over tables, and what they return. */
export function SqlPage({ workerUrl, tables, sql }: Props) {
  const router = useRouter();
  const field = useRef<HTMLTextAreaElement>(null);
  const database = useSql<OfferedTable>(workerUrl);
  const { progress, result, problem } = database;
  const run = () => {
    if (!field.current || progress !== undefined) return;
    database.run(tables, field.current.value);
    const url = sqlUrl(
      tables.map(({ named }) => named),
      field.current.value,
    );
    if (url.length <= URL_CHARACTERS_MAX) window.history.replaceState(window.history.state, "", url);
  };
  const remove = (table: OfferedTable) => {
    const others = tables.filter((each) => each !== table).map(({ named }) => named);
    router.replace(sqlUrl(others, field.current?.value), { scroll: false });
  };
  return (
    <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,18rem)_minmax(0,1fr)]">
      <section aria-labelledby="tables" className="min-w-0">
        <h2 id="tables" className="font-semibold">
          Tables
        </h2>
        {tables.length === 0 && (
          <p className="mt-2 text-muted text-sm">
            None yet. Add one below, or open a table’s page and choose <b>Open in SQL</b>.
          </p>
        )}
        <ul className="mt-3 space-y-4">
          {tables.map((table) => (
            <TableEntry key={table.name} table={table} onRemove={() => remove(table)} />
          ))}
        </ul>
        <AddTable tables={tables} sqlOf={() => field.current?.value} />
      </section>
      <div className="min-w-0 space-y-4">
        <QueryField field={field} tables={tables} sql={sql} onRun={run} />
        <div className="flex flex-wrap items-center gap-3">
          {progress === undefined ? (
            <Button look="primary" onClick={run}>
              <Play size={15} aria-hidden="true" /> Run
            </Button>
          ) : (
            <Button onClick={database.stop}>
              <Square size={14} aria-hidden="true" /> Stop
            </Button>
          )}
          <p role="status" className="text-muted text-sm">
            {progress === undefined ? (result && !problem ? foundText(result) : "") : `${progress} …`}
          </p>
        </div>
        {problem && (
          <Notice tone="danger">
            <p className="whitespace-pre-wrap">{problem.message}</p>
            {problem.table !== undefined && <ExplorerLink table={tables.find(({ name }) => name === problem.table)} />}
          </Notice>
        )}
        {result && (
          <>
            <SqlResult result={result} caption={captionOf(result)} onMore={database.more} />
            <ResultActions result={result} isBusy={progress !== undefined} save={database.save} />
          </>
        )}
      </div>
    </div>
  );
}

const foundText = ({ rows, milliseconds, read: tables }: ShownResult<OfferedTable>): string => {
  const time = milliseconds < 10 ? "under 10 ms" : `${formatCount(Math.round(milliseconds))} ms`;
  const names = tables.map(({ name }) => name).join(", ");
  const read = tables.length === 0 ? "" : `, from verified bytes of ${names}`;
  return `${formatPlural(rows, "row")} in ${time}${read}.`;
};

const captionOf = ({ tables, read, sql }: ShownResult<OfferedTable>): ChartCaption => ({
  title: sql.length > 200 ? `${sql.slice(0, 200)}…` : sql,
  source: read.map(({ title, named, file }) => `${title}: version ${named.version}, sha256:${file.sha256}`),
  path: sqlUrl(
    tables.map(({ named }) => named),
    sql,
  ),
  fileName: "query",
});

function ExplorerLink({ table }: { table: OfferedTable | undefined }) {
  return (
    table && (
      <p className="mt-1">
        <Link className="link" prefetch={false} href={table.explorer}>
          Explore {table.title}
        </Link>
      </p>
    )
  );
}

function TableEntry({ table, onRemove }: { table: OfferedTable; onRemove: () => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="rounded-md border border-line p-3 text-sm">
      <div className="flex items-start gap-2">
        <p className="min-w-0 grow">
          <b className="break-words font-mono">{table.name}</b>
          {table.isPrivate && <span className="text-muted"> private</span>}
        </p>
        <Button look="quiet" small aria-label={`Remove ${table.name}`} onClick={onRemove}>
          <X size={15} aria-hidden="true" />
        </Button>
      </div>
      <p>
        <Link className="link" prefetch={false} href={table.explorer}>
          {table.title}
        </Link>
      </p>
      <p className="text-muted">
        {table.versionText}, {formatPlural(table.rows, "row")}, {formatBytes(table.file.bytes)}
      </p>
      <details className="mt-2" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="cursor-pointer">{formatPlural(table.columns.length, "column")}</summary>
        <ul className="mt-1.5 max-h-72 space-y-0.5 overflow-y-auto">
          {(isOpen ? table.columns : []).map(({ name, sql }) => (
            <li key={name} className="flex flex-wrap justify-between gap-x-3">
              <span className="break-all font-mono">{name}</span>
              <span className="text-muted text-xs">{sql.length > 30 ? `${sql.slice(0, 30)}…` : sql}</span>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

interface FoundDataset {
  slug: string;
  title: string;
  tables: readonly { slug: string; name: string; rows: number }[];
}

const FOUND_MAX = 5;

/** Finds tables of the catalogue by words, and adds them. */
function AddTable({ tables, sqlOf }: { tables: readonly OfferedTable[]; sqlOf: () => string | undefined }) {
  const id = useId();
  const router = useRouter();
  const [found, setFound] = useState<readonly FoundDataset[]>();
  const [problem, setProblem] = useState<string>();
  const find = async (words: string) => {
    setProblem(undefined);
    const query = new URLSearchParams({ q: words, limit: String(FOUND_MAX) });
    const reply = await fetch(`/api/v2/public/datasets?${query}`).catch(() => undefined);
    const said = await reply?.json().catch(() => undefined);
    if (!reply?.ok) return setProblem(said?.message ?? "The service cannot be reached. Try again.");
    setFound(said.datasets);
  };
  const add = (slug: string, table: string) => {
    const named = { slug, table, version: undefined, name: freeName(table, tables) };
    router.push(sqlUrl([...tables.map((each) => each.named), named], sqlOf()), { scroll: false });
  };
  return (
    <div className="mt-5 text-sm">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void find(String(new FormData(event.currentTarget).get("words") ?? ""));
        }}
      >
        <label htmlFor={id} className="mb-1 block font-medium">
          Add a table
        </label>
        <div className="flex gap-2">
          <input id={id} name="words" type="search" placeholder="Words about it" className="field min-w-0 grow" />
          <Button type="submit">Find</Button>
        </div>
      </form>
      {problem !== undefined && <Notice tone="danger">{problem}</Notice>}
      {found?.length === 0 && (
        <p role="status" className="mt-2 text-muted">
          No dataset has these words.
        </p>
      )}
      <ul className="mt-2 space-y-2">
        {found?.map((dataset) => (
          <li key={dataset.slug}>
            <p className="text-muted">{dataset.title}</p>
            {dataset.tables.map((table) => (
              <button
                key={table.slug}
                type="button"
                className="menu-item"
                onClick={() => add(dataset.slug, table.slug)}
              >
                {table.name} <span className="text-muted">{formatPlural(table.rows, "row")}</span>
              </button>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}

function freeName(slug: string, tables: readonly OfferedTable[]): string {
  const name = sqlNameOf(slug);
  const isTaken = (text: string) => tables.some((each) => each.name.toLowerCase() === text);
  for (let at = 1; ; at += 1) {
    const free = at === 1 ? name : `${name}_${at}`;
    if (!isTaken(free)) return free;
  }
}

interface FieldProps {
  field: RefObject<HTMLTextAreaElement | null>;
  tables: readonly OfferedTable[];
  sql: string;
  onRun: () => void;
}

function QueryField({ field, tables, sql, onRun }: FieldProps) {
  const id = useId();
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(onRun);
  latest.current = onRun;
  const words = JSON.stringify(
    Object.fromEntries(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)])),
  );
  const language = useCallback(async () => {
    const { sqlLanguage } = await import("./sql-language");
    return sqlLanguage(JSON.parse(words), () => latest.current());
  }, [words]);
  const editor = useCodeEditor({
    ...{ field, host, language },
    ...{ labelledBy: `${id}-label`, describedBy: `${id}-hint` },
    onText: () => undefined,
  });
  return (
    <div className="sql-field">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the editor itself is in the order of the Tab key */}
      <label
        id={`${id}-label`}
        htmlFor={editor.isReady ? undefined : id}
        onClick={editor.focus}
        className="mb-1 block font-semibold"
      >
        Query
      </label>
      <textarea
        ref={field}
        id={id}
        defaultValue={sql}
        rows={8}
        spellCheck={false}
        autoCapitalize="none"
        hidden={editor.isReady}
        className="field h-auto resize-y py-2 font-mono text-[0.8125rem] leading-5"
      />
      <div ref={host} />
      <p id={`${id}-hint`} className="mt-1.5 text-muted text-xs">
        Ctrl+Enter runs it, Ctrl+Space completes names. To leave the editor with Tab, press Escape first.
      </p>
    </div>
  );
}

interface ActionProps {
  result: ShownResult<OfferedTable>;
  isBusy: boolean;
  save: (format: SavedFormat, about: Readonly<Record<string, string>>) => Promise<Blob | undefined>;
}

/** The result as files and as a link, and how to cite what it was made of. */
function ResultActions({ result, isBusy, save }: ActionProps) {
  const used = result.read;
  const link = useLink(result);
  const about = {
    "parquetry.query": result.sql,
    "parquetry.sources": JSON.stringify(
      used.map(({ named, file }) => ({ ...named, content_digest: `sha256:${file.sha256}` })),
    ),
  };
  const onSave = async (format: SavedFormat) => {
    const file = await save(format, about);
    if (file) saveAs(file, `query.${FORMATS[format].extension}`);
  };
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Menu
          summary={
            <>
              <Download size={15} aria-hidden="true" /> Download
            </>
          }
        >
          <p className="menu-note">All {formatPlural(result.rows, "row")}</p>
          {SAVED_FORMATS.map((format) => (
            <button
              key={format}
              type="button"
              className="menu-item"
              disabled={isBusy}
              onClick={() => void onSave(format)}
            >
              {FORMATS[format].label}
            </button>
          ))}
        </Menu>
        {link === undefined ? (
          <p className="text-muted text-sm">The query is too long for a link.</p>
        ) : (
          <ShareQuery link={link} tableId={(used[0] ?? result.tables[0])?.tableId} />
        )}
      </div>
      {used.length > 0 && (
        <section aria-labelledby="cite" className="text-sm">
          <h2 id="cite" className="font-semibold">
            Cite
          </h2>
          <ul className="mt-1 space-y-1">
            {used.map(({ name, citation }) => (
              <li key={name} className="break-words">
                {citation}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** The link to the query, and short links that anyone can open who may read its first table. */
function ShareQuery({ link, tableId }: { link: string; tableId: string | undefined }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        <Link2 size={15} aria-hidden="true" /> Share
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Share this query">
        <div className="mt-3 space-y-4 text-sm">
          <SharedLink label="Link to this query" url={link} />
          {tableId !== undefined && (
            <ShortLinks key={link} tableId={tableId} page="sql" title="" queryOf={(title) => titled(link, title)} />
          )}
        </div>
      </Dialog>
    </>
  );
}

function titled(link: string, title: string): string {
  const search = link.slice(link.indexOf("?") + 1);
  const words = title.trim();
  return words === "" ? search : `${search}&${new URLSearchParams({ title: words })}`;
}

/** The page with the query and the versions that it read; undefined if that is too long for a URL. */
function useLink({ tables, sql }: ShownResult<OfferedTable>): string | undefined {
  const [origin, setOrigin] = useState("");
  useEffect(() => setOrigin(window.location.origin), []);
  const url = sqlUrl(
    tables.map(({ named }) => named),
    sql,
  );
  return url.length > URL_CHARACTERS_MAX ? undefined : origin + url;
}
