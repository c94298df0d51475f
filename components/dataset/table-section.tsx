import type { ReactNode } from "react";
import { tableSqlUrl } from "@/components/sql/sql-address";
import { LinkButton } from "@/components/ui/button";
import { TitledHead } from "@/components/ui/titled-head";
import { previewCells } from "@/components/values/preview-cells";
import { PreviewGrid } from "@/components/values/preview-grid";
import { formatBytes, formatCount, formatPlural } from "@/lib/kernel/format";
import type { Dataset } from "@/lib/schemas/dataset";
import type { Preview } from "@/lib/schemas/table";
import { explorerUrl } from "@/lib/view/view-address";
import { ColumnDictionary } from "./column-dictionary";
import { ColumnIndex, type ColumnSpan, SpanLinks, spanText } from "./column-span";
import { Identity } from "./version-facts";

type Table = Dataset["tables"][number];

interface Props {
  dataset: Pick<Dataset, "slug">;
  table: Table;
  preview: Preview;
  span: ColumnSpan;
}

/** The contents of one table: its identity, its first rows and its columns. */
export function TableSection({ dataset, table, preview, span }: Props) {
  const columns = table.columns.slice(span.from, span.to);
  const heads = preview.columns.slice(span.from, span.to).map(({ name, type }) => {
    const { unit } = table.columns.find((column) => column.name === name) ?? {};
    return { name, type, unit };
  });
  const rows = `First ${formatCount(preview.rows.length)} of ${formatPlural(preview.rows_total, "row")}`;
  return (
    <section aria-labelledby="table" className="mt-14">
      <TableHead dataset={dataset} table={table} preview={preview} />
      <Part id="rows" title="Preview" aside={`${rows}${spanText(span)}`}>
        <PreviewGrid data={previewCells({ ...preview, columns: heads })} label={`First rows of ${table.name}`} />
      </Part>
      <Part id="columns" title="Columns" aside={`${formatPlural(span.total, "column")}, profiled over all rows`}>
        <ColumnIndex names={table.columns.map(({ name }) => name)} span={span} table={table.slug} />
        <ColumnDictionary
          columns={columns}
          rows={table.rows}
          label={`Columns of ${table.name}`}
          linkTo={(filters) => explorerUrl(dataset.slug, table.slug, { filters })}
        />
        <SpanLinks span={span} search={`?table=${table.slug}&`} />
      </Part>
    </section>
  );
}

function TableHead({ dataset, table, preview }: Pick<Props, "dataset" | "table" | "preview">) {
  return (
    <header className="border-ink border-t-2 pt-5">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div className="min-w-0">
          <h2 id="table" className="text-2xl">
            {table.name}
          </h2>
          {table.description && <p className="mt-1.5 max-w-prose text-muted">{table.description}</p>}
          <p className="mt-2 text-muted text-sm tabular-nums">
            {formatPlural(table.rows, "row")}, {formatPlural(table.columns.length, "column")},{" "}
            {formatBytes(table.bytes)} of Parquet
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <LinkButton href={explorerUrl(dataset.slug, table.slug)}>Explore {table.name.toLowerCase()}</LinkButton>
          <LinkButton look="quiet" href={tableSqlUrl(dataset.slug, table.slug)}>
            Open in SQL
          </LinkButton>
        </div>
      </div>
      <dl className="mt-4 grid gap-x-8 gap-y-1 text-sm lg:grid-cols-[auto_auto_minmax(0,1fr)]">
        <Identity name="Table ID" text={table.tableId} />
        <Identity name="Current version" text={table.version_id} />
        <Identity name="Digest" text={preview.table.content_digest} />
      </dl>
    </header>
  );
}

/** A part of a page under its own heading. */
export function Part({
  id,
  title,
  aside,
  children,
}: {
  id: string;
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="mt-9">
      <TitledHead id={id} title={title} level={3} aside={aside} />
      {children}
    </div>
  );
}
