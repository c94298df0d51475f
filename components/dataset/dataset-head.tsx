import { Bell, Download, Table2, TerminalSquare } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { formatPlural } from "@/lib/kernel/format";
import type { Dataset } from "@/lib/schemas/dataset";
import { downloadUrl, explorerUrl } from "@/lib/view/view-address";
import { publisherUrl, topicUrl } from "./collection-url";

/** The workspace whose members alone may see a dataset; undefined for a public one. */
export type Owner = { id: string; name: string } | undefined;

interface HeadProps {
  dataset: Dataset;
  owner: Owner;
  /** The one open below. */
  table: Dataset["tables"][number] | undefined;
  /** Why a file cannot be downloaded, if it cannot. */
  tooLarge: { table: string | undefined; archive: string | undefined };
}

/** The top of a dataset's page: breadcrumb, title, summary and actions. */
export function DatasetHead({ dataset, owner, table, tooLarge }: HeadProps) {
  return (
    <header>
      <DatasetTrail owner={owner}>
        {owner ? (
          dataset.publisher.name
        ) : (
          <Link href={publisherUrl(dataset.publisher.slug)} prefetch={false} className="hover:text-accent">
            {dataset.publisher.name}
          </Link>
        )}
      </DatasetTrail>
      <h1 className="mt-3 max-w-[26ch] text-3xl sm:text-4xl">{dataset.title}</h1>
      <p className="mt-4 max-w-[60ch] text-lg text-muted">{dataset.summary}</p>
      <p className="mt-3 text-muted text-sm tabular-nums">{sizeText(dataset)}</p>
      {dataset.topics.length > 0 && (
        <ul aria-label="Topics" className="mt-4 flex flex-wrap gap-1.5">
          {dataset.topics.map((topic) => (
            <li key={topic}>
              <Link className="chip" href={topicUrl(topic)} prefetch={false}>
                {topic}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {table && <WaysIn slug={dataset.slug} owner={owner} table={table} tooLarge={tooLarge} />}
    </header>
  );
}

/** The breadcrumb of a dataset's page, and whose it is if it is private; `children` follow the directory. */
export const DatasetTrail = ({ owner, children }: { owner?: Owner; children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
    <nav aria-label="Breadcrumb" className="text-muted">
      <Link href="/datasets" className="hover:text-accent">
        Datasets
      </Link>
      <span aria-hidden="true"> / </span>
      {children}
    </nav>
    {owner && (
      <Badge tone="notice" title={`Only the members and use keys of ${owner.name} can read it.`}>
        Private to {owner.name}
      </Badge>
    )}
  </div>
);

function sizeText({ tables }: Dataset): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${formatPlural(tables.length, "table")}, ${formatPlural(rows, "row")}`;
}

interface WaysProps extends Pick<HeadProps, "owner" | "tooLarge"> {
  slug: string;
  table: Dataset["tables"][number];
}

function WaysIn({ slug, owner, table, tooLarge }: WaysProps) {
  const open = table.slug;
  return (
    <div className="mt-7 flex flex-wrap items-center gap-2">
      <LinkButton look="primary" href={explorerUrl(slug, open)}>
        <Table2 size={16} aria-hidden="true" />
        Explore the data
      </LinkButton>
      <a className="button" href={`?table=${open}&use=${owner ? "curl-key" : "curl"}#use`}>
        <TerminalSquare size={16} aria-hidden="true" />
        Query
      </a>
      {tooLarge.table === undefined && (
        <LinkButton href={downloadUrl(slug, open)} prefetch={false} rel="nofollow">
          <Download size={16} aria-hidden="true" />
          Download
        </LinkButton>
      )}
      <a className="button" href={watchUrl(slug, owner)} rel="nofollow">
        <Bell size={16} aria-hidden="true" />
        Watch
      </a>
      {owner ? (
        <p className="text-muted text-xs">
          Only the members and use keys of {owner.name} can read it.{" "}
          <Link className="link" href={`/studio/${slug}`} prefetch={false}>
            Manage it in the studio
          </Link>
          . {tooLarge.table}
        </p>
      ) : (
        <p className="text-muted text-xs">
          You can explore and query without an account.{" "}
          {tooLarge.table ?? <WaysOut slug={slug} table={open} hasArchive={tooLarge.archive === undefined} />}
        </p>
      )}
    </div>
  );
}

/** Where a signed-in person turns on notifications about a dataset; visitors sign in first. */
function watchUrl(slug: string, owner: Owner): string {
  const query = new URLSearchParams({ ...(owner && { workspace: owner.id }), dataset: slug });
  return `/settings/watches?${query}#new`;
}

const WaysOut = ({ slug, table, hasArchive }: { slug: string; table: string; hasArchive: boolean }) => (
  <>
    Downloading the whole table as CSV or Parquet
    {hasArchive && (
      <>
        , or{" "}
        <a className="link" href={`${downloadUrl(slug, table)}#zip`} rel="nofollow">
          the dataset as a .zip
        </a>
        ,
      </>
    )}{" "}
    requires a free account;{" "}
    <a className="link" href={`?table=${table}&use=zip#use`}>
      programs
    </a>{" "}
    need a use key (your API key).
  </>
);
