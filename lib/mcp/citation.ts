import { z } from "zod";
import type { Context } from "@/lib/access/context";
import { datasetPage } from "@/lib/describe/links";

export const citationSchema = z.strictObject({
  dataset: z.string().describe("Slug."),
  url: z.string(),
  table: z.string(),
  table_id: z.string(),
  version_id: z.string(),
  content_digest: z.string(),
  queried_at: z.string(),
});

type Citation = z.output<typeof citationSchema>;

interface Read {
  datasetSlug: string;
  tableName: string;
  tableId: string;
  versionId: string;
  digest: string;
}

/** What every value of a result is cited with. */
export const cite = (read: Read, ctx: Context): Citation => ({
  dataset: read.datasetSlug,
  url: datasetPage(ctx.baseUrl, read.datasetSlug),
  table: read.tableName,
  table_id: read.tableId,
  version_id: read.versionId,
  content_digest: `sha256:${read.digest}`,
  queried_at: ctx.now().toISOString(),
});

/** The same as one line. */
export const citationLine = (cited: Citation): string =>
  `Cite: ${cited.dataset}, table ${cited.table}, version ${cited.version_id}, ${cited.content_digest}, queried ` +
  `${cited.queried_at}, ${cited.url}`;
