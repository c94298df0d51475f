import { z } from "zod";
import { tableEntrySchema } from "@/lib/schemas/dataset";

/** The API's URLs are omitted: an agent calls tools by id, under the name that their arguments have. */
export const agentTableSchema = tableEntrySchema
  .omit({ tableId: true, schema_url: true, preview_url: true, query_url: true, current_url: true })
  .extend({ table_id: z.uuid() });

/** A table's entry without URLs. */
export function agentTable({
  name,
  slug,
  tableId,
  version_id,
  version_number,
  version_label,
  license,
  rows,
  bytes,
}: z.output<typeof tableEntrySchema>): z.output<typeof agentTableSchema> {
  return { name, slug, table_id: tableId, version_id, version_number, version_label, license, rows, bytes };
}
