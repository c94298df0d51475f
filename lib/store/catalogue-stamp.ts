import { lookUp } from "./database";

/** Every insert, update or delete of a row that the catalogue is built from changes one of these numbers. */
const STAMP = `SELECT string_agg(rows || ':' || changes, ' ') AS stamp FROM (
  SELECT count(*) AS rows, coalesce(sum(xmin::text::bigint), 0) AS changes FROM "Dataset"
  UNION ALL SELECT count(*), coalesce(sum(xmin::text::bigint), 0) FROM "Table"
  UNION ALL SELECT count(*), coalesce(sum(xmin::text::bigint), 0) FROM "Version"
  UNION ALL SELECT count(*), coalesce(sum(xmin::text::bigint), 0) FROM "Publisher"
  UNION ALL SELECT count(*), coalesce(sum(hashtext("datasetId"::text || state)::bigint), 0) FROM "Standing") AS parts`;

/**
 * A string that changes whenever the catalogue does, or whether a dataset is current. Reads no column but those of the
 * stored verdicts, which are stored anew every hour, so it costs next to nothing beside the catalogue.
 */
export async function catalogueStamp(): Promise<string> {
  const [row] = await lookUp<{ stamp: string }>("catalogue-stamp", STAMP, []);
  return row?.stamp ?? "";
}
