import { formatDay } from "@/lib/format";
import type { Dataset } from "@/lib/schemas/dataset";
import { Freshness } from "./freshness-badge";
import { LicenseName } from "./license-name";
import { RelativeTime } from "./relative-time";
import { Fact } from "./version-facts";

/** The facts of a dataset in a list: publisher, licence, times, freshness, documents. */
export function DatasetFacts({ dataset, now }: { dataset: Dataset; now: Date }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 text-sm sm:grid-cols-3 lg:grid-cols-1">
      <Fact name="Publisher">
        <PublisherLink publisher={dataset.publisher} />
      </Fact>
      <Fact name="Licence">
        <LicenseName license={dataset.license} />
      </Fact>
      <Fact name="Freshness">
        <Freshness {...dataset.freshness} />
      </Fact>
      <Fact name="Published">
        {formatDay(dataset.published_at)}{" "}
        <span className="text-muted">
          (<RelativeTime at={dataset.published_at} now={now} />)
        </span>
      </Fact>
      {dataset.temporal_coverage && <Fact name="Covers">{dataset.temporal_coverage.replace("/", " to ")}</Fact>}
      <Fact name="For programs">
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
    </dl>
  );
}

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
