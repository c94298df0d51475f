import { StudioForm } from "@/components/form/studio-form";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ChangeBadge } from "@/components/ui/change-badge";
import { CopiedId } from "@/components/ui/copied-id";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatCount } from "@/lib/kernel/format";
import type { TableWithReleases } from "@/lib/operations/build/list-releases";

type Release = TableWithReleases["releases"][number];

interface Props {
  table: TableWithReleases;
  /** The fields of the form that makes a version current. */
  rollBack(versionId: string): Readonly<Record<string, string>>;
  now: Date;
}

/** A table's releases, newest first. Older ones can be made current again. */
export const TableReleases = ({ table: { slug, title, releases }, rollBack, now }: Props) => (
  <section aria-label={title} className="mb-8">
    <h3 className="mb-2 font-medium text-lg">
      {title} <code className="font-mono font-normal text-muted text-sm">{slug}</code>
    </h3>
    <DataTable
      label={`Releases of ${title}`}
      columns={columnsOf(rollBack, now)}
      rows={releases}
      keyOf={({ version_id }) => version_id}
    />
  </section>
);

const columnsOf = (rollBack: Props["rollBack"], now: Date): readonly DataColumn<Release>[] => [
  {
    id: "sealed",
    head: "Sealed",
    isRest: true,
    cell: ({ sealed_at, change }) => (
      <>
        <RelativeTime at={sealed_at} now={now} /> <ChangeBadge change={change} />
      </>
    ),
  },
  { id: "rows", head: "Rows", isNumber: true, cell: ({ rows }) => formatCount(rows) },
  {
    id: "digest",
    head: "Digest",
    isWide: true,
    cell: ({ content_digest }) => (
      <CopiedId text={content_digest} shown={`${content_digest.slice(0, 19)}…`} label="digest" />
    ),
  },
  {
    id: "current",
    head: "State",
    cell: ({ current, withdrawn, published, version_id }) =>
      current ? (
        <Badge tone="ok">Current</Badge>
      ) : withdrawn ? (
        <Badge tone="danger">Withdrawn</Badge>
      ) : (
        <StudioForm fields={rollBack(version_id)}>
          <Button type="submit" small>
            {published ? "Roll back to this" : "Make current"}
          </Button>
        </StudioForm>
      ),
  },
];
