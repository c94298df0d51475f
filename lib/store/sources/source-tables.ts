import { isUuid } from "@/lib/kernel/uuid";
import { readableBy } from "@/lib/store/datasets/readable";
import { findTableVersion, type TableVersion } from "@/lib/store/datasets/tables";
import { lookUp } from "@/lib/store/postgres/database";

const FIND = `SELECT t.id FROM "Table" t JOIN "Dataset" d ON d.id = t."datasetId" AND ${readableBy("$3")}
  WHERE d.slug = $1 AND t.slug = $2 AND t."currentVersionId" IS NOT NULL`;

/** The table that `dataset/table` names; undefined if the workspace cannot read such a table. */
export async function findTableId(name: string, workspaceId: string): Promise<string | undefined> {
  const [dataset = "", table = ""] = name.split("/");
  return (await lookUp<{ id: string }>("find-source-table", FIND, [dataset, table, workspaceId]))[0]?.id;
}

/** The version of a table that a source reads; undefined if the workspace cannot read a table with that name. */
export async function findSourceVersion(
  { table, version }: { table: string; version: string },
  workspaceId: string,
): Promise<TableVersion | undefined> {
  const tableId = isUuid(table) ? table : await findTableId(table, workspaceId);
  const versionId = version === "current" ? undefined : version;
  return tableId === undefined ? undefined : await findTableVersion(tableId, { reader: { workspaceId }, versionId });
}

/** Whether everybody may read a table, given its id or `dataset/table`. */
export const isReadableByAll = async (name: string): Promise<boolean> => (await findPublicTable(name)) !== undefined;

const FIND_PUBLIC = `SELECT d.slug AS "datasetSlug", d.title, t.slug AS "tableSlug",
    coalesce(t.license, d.license) AS license
  FROM "Table" t
  JOIN "Dataset" d ON d.id = t."datasetId"
  WHERE d.visibility = 'public' AND (t.id = $1::uuid OR (d.slug = $2 AND t.slug = $3))`;

export interface PublicTable {
  datasetSlug: string;
  title: string;
  tableSlug: string;
  license: string | null;
}

/** A table that everybody may read, given its id or `dataset/table`; undefined for any other name. */
export async function findPublicTable(name: string): Promise<PublicTable | undefined> {
  const [dataset = "", table = ""] = name.split("/");
  const id = isUuid(name) ? name : null;
  return (await lookUp<PublicTable>("find-public-table", FIND_PUBLIC, [id, dataset, table]))[0];
}

const UPSTREAM = `SELECT t.id AS "tableId", d.id AS "datasetId", v.digest,
    coalesce((SELECT max(p.at) FROM "Promotion" p WHERE p."versionId" = v.id), v."publishedAt") AS since
  FROM "Table" t JOIN "Dataset" d ON d.id = t."datasetId" AND ${readableBy("$4")}
  JOIN "Version" v ON v.id = t."currentVersionId" AND v."withdrawnAt" IS NULL
  WHERE t.id = $1::uuid OR (d.slug = $2 AND t.slug = $3)`;

/** The current version of a table that a recipe reads, and since when it has been current. */
export interface UpstreamTable {
  tableId: string;
  datasetId: string;
  digest: string;
  since: Date;
}

/** A table, given its id or `dataset/table`; undefined if the workspace cannot read such a table. */
export async function findUpstream(name: string, workspaceId: string): Promise<UpstreamTable | undefined> {
  const [dataset = "", table = ""] = name.split("/");
  const values = [isUuid(name) ? name : null, dataset, table, workspaceId];
  return (await lookUp<UpstreamTable>("find-upstream", UPSTREAM, values))[0];
}
