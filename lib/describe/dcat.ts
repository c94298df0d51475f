import type { DatasetEntry, TableEntry } from "@/lib/schemas/dataset";
import { licenseUrl } from "./license-url";
import { versionFile } from "./links";

const CONTEXT = {
  dcat: "http://www.w3.org/ns/dcat#",
  dct: "http://purl.org/dc/terms/",
  foaf: "http://xmlns.com/foaf/0.1/",
  rdfs: "http://www.w3.org/2000/01/rdf-schema#",
  xsd: "http://www.w3.org/2001/XMLSchema#",
};

const PUBLIC = "http://publications.europa.eu/resource/authority/access-right/PUBLIC";
const PARQUET = "https://www.iana.org/assignments/media-types/application/vnd.apache.parquet";

/** The whole public catalogue as DCAT-AP in JSON-LD. Pure. */
export function dcatCatalogue(datasets: readonly DatasetEntry[], base: string): object {
  return {
    "@context": CONTEXT,
    "@id": `${base}/datasets`,
    "@type": "dcat:Catalog",
    "dct:title": { "@value": "Parquetry", "@language": "en" },
    "dct:description": { "@value": "Open datasets as immutable Parquet versions.", "@language": "en" },
    "dct:publisher": { "@id": base, "@type": "foaf:Agent", "foaf:name": "Parquetry" },
    "foaf:homepage": { "@id": `${base}/datasets` },
    ...(datasets[0] && { "dct:modified": time(datasets[0].published_at) }),
    "dcat:dataset": datasets.map((dataset) => dcatDataset(dataset)),
  };
}

const time = (at: string) => ({ "@value": at, "@type": "xsd:dateTime" });

function dcatDataset(dataset: DatasetEntry): object {
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
    "dcat:distribution": dataset.tables.map((table) => distribution(dataset, table)),
  };
}

function distribution(dataset: DatasetEntry, table: TableEntry): object {
  const license = licenseUrl(table.license);
  return {
    "@id": `${dataset.url}#${table.slug}`,
    "@type": "dcat:Distribution",
    "dct:title": { "@value": table.name, "@language": "en" },
    "dcat:accessURL": { "@id": `${dataset.url}?table=${table.slug}` },
    "dcat:downloadURL": { "@id": versionFile(table) },
    "dcat:version": table.version_id,
    "dcat:mediaType": { "@id": PARQUET },
    "dcat:byteSize": { "@value": String(table.bytes), "@type": "xsd:nonNegativeInteger" },
    ...(license
      ? { "dct:license": { "@id": license, "@type": "dct:LicenseDocument" } }
      : { "dct:rights": { "@type": "dct:RightsStatement", "rdfs:label": table.license } }),
  };
}
