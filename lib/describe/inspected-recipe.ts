import type { InspectionReply } from "@/lib/schemas/inspection";
import { recipeText } from "./recipe-text";

/**
 * A first recipe from the proposals of inspections, as YAML: a source and a table for each. Licence and publisher are
 * left empty for a person, unless a source itself states a licence.
 */
export function inspectedRecipe(found: readonly InspectionReply[], title: string): string {
  const [license] = found.flatMap(({ licence_hints = [] }) => licence_hints);
  return recipeText({
    schema_version: "service-recipe.v1",
    sources: found.map(sourceOf),
    tables: found.map((each, at) => ({ ...tableOf(each, at), ...(at === 0 && { title }) })),
    publish: { license: license ?? "", publisher: { name: "" } },
  });
}

/** The proposals of an inspection as parts to add to an existing recipe; `at` others were proposed before it. */
export const inspectedParts = (found: InspectionReply, at: number): string =>
  recipeText({ sources: [sourceOf(found, at)], tables: [tableOf(found, at)] });

const numbered = (name: string, at: number): string => (at === 0 ? name : `${name}_${at + 1}`);

const sourceOf = ({ source }: InspectionReply, at: number) => ({ ...source, name: numbered("source", at) });

const tableOf = ({ table }: InspectionReply, at: number) => ({
  name: numbered("data", at),
  from: numbered("source", at),
  steps: table?.steps ?? [],
  columns: table?.columns ?? [],
  checks: [{ check: "row_count", min: 1 }],
});
