import "server-only";
import type { Context } from "@/lib/access/context";
import { execute } from "@/lib/operations/execute";
import { getCitation } from "@/lib/operations/get-citation";
import type { DatasetCitation } from "@/lib/schemas/dataset";

/** The citation for a path: of a dataset's current versions, or of the version that the path ends with. */
export const readCitation = (
  { slug = "", version_id }: { slug?: string; version_id?: string },
  ctx: Context,
): Promise<DatasetCitation> =>
  execute(getCitation, { path: { slug }, query: version_id === undefined ? {} : { version_id } }, ctx);
