import { fail } from "@/lib/kernel/errors";
import type { PublishReceipt } from "@/lib/schemas/publish";
import { blobStore } from "@/lib/storage/blob-store";
import { hashFile } from "@/lib/storage/blobs";
import { findStored } from "@/lib/store/datasets/stored-publication";
import { type PublishContext, publishTable } from "./publish";

export interface ColumnEdit {
  dataset: string;
  table: string;
  column: string;
  /** Unchanged if absent; an empty string removes it. */
  description?: string | undefined;
  unit?: string | undefined;
}

/**
 * Changes a column's description or unit. A version never changes, so this publishes the current rows as a new version
 * whose change is `metadata`. Fails with `not_found`, `invalid_request`, `integrity_failure`, or `conflict` if another
 * version became current in the meantime.
 */
export async function editColumn(edit: ColumnEdit, ctx: PublishContext): Promise<PublishReceipt> {
  const { dataset, table, column, description, unit } = edit;
  const version = (await findStored(dataset, table))?.version;
  if (!version) throw fail("not_found", { message: `Unknown table: ${dataset}/${table}.` });
  const names = version.columns.map(({ name }) => name);
  if (!names.includes(column))
    throw fail("invalid_request", { message: `Unknown column: ${column}. The table has ${names.join(", ")}.` });
  const note = { name: column, ...(description !== undefined && { description }), ...(unit !== undefined && { unit }) };
  return await blobStore().withLocalPath(version.digest, async (file) => {
    if ((await hashFile(file)).digest !== version.digest)
      throw fail("integrity_failure", {
        message: "The stored file is damaged. Publish the table again from its source.",
      });
    return await publishTable(
      { file, format: "parquet", dataset: { slug: dataset }, table: { slug: table }, columns: [note] },
      { ...ctx, basedOn: version.id },
    );
  });
}
