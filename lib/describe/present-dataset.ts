import type { TableVerdict } from "@/lib/freshness/evidence";
import type { DatasetEntry, TableEntry } from "@/lib/schemas/dataset";
import type { DatasetRecord } from "@/lib/store/catalogue/catalogue";
import type { ListedRecord } from "@/lib/store/catalogue/catalogue-entries";
import { datasetMarkdown, datasetMetadata, datasetPage, publisherPage, tableRoute } from "./links";

type TableRecord = (DatasetRecord | ListedRecord)["tables"][number];

/** The directory entry of a published dataset. */
export function presentDataset(
  record: DatasetRecord | ListedRecord,
  base: string,
  { state, reason }: Pick<TableVerdict, "state" | "reason">,
): DatasetEntry {
  return {
    title: record.title,
    slug: record.slug,
    summary: record.summary,
    url: datasetPage(base, record.slug),
    publisher: {
      name: record.publisher.name,
      slug: record.publisher.slug,
      url: record.publisher.url ?? publisherPage(base, record.publisher.slug),
    },
    topics: record.topics,
    license: record.license,
    published_at: (record.publishedAt ?? record.createdAt).toISOString(),
    freshness: { state, reason_code: reason },
    metadata_url: datasetMetadata(base, record.slug),
    markdown_url: datasetMarkdown(base, record.slug),
    tables: record.tables.flatMap((table) => presentTable(table, record.license, base)),
  };
}

/** A table's entry; nothing while it has no version. */
export function presentTable(table: TableRecord, datasetLicense: string, base: string): TableEntry[] {
  const version = table.currentVersion;
  if (!version) return [];
  return [
    {
      name: table.name,
      slug: table.slug,
      tableId: table.id,
      version_id: version.id,
      version_number: version.sequence,
      version_label: version.label,
      license: table.license ?? datasetLicense,
      rows: Number(version.rows),
      bytes: Number(version.bytes),
      schema_url: tableRoute(base, table.id, "schema"),
      preview_url: tableRoute(base, table.id, "preview"),
      query_url: tableRoute(base, table.id, "query"),
      current_url: tableRoute(base, table.id, "current"),
    },
  ];
}
