import Link from "next/link";
import { formatPlural } from "@/lib/format";
import type { Dataset } from "@/lib/schemas/dataset";
import { directoryUrl } from "./directory-url";

/** The beginning of a dataset's page: where it stands, its title, what it is. */
export function DatasetHead({ dataset }: { dataset: Dataset }) {
  const rows = dataset.tables.reduce((sum, table) => sum + table.rows, 0);
  return (
    <header>
      <nav aria-label="Breadcrumb" className="text-muted text-sm">
        <Link href="/datasets" className="hover:text-accent">
          Datasets
        </Link>
        <span aria-hidden="true"> / </span>
        <Link href={directoryUrl({ publisher: dataset.publisher.slug })} className="hover:text-accent">
          {dataset.publisher.name}
        </Link>
      </nav>
      <h1 className="mt-3 max-w-[26ch] text-3xl sm:text-4xl">{dataset.title}</h1>
      <p className="mt-4 max-w-[60ch] text-lg text-muted">{dataset.summary}</p>
      <p className="mt-3 text-muted text-sm tabular-nums">
        {formatPlural(dataset.tables.length, "table")}, {formatPlural(rows, "row")}
      </p>
      {dataset.topics.length > 0 && (
        <ul aria-label="Topics" className="mt-4 flex flex-wrap gap-1.5">
          {dataset.topics.map((topic) => (
            <li key={topic}>
              <Link className="chip" href={directoryUrl({ topic })} prefetch={false}>
                {topic}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </header>
  );
}
