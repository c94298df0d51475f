import type { Context } from "@/lib/access/context";
import { versionPage } from "@/lib/describe/links";

interface Read {
  datasetSlug: string;
  tableName: string;
  label: string | null;
  versionId: string;
  digest: string;
}

/** The citation for every value of a result, as one line that ends with the page of the version. */
export const citationLine = (read: Read, ctx: Context): string =>
  `Cite: ${read.datasetSlug}, table ${read.tableName}${read.label === null ? "" : `, version ${read.label}`}, ` +
  `sha256:${read.digest}, queried ${secondsOf(ctx.now())}, ` +
  versionPage(ctx.baseUrl, read.datasetSlug, read.versionId);

/** `2026-11-22T03:59:27Z`: milliseconds are of no use to a reader. */
export const secondsOf = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;
