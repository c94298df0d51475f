import type { Engine } from "@/lib/engine/duckdb/engine";
import type { KeptReads } from "@/lib/engine/duckdb/kept-reads";
import type { PlannedQuery } from "./plan-query";
import type { PageRead } from "./read-page";

/** A page's rows and whether they were in memory; else `read` reads them, and they are kept. */
export async function keptPage(
  engine: Engine,
  key: string,
  read: () => Promise<PageRead>,
): Promise<{ page: PageRead; isKept: boolean }> {
  const reads = engine.keptReads as KeptReads<PageRead>;
  const found = reads.find(key);
  if (found) return { page: found, isKept: true };
  const page = await read();
  const bytes = page.rows.parts.reduce((sum, part) => sum + part.byteLength, 0);
  if (!page.rows.tooLarge) reads.keep(key, page, bytes); // rows over the limit are an error
  return { page, isKept: false };
}

/**
 * Everything that the rows of a page depend on: version, plan, place, form, and the bytes that they may take. A version
 * and not its digest, since the types of its columns are not in its bytes.
 */
export function pageKey(versionId: string, query: PlannedQuery, bytesMax: number): string {
  const { digest, after, limit, offset, int64AsText, total } = query;
  return [versionId, digest.toString("base64"), after ?? "", limit, offset, int64AsText, total, bytesMax].join(" ");
}
