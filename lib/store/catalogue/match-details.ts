import type { CataloguePosition } from "./catalogue";
import { findMatchedColumns } from "./matched-columns";
import type { SearchTerm } from "./postings";
import type { LoadedCatalogue, MatchDetails } from "./public-catalogue";
import { findMatchedValues } from "./table-values";

/** By dataset id, the details of the matches in columns and values. Kept only for public datasets. */
export async function findMatchDetails(
  positions: readonly CataloguePosition[],
  terms: readonly SearchTerm[],
  catalogue: LoadedCatalogue,
): Promise<ReadonlyMap<string, MatchDetails>> {
  const searched = JSON.stringify(terms);
  const missing = positions.filter(({ id }) => catalogue.matchDetails.find(id + searched) === undefined);
  const having = (part: string) => missing.filter(({ matchedOn }) => matchedOn.includes(part)).map(({ id }) => id);
  const [columns, values] = await Promise.all([
    findMatchedColumns(having("columns"), terms),
    findMatchedValues(having("values"), terms),
  ]);
  const read = new Map(missing.map(({ id }) => [id, { columns: columns.get(id), values: values.get(id) ?? [] }]));
  for (const [id, details] of read)
    if (catalogue.indexOf(id) !== undefined) catalogue.matchDetails.store(id + searched, details);
  return new Map(
    positions.flatMap(({ id }) => {
      const details = read.get(id) ?? catalogue.matchDetails.find(id + searched);
      return details ? [[id, details] as const] : [];
    }),
  );
}
