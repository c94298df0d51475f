import Link from "next/link";
import { LinkButton } from "@/components/ui/button";
import { ChangeBadge } from "@/components/ui/change-badge";
import { Markdown } from "@/components/ui/markdown";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { compareUrl, versionUrl } from "@/components/versions/compare-address";
import { formatBytes, formatCount, formatDay, formatPlural } from "@/lib/kernel/format";
import type { Version } from "@/lib/schemas/table";
import { downloadUrl, explorerUrl } from "@/lib/view/view-address";
import { DatasetTrail, type Owner } from "./dataset-head";
import { LicenseName } from "./license-name";
import { Fact, Identity } from "./version-facts";

interface Props {
  found: Version;
  owner: Owner;
  now: Date;
  /** Why its file cannot be downloaded, if it cannot. */
  tooLarge: string | undefined;
}

/**
 * The head of a version's page: which version of which table it is, whether a newer one exists, and its identifiers.
 */
export function VersionHead({ found, owner, now, tooLarge }: Props) {
  const { dataset, table, version } = found;
  return (
    <header>
      <DatasetTrail owner={owner}>
        <Link href={`/datasets/${dataset.slug}`} className="hover:text-accent">
          {dataset.title}
        </Link>
        <span aria-hidden="true"> / </span>
        <Link href={`/datasets/${dataset.slug}/versions`} className="hover:text-accent">
          Versions
        </Link>
      </DatasetTrail>
      <h1 className="mt-3 text-3xl">
        {table.name}, version {version.label ?? `of ${formatDay(version.published_at)}`}
      </h1>
      <div className="mt-5 max-w-3xl">{version.is_current ? <CurrentNote /> : <OlderNote found={found} />}</div>
      <dl className="mt-6 grid grid-cols-2 gap-x-6 gap-y-4 text-sm sm:grid-cols-3 lg:grid-cols-6">
        <Fact name="Published">
          {formatDay(version.published_at)}{" "}
          <span className="text-muted">({<RelativeTime at={version.published_at} now={now} />})</span>
        </Fact>
        <Fact name="Change">
          <ChangeBadge change={version.change} />
        </Fact>
        <Fact name="Number">{formatCount(version.sequence)}</Fact>
        {version.other_labels.length > 0 && <Fact name="Also released as">{version.other_labels.join(", ")}</Fact>}
        <Fact name="Size">
          {formatPlural(version.rows, "row")}, {formatPlural(found.columns.length, "column")}
        </Fact>
        <Fact name="File">{formatBytes(version.bytes)} of Parquet</Fact>
        <Fact name="Licence">
          <LicenseName license={table.license} />
        </Fact>
      </dl>
      <dl className="mt-5 grid gap-y-1 text-sm">
        <Identity name="Version ID" text={version.version_id} />
        <Identity name="Digest" text={version.content_digest} />
        <Identity name="Table ID" text={table.id} />
      </dl>
      {version.notes && (
        <div className="mt-6 max-w-3xl">
          <h2 className="mb-2 font-semibold text-base">Notes</h2>
          <Markdown text={version.notes} />
        </div>
      )}
      <div className="mt-6 flex flex-wrap gap-2">
        <LinkButton look="primary" href={explorerUrl(dataset.slug, table.slug, { version: version.version_id })}>
          Explore this version
        </LinkButton>
        {tooLarge === undefined && (
          <LinkButton
            href={downloadUrl(dataset.slug, table.slug, version.is_current ? {} : { version: version.version_id })}
            prefetch={false}
            rel="nofollow"
          >
            Download
          </LinkButton>
        )}
        {found.previous_version_id && (
          <LinkButton
            href={compareUrl(dataset.slug, {
              table: table.slug,
              from: found.previous_version_id,
              to: version.version_id,
            })}
          >
            Compare with the previous version
          </LinkButton>
        )}
      </div>
      {tooLarge !== undefined && <p className="mt-3 text-muted text-sm">{tooLarge}</p>}
    </header>
  );
}

const CurrentNote = () => (
  <Notice tone="ok" title="This is the current version.">
    It never changes. When a newer version is published, this page and all references to this version remain valid.
  </Notice>
);

const OlderNote = ({ found: { dataset, current_version_id } }: { found: Version }) => (
  <Notice tone="warning" title="A newer version exists.">
    This one remains unchanged and can still be read and cited.{" "}
    <Link className="link" href={versionUrl(dataset.slug, current_version_id)}>
      Go to the current version
    </Link>
  </Notice>
);
