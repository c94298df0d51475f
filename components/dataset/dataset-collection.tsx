import { Search } from "lucide-react";
import Link from "next/link";
import { LinkButton } from "@/components/ui/button";
import { formatCount, formatPlural } from "@/lib/kernel/format";
import type { Catalogue } from "@/lib/schemas/dataset";
import { DatasetCard } from "./dataset-card";
import { DatasetTrail } from "./dataset-head";

/** A related list: the topics of a publisher, or the publishers of a topic. */
interface Beside {
  title: string;
  /** The number of datasets, if it covers all of them. */
  links: readonly { text: string; href: string; count?: number }[];
}

interface Props {
  /** `Topic`, `Publisher` */
  kind: string;
  name: string;
  catalogue: Catalogue;
  beside: readonly Beside[];
  /** The directory with this filter, to search and filter the datasets. */
  directory: string;
  /** The next page of the list. */
  next: string | undefined;
  now: Date;
}

/** The datasets of one topic or of one publisher. */
export function DatasetCollection({ kind, name, catalogue, beside, directory, next, now }: Props) {
  return (
    <div className="page py-10">
      <DatasetTrail>{kind}</DatasetTrail>
      <div className="mt-3 grid justify-start gap-x-8 gap-y-3 sm:flex sm:items-end sm:justify-between">
        <h1 className="wrap-anywhere max-w-[26ch] text-3xl sm:text-4xl">{name}</h1>
        <LinkButton href={directory}>
          <Search size={16} aria-hidden="true" />
          Search and filter these datasets
        </LinkButton>
      </div>
      <div className="mt-8 grid gap-x-14 gap-y-10 border-line border-t pt-8 lg:grid-cols-[minmax(0,1fr)_16rem]">
        <section aria-labelledby="datasets" className="min-w-0">
          <h2 id="datasets" className="font-medium text-sm tracking-normal">
            {formatPlural(catalogue.total, "dataset")}
            {catalogue.total > 1 && ", newest first"}
          </h2>
          <ul className="mt-2.5 divide-y divide-line border-line border-y">
            {catalogue.datasets.map((entry) => (
              <li key={entry.slug}>
                <DatasetCard entry={entry} now={now} level="h3" full />
              </li>
            ))}
          </ul>
          {next && (
            <nav aria-label="Pages" className="mt-6">
              <a className="button" rel="next" href={next}>
                Next page
              </a>
            </nav>
          )}
        </section>
        <aside aria-label="More" className="space-y-7">
          {beside.map((group) => (
            <BesideList key={group.title} {...group} />
          ))}
        </aside>
      </div>
    </div>
  );
}

const SHOWN = 12;

function BesideList({ title, links }: Beside) {
  if (links.length === 0) return null;
  return (
    <section>
      <h2 className="font-semibold text-sm tracking-normal">{title}</h2>
      <ul className="mt-1.5 text-sm">
        {links.slice(0, SHOWN).map(({ text, href, count }) => (
          <li key={href}>
            <Link
              href={href}
              prefetch={false}
              className={
                "-mx-2 flex items-baseline justify-between gap-3 rounded-sm px-2 py-1 text-muted hover:bg-surface " +
                "hover:text-ink"
              }
            >
              <span className="wrap-anywhere min-w-0">{text}</span>
              {count !== undefined && <span className="text-faint text-xs tabular-nums">{formatCount(count)}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
