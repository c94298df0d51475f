import type { Context } from "@/lib/access/context";
import type { DatasetEntry } from "@/lib/schemas/dataset";
import { execute } from "./execute";
import { searchDatasets } from "./search-datasets";

/** Every public dataset, newest first: for the files that list the whole catalogue. */
export async function listAllDatasets(ctx: Context): Promise<DatasetEntry[]> {
  const all: DatasetEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await execute(searchDatasets, { query: { limit: 100, cursor } }, ctx);
    all.push(...page.datasets);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return all;
}
