import { Badge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { ChangeBadge } from "@/components/ui/change-badge";
import { CopiedId } from "@/components/ui/copied-id";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatCount } from "@/lib/kernel/format";
import type { TableWithReleases } from "@/lib/operations/releases/list-releases";

type Release = TableWithReleases["releases"][number];

interface Props {
  table: TableWithReleases;
  /** The page that asks about a change; undefined if nothing can be changed. */
  ask: ((change: string) => string) | undefined;
  /** Owners can also withdraw versions. */
  isOwner: boolean;
  now: Date;
}

/** Whether making a release current goes back to an earlier one. */
export const goesBack = ({ published, sealed_at }: Release, current: Release | undefined): boolean =>
  published && current !== undefined && sealed_at < current.sealed_at;

/** A table's releases, newest first. Others can be made current, and owners can withdraw them. */
export const TableReleases = ({ table: { slug, title, releases, rolled_back }, ...props }: Props) => (
  <section aria-label={title} className="mb-8">
    <h3 className="mb-2 font-medium text-lg">
      {title} <code className="font-mono font-normal text-muted text-sm">{slug}</code>
    </h3>
    {rolled_back && (
      <p className="mb-3 max-w-3xl text-muted text-sm">
        Somebody went back to the current release. Refreshes leave it current until somebody makes another one current.
      </p>
    )}
    <DataTable
      label={`Releases of ${title}`}
      columns={columnsOf({ ...props, current: releases.find(({ current }) => current) })}
      rows={releases}
      keyOf={({ version_id }) => version_id}
    />
  </section>
);

type ColumnProps = Omit<Props, "table"> & { current: Release | undefined };

const columnsOf = ({ ask, isOwner, now, current: served }: ColumnProps): readonly DataColumn<Release>[] => [
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
    cell: (release) => <State release={release} served={served} ask={ask} isOwner={isOwner} />,
  },
];

interface StateProps extends Pick<Props, "ask" | "isOwner"> {
  release: Release;
  /** The release that is current. */
  served: Release | undefined;
}

function State({ release, served, ask, isOwner }: StateProps) {
  const { current, withdrawn, published, version_id: id } = release;
  return (
    <span className="flex flex-col items-start gap-1.5">
      {current ? (
        <Badge tone="ok">Current</Badge>
      ) : withdrawn ? (
        <Badge tone="danger">Withdrawn</Badge>
      ) : (
        <span className="text-muted">{published ? "Current before" : "Sealed"}</span>
      )}
      {ask && !current && !withdrawn && (
        <LinkButton href={`${ask("promote")}&version=${id}`} small>
          {goesBack(release, served) ? "Roll back to this…" : "Make current…"}
        </LinkButton>
      )}
      {ask && isOwner && published && !withdrawn && (
        <LinkButton href={`${ask("withdraw_version")}&version=${id}`} small look="quiet">
          Withdraw…
        </LinkButton>
      )}
    </span>
  );
}
