import Link from "next/link";
import { ChangeBadge } from "@/components/ui/change-badge";
import { CopiedId } from "@/components/ui/copied-id";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatBytes, formatCount, formatDay } from "@/lib/kernel/format";
import type { Versions } from "@/lib/schemas/table";
import { compareUrl, versionUrl } from "./compare-address";

type Version = Versions["versions"][number];

interface Entry extends Version {
  /** The previous version, if there is one. */
  before: Version | undefined;
}

interface Props {
  slug: string;
  history: Versions;
  now: Date;
}

const DIGEST_SHOWN = 15;

/** Every version of a table, newest first, each with a link to its changes. */
export function VersionHistory({ slug, history: { table, versions }, now }: Props) {
  const entries = versions.map((version, at): Entry => ({ ...version, before: versions[at + 1] }));
  return (
    <DataTable
      label={`Versions of ${table.name}`}
      columns={columnsOf(slug, table.slug, now)}
      rows={entries}
      keyOf={(version) => version.version_id}
      hasIds
      scrolls="min-w-0"
    />
  );
}

const columnsOf = (slug: string, table: string, now: Date): readonly DataColumn<Entry>[] => [
  { id: "number", head: "No.", isNumber: true, isWide: true, cell: ({ number }) => formatCount(number) },
  { id: "published", head: "Version", cell: (entry) => <Published slug={slug} entry={entry} now={now} /> },
  { id: "change", head: "Change", isWide: true, cell: ({ change }) => <ChangeBadge change={change} /> },
  { id: "rows", head: "Rows", isNumber: true, cell: (entry) => <Rows entry={entry} /> },
  { id: "size", head: "Size", isNumber: true, isWide: true, cell: ({ bytes }) => formatBytes(bytes) },
  {
    id: "digest",
    head: "Digest",
    isWide: true,
    cell: ({ content_digest: digest }) => (
      <CopiedId text={digest} shown={`${digest.slice(0, DIGEST_SHOWN)}…`} label="digest" />
    ),
  },
  {
    id: "compare",
    head: "Compare",
    isHeadHidden: true,
    cell: (entry) => <CompareLink slug={slug} table={table} entry={entry} />,
  },
];

/** On phones the change is shown below the date, because its column is hidden. */
function Published({ slug, entry, now }: { slug: string; entry: Entry; now: Date }) {
  return (
    <>
      <span className="whitespace-nowrap">
        <Link className="link" href={versionUrl(slug, entry.version_id)} prefetch={false}>
          {entry.label ?? formatDay(entry.published_at)}
        </Link>{" "}
        {entry.label !== null && <span className="text-muted">{formatDay(entry.published_at)} </span>}
        <span className="hidden text-faint text-xs sm:inline">
          <RelativeTime at={entry.published_at} now={now} />
        </span>
        {entry.current && <span className="ml-2 text-muted text-xs">current</span>}
      </span>
      <span className="mt-1 block sm:hidden">
        <ChangeBadge change={entry.change} />
      </span>
      {entry.other_labels.length > 0 && (
        <span className="block text-faint text-xs">also {entry.other_labels.join(", ")}</span>
      )}
    </>
  );
}

function Rows({ entry: { rows, before } }: { entry: Entry }) {
  const more = before ? rows - before.rows : 0;
  return (
    <>
      {more !== 0 && <span className="block text-faint text-xs sm:mr-2 sm:inline">{signed(more)}</span>}
      {formatCount(rows)}
    </>
  );
}

const signed = (count: number): string => (count > 0 ? `+${formatCount(count)}` : `−${formatCount(-count)}`);

function CompareLink({
  slug,
  table,
  entry: { before, version_id: to, published_at: at },
}: {
  slug: string;
  table: string;
  entry: Entry;
}) {
  if (!before) return null;
  return (
    <Link
      className="link whitespace-nowrap"
      prefetch={false}
      href={compareUrl(slug, { table, from: before.version_id, to })}
    >
      What changed<span className="sr-only"> on {formatDay(at)}</span>
    </Link>
  );
}
