import Link from "next/link";
import { ChangeBadge } from "@/components/ui/change-badge";
import { RelativeTime } from "@/components/ui/relative-time";
import { versionUrl } from "@/components/versions/compare-address";
import { formatBytes, formatDay, formatPlural } from "@/lib/kernel/format";
import type { Versions } from "@/lib/schemas/table";

const SHOWN = 5;

interface Props {
  slug: string;
  versions: Versions["versions"];
  hasFeed: boolean;
  now: Date;
}

/** The newest versions of a table, each linked to its page, with a link to all. */
export function LatestVersions({ slug, versions, hasFeed, now }: Props) {
  return (
    <>
      <ol className="border-line border-y text-sm">
        {versions.slice(0, SHOWN).map((version) => (
          <li
            key={version.version_id}
            className="flex flex-wrap items-baseline gap-x-5 gap-y-1 border-line border-t py-2 first:border-t-0"
          >
            <Link className="link w-28 tabular-nums" href={versionUrl(slug, version.version_id)} prefetch={false}>
              {formatDay(version.published_at)}
            </Link>
            <span className="w-28 text-muted text-xs">
              <RelativeTime at={version.published_at} now={now} />
            </span>
            <span className="w-36">
              <ChangeBadge change={version.change} />
            </span>
            <span className="text-muted tabular-nums">
              {formatPlural(version.rows, "row")}, {formatBytes(version.bytes)}
            </span>
            {version.current && <span className="text-muted text-xs">current</span>}
          </li>
        ))}
      </ol>
      <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        <Link className="link" href={`/datasets/${slug}/versions`} prefetch={false}>
          {versions.length > 1 ? `List and compare all ${versions.length} versions` : "Version history"}
        </Link>
        {hasFeed && (
          <a className="link" href={`/datasets/${slug}/versions.atom`}>
            Atom feed
          </a>
        )}
      </p>
    </>
  );
}
