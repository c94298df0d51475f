import type { Column } from "@/lib/schemas/column";
import type { Dataset } from "@/lib/schemas/dataset";
import type { SealedFacts } from "./sealed-facts";

const CONTEXT = {
  "@language": "en",
  "@vocab": "https://schema.org/",
  citeAs: "cr:citeAs",
  column: "cr:column",
  conformsTo: "dct:conformsTo",
  cr: "http://mlcommons.org/croissant/",
  data: { "@id": "cr:data", "@type": "@json" },
  dataType: { "@id": "cr:dataType", "@type": "@vocab" },
  dct: "http://purl.org/dc/terms/",
  extract: "cr:extract",
  field: "cr:field",
  fileObject: "cr:fileObject",
  isArray: "cr:isArray",
  key: "cr:key",
  recordSet: "cr:recordSet",
  sc: "https://schema.org/",
  sha256: "cr:sha256",
  source: "cr:source",
};

/** The Croissant 1.1 description of a dataset; digests and sizes are those of the current versions.  */
export function croissant(dataset: Dataset, factsOf: (tableId: string) => SealedFacts): object {
  return {
    "@context": CONTEXT,
    "@type": "sc:Dataset",
    conformsTo: "http://mlcommons.org/croissant/1.1",
    name: dataset.title,
    description: dataset.summary,
    url: dataset.url,
    license: dataset.license,
    creator: { "@type": "sc:Organization", name: dataset.publisher.name, url: dataset.publisher.url },
    datePublished: dataset.published_at,
    keywords: dataset.topics,
    citeAs: dataset.citation.bibtex,
    ...(dataset.temporal_coverage && { temporalCoverage: dataset.temporal_coverage }),
    distribution: dataset.tables.map((table) => ({
      "@type": "cr:FileObject",
      "@id": table.slug,
      name: `${table.slug}.parquet`,
      contentUrl: table.current_url,
      contentSize: `${table.bytes} B`,
      encodingFormat: "application/vnd.apache.parquet",
      sha256: factsOf(table.tableId).digest,
    })),
    recordSet: dataset.tables.map((table) => ({
      "@type": "cr:RecordSet",
      "@id": `${table.slug}-rows`,
      name: table.name,
      description: table.description,
      ...keyOf(table.slug, factsOf(table.tableId).primaryKey),
      field: table.columns.map((column) => field(table.slug, column)),
    })),
  };
}

/** The columns that tell a record from all others. */
function keyOf(table: string, primaryKey: readonly string[]): object {
  const [first, ...rest] = primaryKey.map((name) => ({ "@id": `${table}-rows/${name}` }));
  return first ? { key: rest.length > 0 ? [first, ...rest] : first } : {};
}

function field(table: string, column: Column): object {
  const list = /^list<(.*)>$/.exec(column.type)?.[1];
  return {
    "@type": "cr:Field",
    "@id": `${table}-rows/${column.name}`,
    name: column.name,
    ...(column.description && { description: column.description }),
    dataType: dataType(list ?? column.type),
    ...(list && { isArray: true }),
    source: { fileObject: { "@id": table }, extract: { column: column.name } },
  };
}

function dataType(type: string): string {
  if (type === "boolean") return "sc:Boolean";
  if (/^u?int/.test(type)) return "sc:Integer";
  if (/^(float|decimal)/.test(type)) return "sc:Float";
  if (type === "date") return "sc:Date";
  if (type === "timestamp") return "sc:DateTime";
  if (type === "time") return "sc:Time";
  return "sc:Text";
}
