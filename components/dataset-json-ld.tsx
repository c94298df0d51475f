import { licenseUrl } from "@/lib/operations/license-url";
import type { Dataset } from "@/lib/schemas/dataset";

/** The dataset in schema.org terms, for search engines. */
export function DatasetJsonLd({ dataset }: { dataset: Dataset }) {
  // `<` is escaped so that no text of a publisher can close the script.
  const text = JSON.stringify(datasetJsonLd(dataset)).replaceAll("<", "\\u003c");
  // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with every `<` escaped.
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: text }} />;
}

export function datasetJsonLd(dataset: Dataset): Record<string, unknown> {
  return {
    "@context": "https://schema.org/",
    "@type": "Dataset",
    name: dataset.title,
    description: dataset.summary,
    url: dataset.url,
    identifier: dataset.url,
    keywords: dataset.topics,
    license: licenseUrl(dataset.license) ?? dataset.license,
    isAccessibleForFree: true,
    dateCreated: dataset.created_at,
    datePublished: dataset.created_at,
    dateModified: dataset.published_at,
    ...(dataset.temporal_coverage ? { temporalCoverage: dataset.temporal_coverage } : {}),
    creator: { "@type": "Organization", name: dataset.publisher.name, ...(dataset.publisher.url ? { url: dataset.publisher.url } : {}) },
    isBasedOn: dataset.sources.flatMap((source) => (source.url ? [source.url] : [])),
    variableMeasured: dataset.tables.flatMap((table) =>
      table.columns.map((column) => ({
        "@type": "PropertyValue",
        name: column.name,
        ...(column.description ? { description: column.description } : {}),
        ...(column.unit ? { unitText: column.unit } : {}),
      })),
    ),
    distribution: dataset.tables.map((table) => ({
      "@type": "DataDownload",
      name: table.name,
      contentUrl: table.current_url,
      encodingFormat: "application/vnd.apache.parquet",
      contentSize: `${table.bytes} B`,
      version: table.version_id,
    })),
  };
}
