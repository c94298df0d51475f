import { PARQUET_MEDIA } from "@/lib/formats/parquet-media";
import type { Dataset, DatasetEntry, TableEntry } from "@/lib/schemas/dataset";
import { knownState } from "./freshness-text";
import { licenseUrl } from "./license-url";
import { versionFile } from "./links";
import type { Batches, CatalogueFacts, ListedDataset } from "./listed-dataset";

const CONTEXT = {
  dcat: "http://www.w3.org/ns/dcat#",
  dct: "http://purl.org/dc/terms/",
  foaf: "http://xmlns.com/foaf/0.1/",
  rdfs: "http://www.w3.org/2000/01/rdf-schema#",
  xsd: "http://www.w3.org/2001/XMLSchema#",
  prov: "http://www.w3.org/ns/prov#",
  dqv: "http://www.w3.org/ns/dqv#",
};

const PUBLIC = "http://publications.europa.eu/resource/authority/access-right/PUBLIC";
const PARQUET = `https://www.iana.org/assignments/media-types/${PARQUET_MEDIA}`;

type Sources = Dataset["sources"];

/** The whole public catalogue as DCAT-AP in JSON-LD. Pure. */
export async function* dcatCatalogue(batches: Batches, { base, newest }: CatalogueFacts): AsyncGenerator<string> {
  const head = {
    "@context": CONTEXT,
    "@id": `${base}/datasets`,
    "@type": "dcat:Catalog",
    "dct:title": { "@value": "Parquetry", "@language": "en" },
    "dct:description": { "@value": "Open datasets as immutable Parquet versions.", "@language": "en" },
    "dct:publisher": { "@id": base, "@type": "foaf:Agent", "foaf:name": "Parquetry" },
    "foaf:homepage": { "@id": `${base}/datasets` },
    ...(newest !== undefined && { "dct:modified": time(newest) }),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"dcat:dataset":[`;
  let separator = "";
  for await (const datasets of batches) {
    if (datasets.length === 0) continue;
    const members = datasets.map((dataset) =>
      JSON.stringify({ ...dcatDataset(dataset), ...measurementOf(dataset, base) }),
    );
    yield separator + members.join(",");
    separator = ",";
  }
  yield "]}";
}

const time = (at: string) => ({ "@value": at, "@type": "xsd:dateTime" });

/**
 * What a dataset was made from. These are files and pages, so `dct:source`, which refers to datasets, would say too
 * much.
 */
const derivedFrom = (sources: Sources): object[] =>
  sources.flatMap(({ name, url, license }) =>
    url === null
      ? []
      : [{ "@id": url, "@type": "prov:Entity", "rdfs:label": name, ...(license !== null && termsOf(license)) }],
  );

function dcatDataset({ sources, ...dataset }: ListedDataset): object {
  return {
    "@id": dataset.url,
    "@type": "dcat:Dataset",
    "dct:identifier": dataset.url,
    "dct:title": { "@value": dataset.title, "@language": "en" },
    "dct:description": { "@value": dataset.summary, "@language": "en" },
    "dct:modified": time(dataset.published_at),
    "dct:accessRights": { "@id": PUBLIC, "@type": "dct:RightsStatement" },
    "dct:publisher": { "@id": dataset.publisher.url, "@type": "foaf:Agent", "foaf:name": dataset.publisher.name },
    "dcat:keyword": dataset.topics.map((topic) => ({ "@value": topic, "@language": "en" })),
    "dcat:landingPage": { "@id": dataset.url },
    ...(sources.length > 0 && { "prov:wasDerivedFrom": derivedFrom(sources) }),
    "dcat:distribution": dataset.tables.map((table) => distribution(dataset, table)),
  };
}

/** Whether it is current, if known, in the Data Quality Vocabulary. */
function measurementOf({ url, freshness }: DatasetEntry, base: string): object {
  const state = knownState(freshness);
  if (state === undefined) return {};
  const metric = { "@id": `${base}/docs/freshness#states`, "@type": "dqv:Metric" };
  const measured = { "dqv:computedOn": { "@id": url }, "dqv:isMeasurementOf": metric, "dqv:value": state };
  return { "dqv:hasQualityMeasurement": { "@type": "dqv:QualityMeasurement", ...measured } };
}

function distribution(dataset: DatasetEntry, table: TableEntry): object {
  return {
    "@id": `${dataset.url}#${table.slug}`,
    "@type": "dcat:Distribution",
    "dct:title": { "@value": table.name, "@language": "en" },
    "dcat:accessURL": { "@id": `${dataset.url}?table=${table.slug}` },
    "dcat:downloadURL": { "@id": versionFile(table) },
    "dct:identifier": table.version_id,
    "dcat:version": table.version_label ?? table.version_id,
    "dcat:mediaType": { "@id": PARQUET },
    "dcat:byteSize": { "@value": String(table.bytes), "@type": "xsd:nonNegativeInteger" },
    ...termsOf(table.license),
  };
}

function termsOf(license: string): object {
  const address = licenseUrl(license);
  return address
    ? { "dct:license": { "@id": address, "@type": "dct:LicenseDocument" } }
    : { "dct:rights": { "@type": "dct:RightsStatement", "rdfs:label": license } };
}
