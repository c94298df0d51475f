import { database } from "@/lib/store/postgres/database";
import { type NamedSource, namedSources } from "./catalogue";
import { IS_PUBLIC } from "./public-catalogue";

/** A dataset's fields in catalogue-wide lists. */
export interface ListedRecord {
  id: string;
  slug: string;
  title: string;
  summary: string;
  topics: string[];
  license: string;
  publishedAt: Date | null;
  createdAt: Date;
  publisher: { name: string; slug: string; url: string | null };
  tables: ListedTable[];
  sources: NamedSource[];
}

interface ListedTable {
  id: string;
  name: string;
  slug: string;
  license: string | null;
  currentVersion: { id: string; sequence: number; label: string | null; rows: number; bytes: number };
}

const TABLES = `SELECT json_agg(json_build_object('id', t.id, 'name', t.name, 'slug', t.slug, 'license', t.license,
    'currentVersion', json_build_object('id', v.id, 'sequence', v.sequence, 'label', v.label, 'rows', v.rows,
      'bytes', v.bytes)) ORDER BY t.position, t.slug)
  FROM "Table" t JOIN "Version" v ON v.id = t."currentVersionId" WHERE t."datasetId" = d.id`;

const ENTRIES = `SELECT d.id, d.slug, d.title, d.summary, d.topics, d.license, d."publishedAt", d."createdAt",
    json_build_object('name', p.name, 'slug', p.slug, 'url', p.url) AS publisher,
    coalesce((${TABLES}), '[]') AS tables, d.sources
  FROM unnest($1::uuid[]) WITH ORDINALITY AS wanted(id, at) JOIN "Dataset" d ON d.id = wanted.id AND ${IS_PUBLIC}
  JOIN "Publisher" p ON p.id = d."publisherId" ORDER BY wanted.at`;

/**
 * Published datasets in the order of `ids`, without their columns. Those that are gone or no longer public are left
 * out.
 */
export async function findListed(ids: readonly string[]): Promise<ListedRecord[]> {
  const { pool } = await database();
  const { rows } = await pool.query<ListedRecord>(ENTRIES, [ids]);
  return rows.map((row) => ({ ...row, sources: namedSources(row.sources) }));
}
