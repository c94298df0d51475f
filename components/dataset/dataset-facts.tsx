import { RelativeTime } from "@/components/ui/relative-time";
import { formatDay, formatPlural } from "@/lib/kernel/format";
import type { Dataset } from "@/lib/schemas/dataset";
import type { Owner } from "./dataset-head";
import { Freshness, isWatched } from "./freshness-badge";
import { LicenseName } from "./license-name";
import { Fact } from "./version-facts";

interface Props {
  dataset: Dataset;
  owner: Owner;
  /** Number of versions of its tables. */
  versions: number;
  now: Date;
}

/** The facts of a dataset in a list: publisher, licence, times, freshness, documents. */
export function DatasetFacts({ dataset, owner, versions, now }: Props) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 text-sm sm:grid-cols-3 lg:grid-cols-1">
      <Fact name="Publisher">{owner ? dataset.publisher.name : <PublisherLink publisher={dataset.publisher} />}</Fact>
      <Fact name="Licence">
        <LicenseName license={dataset.license} />
      </Fact>
      {isWatched(dataset.freshness) && (
        <Fact name="Freshness">
          <Freshness {...dataset.freshness} />
        </Fact>
      )}
      <Fact name="Published">
        {formatDay(dataset.published_at)}{" "}
        <span className="text-muted">
          (<RelativeTime at={dataset.published_at} now={now} />)
        </span>
        {versions > 0 && (
          <a className="link mt-0.5 block" href={`/datasets/${dataset.slug}/versions`}>
            {formatPlural(versions, "version")}
            {dataset.tables.length > 1 && ` of ${formatPlural(dataset.tables.length, "table")}`}
          </a>
        )}
      </Fact>
      {dataset.temporal_coverage && <Fact name="Covers">{coverageText(dataset.temporal_coverage)}</Fact>}
      {!owner && (
        <Fact name="Machine-readable">
          <ul className="flex flex-wrap gap-x-3">
            {documentsOf(dataset).map(({ name, url }) => (
              <li key={name}>
                <a className="link" href={url}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </dl>
  );
}

/** `2018-01-31T01:49:59Z/2018-02-07T01:26:13Z` → `31 Jan 2018 to 7 Feb 2018`; years and months remain as they are. */
export const coverageText = (interval: string): string =>
  interval
    .split("/")
    .map((end) => (/^\d{4}-\d{2}-\d{2}/.test(end) ? formatDay(end) : end))
    .join(" to ");

const documentsOf = (dataset: Dataset) => [
  { name: "JSON", url: dataset.metadata_url },
  { name: "Markdown", url: dataset.markdown_url },
  { name: "Croissant", url: dataset.croissant_url },
  { name: "Data Package", url: `${dataset.metadata_url}/datapackage.json` },
  { name: "Feed", url: `${dataset.versions_url}.atom` },
];

const PublisherLink = ({ publisher }: { publisher: Dataset["publisher"] }) =>
  publisher.url ? (
    <a className="link" href={publisher.url}>
      {publisher.name}
    </a>
  ) : (
    publisher.name
  );
