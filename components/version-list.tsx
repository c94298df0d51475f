import { Badge, type Tone } from "@/components/ui/badge";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { formatBytes, formatCount, formatDay } from "@/lib/format";
import type { Versions } from "@/lib/schemas/table";
import { CopiedId } from "./copied-id";
import { RelativeTime } from "./relative-time";

type Version = Versions["versions"][number];

const CHANGES: Record<Version["change"], { words: string; tone: Tone }> = {
  first: { words: "First version", tone: "neutral" },
  appended: { words: "Rows added", tone: "ok" },
  restated: { words: "Rows changed", tone: "notice" },
  columns_added: { words: "Columns added", tone: "info" },
  breaking: { words: "Columns changed", tone: "warning" },
  metadata: { words: "Descriptions changed", tone: "neutral" },
};

/** What a version changed against the one before. */
export function ChangeBadge({ change }: { change: Version["change"] }) {
  return <Badge tone={CHANGES[change].tone}>{CHANGES[change].words}</Badge>;
}

const DIGEST_SHOWN = 19;

/** A table's versions, newest first. */
export function VersionList({ versions, label, now }: { versions: readonly Version[]; label: string; now: Date }) {
  return <DataTable label={label} columns={columnsAt(now)} rows={versions} keyOf={(version) => version.version_id} hasIds scrolls="min-w-[46rem]" />;
}

const columnsAt = (now: Date): readonly DataColumn<Version>[] => [
  {
    id: "published",
    head: "Published",
    cell: ({ published_at: at }) => (
      <span className="whitespace-nowrap">
        {formatDay(at)}{" "}
        <span className="text-faint text-xs">
          <RelativeTime at={at} now={now} />
        </span>
      </span>
    ),
  },
  { id: "change", head: "Change", cell: ({ change }) => <ChangeBadge change={change} /> },
  { id: "rows", head: "Rows", isNumber: true, cell: ({ rows }) => formatCount(rows) },
  { id: "size", head: "Size", isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
  { id: "version", head: "Version id", cell: ({ version_id: id }) => <CopiedId text={id} shown={id.slice(0, 8)} label="version id" /> },
  {
    id: "digest",
    head: "Digest",
    cell: ({ content_digest: digest }) => <CopiedId text={digest} shown={`${digest.slice(0, DIGEST_SHOWN)}…`} label="digest" />,
  },
];
