import { columnTypeOf } from "@/lib/engine/types/column-types";
import { PARQUET_MEDIA } from "@/lib/formats/parquet-media";
import type { Column } from "@/lib/schemas/column";
import type { Dataset } from "@/lib/schemas/dataset";
import { dateVersion } from "./croissant";
import { licenseUrl } from "./license-url";
import { versionFile } from "./links";
import type { SealedFacts } from "./sealed-facts";

/** A resource's file: its path, form and digest. */
export interface ResourceFile {
  path: string;
  format: string;
  mediatype: string;
  bytes: number;
  hash: string;
}

/** The Parquet file of a table's current version at a path. */
export const parquetResource =
  (factsOf: (tableId: string) => SealedFacts, pathOf: (table: Dataset["tables"][number]) => string = versionFile) =>
  (table: Dataset["tables"][number]): ResourceFile => ({
    path: pathOf(table),
    format: "parquet",
    mediatype: PARQUET_MEDIA,
    bytes: table.bytes,
    hash: `sha256:${factsOf(table.tableId).digest}`,
  });

/** The Frictionless Data Package (version 2) of a dataset: its resources are files of the current versions. */
export function dataPackage(
  dataset: Dataset,
  factsOf: (tableId: string) => SealedFacts,
  fileOf: (table: Dataset["tables"][number]) => ResourceFile = parquetResource(factsOf),
): object {
  const license = licenseUrl(dataset.license);
  return {
    $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
    name: dataset.slug,
    id: dataset.url,
    title: dataset.title,
    description: dataset.description || dataset.summary,
    homepage: dataset.url,
    created: dataset.created_at,
    keywords: dataset.topics,
    version: dateVersion(dataset.published_at),
    // licences that no registry lists: the page quotes them, and a path is required
    licenses: [license ? { name: dataset.license, path: license } : { path: dataset.url, title: dataset.license }],
    contributors: [{ title: dataset.publisher.name, path: dataset.publisher.url, roles: ["publisher"] }],
    sources: dataset.sources.map(({ name, url }) => ({ title: name, ...(url && { path: url }) })),
    resources: dataset.tables.map((table) => ({
      name: table.slug,
      title: table.name,
      description: table.description,
      ...fileOf(table),
      version: table.version_id,
      schema: tableSchema(table.columns, factsOf(table.tableId).primaryKey),
    })),
  };
}

function tableSchema(columns: readonly Column[], primaryKey: readonly string[]): object {
  return { fields: columns.map(field), ...(primaryKey.length > 0 && { primaryKey }) };
}

function field({ name, type, nullable, description, unit }: Column): object {
  return {
    name,
    ...columnTypeOf({ type }).vocabulary.frictionless,
    ...(description && { description }),
    ...(unit && { unit }),
    constraints: { required: !nullable },
  };
}
