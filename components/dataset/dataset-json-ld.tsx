import { asNumber, isNumeric } from "@/components/values/value-text";
import { statusTerm } from "@/lib/describe/freshness-text";
import { licenseUrl } from "@/lib/describe/license-url";
import { versionFile } from "@/lib/describe/links";
import { PARQUET_MEDIA } from "@/lib/formats/parquet-media";
import type { Dataset } from "@/lib/schemas/dataset";

/** The dataset in schema.org terms, for search engines. */
export function DatasetJsonLd({ dataset }: { dataset: Dataset }) {
  // `<` is escaped so that no publisher's text can close the script
  const text = JSON.stringify(datasetJsonLd(dataset)).replaceAll("<", "\\u003c");
  // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with every `<` escaped.
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: text }} />;
}

/** Search engines require at least 50 characters and read at most 5,000. */
const DESCRIPTION_MIN = 50;
const DESCRIPTION_MAX = 5000;

export function datasetJsonLd(dataset: Dataset): Record<string, unknown> {
  const { title, summary, description, url, publisher } = dataset;
  const organization = {
    "@type": "Organization",
    name: publisher.name,
    ...(publisher.url ? { url: publisher.url } : {}),
  };
  return {
    "@context": "https://schema.org/",
    "@type": "Dataset",
    "@id": url,
    name: title,
    description:
      summary.length >= DESCRIPTION_MIN ? summary : `${summary}\n\n${description}`.trim().slice(0, DESCRIPTION_MAX),
    url,
    identifier: url,
    keywords: dataset.topics,
    license: licenseOf(dataset.license),
    isAccessibleForFree: true,
    version: dataset.tables.map(({ version_id }) => version_id).join(" "),
    creditText: dataset.citation.text,
    dateCreated: dataset.created_at,
    datePublished: dataset.created_at,
    dateModified: dataset.published_at,
    ...statusTerm(dataset.freshness, url),
    ...(dataset.temporal_coverage ? { temporalCoverage: dataset.temporal_coverage } : {}),
    creator: organization,
    publisher: organization,
    includedInDataCatalog: { "@type": "DataCatalog", name: "Parquetry", url: new URL("/datasets", url).href },
    isBasedOn: dataset.sources.flatMap(({ name, url, license }) =>
      url ? [{ "@type": "CreativeWork", name, url, ...(license !== null && { license: licenseOf(license) }) }] : [],
    ),
    variableMeasured: dataset.tables.flatMap((table) => table.columns.map(variable)),
    distribution: dataset.tables.map((table) => ({ ...distribution(table), ...statusTerm(table.freshness, url) })),
  };
}

const licenseOf = (license: string): unknown => licenseUrl(license) ?? { "@type": "CreativeWork", name: license };

/** Range and unit are given for numbers only: search engines cannot use those of other types. */
function variable({ name, type, description, unit, profile }: Dataset["tables"][number]["columns"][number]): object {
  const low = isNumeric(type) ? asNumber(profile.min) : undefined;
  const high = isNumeric(type) ? asNumber(profile.max) : undefined;
  return {
    "@type": "PropertyValue",
    name,
    ...(description ? { description } : {}),
    ...(unit ? { unitText: unit } : {}),
    ...(low === undefined ? {} : { minValue: low }),
    ...(high === undefined ? {} : { maxValue: high }),
  };
}

const distribution = (table: Dataset["tables"][number]): object => ({
  "@type": "DataDownload",
  name: table.name,
  contentUrl: versionFile(table),
  encodingFormat: PARQUET_MEDIA,
  contentSize: `${table.bytes} B`,
  license: licenseOf(table.license),
  version: table.version_id,
});
