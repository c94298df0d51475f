import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { formatBytes, formatCount, formatPlural } from "@/lib/format";
import type { Dataset } from "@/lib/schemas/dataset";
import type { Preview, Versions } from "@/lib/schemas/table";
import { ColumnDictionary } from "./column-dictionary";
import { CopiedId } from "./copied-id";
import { explorerUrl } from "./explorer/view-address";
import { previewCells } from "./preview-cells";
import { PreviewGrid } from "./preview-grid";
import { TableUse } from "./table-use";
import { VersionList } from "./version-list";

type Table = Dataset["tables"][number];

interface Props {
  /** The dataset's slug. */
  dataset: string;
  table: Table;
  preview: Preview;
  versions: Versions["versions"];
  now: Date;
}

/** Everything about one table: what it is, rows, columns, ways to read it, versions. */
export function TableSection({ dataset, table, preview, versions, now }: Props) {
  const id = `table-${table.slug}`;
  return (
    <section aria-labelledby={id} className="mt-16">
      <TableHead table={table} preview={preview} id={id} />
      <Part id={`${id}-rows`} title="Preview" aside={`First ${formatCount(preview.rows.length)} of ${formatPlural(preview.rows_total, "row")}`}>
        <PreviewGrid data={previewCells(preview)} label={`First rows of ${table.name}`} />
      </Part>
      <Part id={`${id}-columns`} title="Columns" aside={`${formatPlural(table.columns.length, "column")}, profiled over all rows`}>
        <ColumnDictionary
          columns={table.columns}
          rows={table.rows}
          label={`Columns of ${table.name}`}
          linkTo={(filters) => explorerUrl(dataset, table.slug, { filters })}
        />
      </Part>
      <Part id={`${id}-use`} title="Use it">
        <TableUse table={table} columns={table.columns} />
      </Part>
      <Part id={`${id}-versions`} title="Versions" aside={formatPlural(versions.length, "version")}>
        <VersionList versions={versions} label={`Versions of ${table.name}`} now={now} />
      </Part>
    </section>
  );
}

function TableHead({ table, preview, id }: { table: Table; preview: Preview; id: string }) {
  return (
    <header className="border-ink border-t-2 pt-5">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div className="min-w-0">
          <h2 id={id} className="text-2xl">
            {table.name}
          </h2>
          {table.description && <p className="mt-1.5 max-w-prose text-muted">{table.description}</p>}
          <p className="mt-2 text-muted text-sm tabular-nums">
            {formatPlural(table.rows, "row")}, {formatPlural(table.columns.length, "column")}, {formatBytes(table.bytes)} of Parquet
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <a className="button" href={`#${id}-use`}>
            <Download size={16} aria-hidden="true" />
            Query or download
          </a>
        </div>
      </div>
      <dl className="mt-4 grid gap-x-8 gap-y-1 text-sm lg:grid-cols-[auto_auto_minmax(0,1fr)]">
        <Identity name="Table id" text={table.tableId} />
        <Identity name="Version id" text={table.version_id} />
        <Identity name="Digest" text={preview.table.content_digest} />
      </dl>
    </header>
  );
}

function Identity({ name, text }: { name: string; text: string }) {
  return (
    <div className="flex min-w-0 items-center gap-2.5">
      <dt className="w-18 shrink-0 text-muted text-xs lg:w-auto">{name}</dt>
      <dd className="min-w-0">
        <CopiedId text={text} label={name.toLowerCase()} />
      </dd>
    </div>
  );
}

function Part({ id, title, aside, children }: { id: string; title: string; aside?: string; children: ReactNode }) {
  return (
    <div className="mt-9">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id={id} className="text-lg">
          {title}
        </h3>
        {aside && <p className="text-muted text-xs tabular-nums">{aside}</p>}
      </div>
      {children}
    </div>
  );
}
