import { lookUp } from "./database";

/**
 * A string that changes in every transaction that changes the catalogue, or whether a dataset is current. Triggers
 * change it, whoever made the change.
 */
export async function catalogueStamp(): Promise<string> {
  const [row] = await lookUp<{ catalogue: string }>("catalogue-stamp", `SELECT catalogue FROM "Generation"`, []);
  if (!row) throw new Error('The table "Generation" has no row');
  return row.catalogue;
}
