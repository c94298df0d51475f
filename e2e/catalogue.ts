import type { APIRequestContext } from "@playwright/test";

export interface TableEntry {
  name: string;
  slug: string;
  tableId: string;
  version_id: string;
  rows: number;
  bytes: number;
}

/** The entry of a showcase table. */
export async function tableOf(request: APIRequestContext, dataset: string, table?: string): Promise<TableEntry> {
  const reply = await request.get(`/api/v2/public/datasets/${dataset}`);
  const { tables } = (await reply.json()) as { tables: TableEntry[] };
  const found = table ? tables.find(({ slug }) => slug === table) : tables[0];
  if (!found) throw new Error(`no table ${dataset}/${table}`);
  return found;
}
