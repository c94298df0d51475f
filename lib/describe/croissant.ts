import { columnTypeOf } from "@/lib/engine/types/column-types";
import { PARQUET_MEDIA } from "@/lib/formats/parquet-media";
import type { Column } from "@/lib/schemas/column";
import type { Dataset } from "@/lib/schemas/dataset";
import type { BuiltLineage } from "@/lib/schemas/lineage";
import { CROISSANT_CONTEXT } from "./croissant-context";
import { columnStatistics, rowCount } from "./croissant-statistics";
import { statusTerm } from "./freshness-text";
import { licenseUrl } from "./license-url";
import { versionFile } from "./links";
import type { SealedFacts } from "./sealed-facts";

type Table = Dataset["tables"][number];

/**
 * The Croissant 1.1 description of a dataset: the files are those of immutable versions, so that their digests remain
 * true.
 */
export function croissant(
  dataset: Dataset,
  factsOf: (tableId: string) => SealedFacts,
  lineageOf: (versionId: string) => BuiltLineage | undefined = () => undefined,
): object {
  const publisher = { "@type": "sc:Organization", name: dataset.publisher.name, url: dataset.publisher.url };
  return {
    "@context": CROISSANT_CONTEXT,
    "@type": "sc:Dataset",
    conformsTo: "http://mlcommons.org/croissant/1.1",
    name: dataset.title,
    description: dataset.summary,
    url: dataset.url,
    license: licenseUrl(dataset.license) ?? { "@type": "sc:CreativeWork", name: dataset.license },
    creator: publisher,
    publisher,
    version: dateVersion(dataset.published_at),
    isLiveDataset: false,
    ...statusTerm(dataset.freshness, dataset.url),
    datePublished: dataset.published_at,
    dateCreated: dataset.created_at,
    dateModified: dataset.published_at,
    keywords: dataset.topics,
    citeAs: dataset.citation.bibtex,
    ...(dataset.temporal_coverage && { temporalCoverage: dataset.temporal_coverage }),
    "prov:wasDerivedFrom": dataset.sources.flatMap(({ name, url, license }) =>
      url ? [{ "@id": url, "@type": "prov:Entity", "prov:label": name, ...licenseOf(license) }] : [],
    ),
    distribution: dataset.tables.map((table) => ({
      ...fileObject(table, factsOf(table.tableId).digest),
      ...statusTerm(table.freshness, dataset.url),
      ...provenance(table, lineageOf(table.version_id)),
    })),
    recordSet: dataset.tables.map((table) => recordSet(table, factsOf(table.tableId).primaryKey)),
  };
}

/**
 * `2025-03-17T…` → `2025.3.17`: versions are identified by their day, in the three parts that readers of Croissant
 * expect.
 */
export const dateVersion = (at: string): string => at.slice(0, 10).split("-").map(Number).join(".");

const fileId = ({ slug }: Table): string => `${slug}.parquet`;
const recordSetId = ({ slug }: Table): string => `${slug}-rows`;
/** An id is an IRI: a column's name is escaped. */
const fieldId = (table: Table, column: string): string => `${recordSetId(table)}/${encodeURIComponent(column)}`;

const fileObject = (table: Table, digest: string): object => ({
  "@type": "cr:FileObject",
  "@id": fileId(table),
  name: fileId(table),
  description:
    `Version ${table.version_label === null ? "" : `${table.version_label}, id `}${table.version_id} of ` +
    `${table.name}; its download requires a use key in x-api-key.`,
  contentUrl: versionFile(table),
  contentSize: `${table.bytes} B`,
  encodingFormat: PARQUET_MEDIA,
  sha256: digest,
});

const licenseOf = (license: string | null): object =>
  license === null ? {} : { license: licenseUrl(license) ?? { "@type": "sc:CreativeWork", name: license } };

/** How a built file came to be, in PROV-O as Croissant 1.1 recommends: the build, its recipe, and the bytes it read. */
function provenance(table: Table, built: BuiltLineage | undefined): object {
  if (!built) return {};
  const { recipe, run, sealed_at, sources } = built;
  const digest = recipe.recipe_digest ?? recipe.document_digest;
  return {
    "prov:wasDerivedFrom": sources.flatMap(({ name, title, url, parts }) =>
      parts.map(({ content_digest, bytes }) => ({
        "@id": `urn:${content_digest}`,
        "@type": "prov:Entity",
        "prov:label": title ?? name,
        sha256: content_digest.slice("sha256:".length),
        contentSize: `${bytes} B`,
        ...(url !== null && { "prov:atLocation": { "@id": url } }),
      })),
    ),
    "prov:wasGeneratedBy": {
      "@type": "prov:Activity",
      "@id": `${fileId(table)}#build`,
      "prov:label": `Build by revision ${recipe.revision} of the recipe, ${digest}`,
      ...(run.started_at !== null && { "prov:startedAtTime": run.started_at }),
      "prov:endedAtTime": sealed_at,
      ...(recipe.url !== null && { "prov:used": { "@id": recipe.url } }),
    },
  };
}

const recordSet = (table: Table, primaryKey: readonly string[]): object => ({
  "@type": "cr:RecordSet",
  "@id": recordSetId(table),
  name: table.name,
  description: table.description,
  ...keyOf(table, primaryKey),
  annotation: [rowCount(recordSetId(table), table.rows)],
  field: table.columns.map((column) => field(table, column)),
});

function keyOf(table: Table, primaryKey: readonly string[]): object {
  const [first, ...rest] = primaryKey.map((name) => ({ "@id": fieldId(table, name) }));
  return first ? { key: rest.length > 0 ? [first, ...rest] : first } : {};
}

function field(table: Table, column: Column): object {
  const type = columnTypeOf(column);
  const id = fieldId(table, column.name);
  const valueType = (type.item ?? type).vocabulary.croissant;
  return {
    "@type": "cr:Field",
    "@id": id,
    name: column.name,
    ...(column.description && { description: column.description }),
    dataType: valueType,
    ...(type.item && { isArray: true, arrayShape: "-1" }),
    source: { fileObject: { "@id": fileId(table) }, extract: { column: column.name } },
    ...columnStatistics(id, column, valueType),
  };
}
