import type { ReactNode } from "react";
import { CheckBadge } from "@/components/ui/check-badge";
import { CopiedId } from "@/components/ui/copied-id";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { formatBytes, formatCount, formatPlural, formatSeconds, formatUtc } from "@/lib/kernel/format";
import type { BuiltLineage } from "@/lib/schemas/lineage";
import type { Version } from "@/lib/schemas/table";
import { LicenseName } from "./license-name";
import { Fact } from "./version-facts";

interface Props {
  built: BuiltLineage;
  version: Version["version"];
}

/** How a recipe made a version from its sources: everything needed to reproduce it, and what was verified. */
export function BuiltOrigin({ built, version }: Props) {
  const { sources, unlisted_source_count: unlisted, checks, columns } = built;
  return (
    <div className="space-y-8">
      <Part title="Sources">
        {sources.length > 0 && (
          <DataTable label="Sources" columns={SOURCE_COLUMNS} rows={sources} keyOf={({ name }) => name} />
        )}
        {unlisted > 0 && (
          <p className="mt-3 text-muted">
            {formatPlural(unlisted, "source")} of this version {unlisted === 1 ? "is" : "are"} not public.
          </p>
        )}
      </Part>
      <div className="grid gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)]">
        <Part title="Recipe and run">
          <Making built={built} version={version} />
          <p className="mt-3 text-muted">
            The same source bytes and the same recipe always produce the same file, with the same digest.
          </p>
        </Part>
        <Part title="Checks">
          {checks.length === 0 ? (
            <p className="text-muted">The recipe has no checks. Every value matches its column type.</p>
          ) : (
            <DataTable
              label="Checks"
              columns={CHECK_COLUMNS}
              rows={checks}
              keyOf={(check) => `${checks.indexOf(check)}`}
            />
          )}
        </Part>
      </div>
      {columns.length > 0 && <ColumnOrigins built={built} />}
    </div>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="min-w-0 text-sm">
    <h3 className="mb-2 text-base">{title}</h3>
    {children}
  </div>
);

type Source = BuiltLineage["sources"][number];

const SOURCE_COLUMNS: readonly DataColumn<Source>[] = [
  {
    id: "source",
    head: "Source",
    isRest: true,
    cell: ({ name, title, url, attribution }) => (
      <span className="wrap-anywhere block">
        {url ? (
          <a className="link font-medium" href={url}>
            {title ?? name}
          </a>
        ) : (
          <span className="font-medium">{title ?? name}</span>
        )}
        {(url || attribution) && (
          <span className="block font-normal text-muted text-xs">
            {attribution ?? url?.replace(/^https?:\/\//, "")}
          </span>
        )}
      </span>
    ),
  },
  {
    id: "license",
    head: "Licence",
    cell: ({ license }) =>
      license === null ? (
        <span className="text-faint">not specified</span>
      ) : (
        <span className="block min-w-24">
          <LicenseName license={license} />
        </span>
      ),
  },
  {
    id: "read",
    head: "Read",
    isWide: true,
    cell: ({ read_at }) => (read_at === null ? "" : formatUtc(read_at)),
  },
  { id: "bytes", head: "Size", isNumber: true, cell: ({ bytes }) => (bytes === 0 ? "" : formatBytes(bytes)) },
  { id: "digest", head: "SHA-256", isWide: true, cell: (source) => <Digests source={source} /> },
];

function Digests({ source: { name, title, parts, parts_total } }: { source: Source }) {
  const [first] = parts;
  if (!first) return <span className="text-faint">not recorded</span>;
  if (parts_total > 1) return <span>{formatPlural(parts_total, "part")}, each with its own digest</span>;
  return <Digest text={first.content_digest} label={`digest of ${title ?? name}`} />;
}

const Digest = ({ text, label }: { text: string; label: string }) => (
  <CopiedId text={text} shown={`${text.slice(0, 23)}…`} label={label} />
);

function Making({ built: { recipe, run, sealed_at }, version }: Props) {
  return (
    <dl className="space-y-3">
      <Fact name="Recipe">
        Revision {recipe.revision},{" "}
        {recipe.url === null ? (
          "not public"
        ) : (
          <a className="link" href={recipe.url} type="application/json">
            view as JSON
          </a>
        )}
      </Fact>
      <Fact name="Approved digest of recipe and schema">
        <Digest text={recipe.recipe_digest ?? recipe.document_digest} label="recipe digest" />
      </Fact>
      <Fact name="Run">
        {run.seconds === null ? "" : `${formatSeconds(run.seconds)}, `}
        sealed {formatUtc(sealed_at)}
        {run.engine && `, by DuckDB ${run.engine.duckdb}`}
      </Fact>
      <Fact name={`Result: ${formatCount(version.rows)} rows, ${formatBytes(version.bytes)}`}>
        <Digest text={version.content_digest} label="content digest" />
      </Fact>
    </dl>
  );
}

type Check = BuiltLineage["checks"][number];

const CHECK_COLUMNS: readonly DataColumn<Check>[] = [
  {
    id: "check",
    head: "Check",
    isRest: true,
    cell: ({ check, title, message }) => (
      <>
        <span className="font-medium">{title ?? check.replaceAll("_", " ")}</span>
        {message !== null && <span className="wrap-anywhere block font-normal text-muted text-xs">{message}</span>}
      </>
    ),
  },
  { id: "rows", head: "Rows", isWide: true, isNumber: true, cell: ({ examined }) => formatCount(examined) },
  { id: "outcome", head: "Result", cell: (check) => <CheckBadge {...check} /> },
];

const COLUMNS_SHOWN = 200;

const ColumnOrigins = ({ built: { columns } }: { built: BuiltLineage }) => (
  <details className="text-sm">
    <summary className="cursor-pointer font-medium">Where each column comes from</summary>
    <ul className="rows mt-2">
      {columns.slice(0, COLUMNS_SHOWN).map(({ name, kind, from }) => (
        <li key={name} className="grid gap-x-6 sm:grid-cols-2">
          <code className="wrap-anywhere font-mono text-[0.8125rem]">{name}</code>
          <span className="wrap-anywhere text-muted">
            {kind}
            {from.length > 0 && ` from ${from.map(({ source, column }) => `${source}: ${column}`).join(", ")}`}
          </span>
        </li>
      ))}
    </ul>
    {columns.length > COLUMNS_SHOWN && (
      <p className="mt-2 text-muted">
        Showing the first {COLUMNS_SHOWN} of {formatCount(columns.length)} columns.
      </p>
    )}
  </details>
);
