import type { InspectionReply } from "@/lib/schemas/inspection";
import { recipeText } from "./recipe-text";

const SOURCE = "source";

/**
 * A first recipe from what an inspection proposes, as YAML. Licence and publisher are left empty for a person, unless
 * the source itself states a licence.
 */
export function inspectedRecipe(
  { source, table, licence_hints: [license] = [] }: InspectionReply,
  title: string,
): string {
  return recipeText({
    schema_version: "service-recipe.v1",
    sources: [{ ...source, name: SOURCE }],
    tables: [
      {
        name: "data",
        title,
        from: SOURCE,
        steps: table?.steps ?? [],
        columns: table?.columns ?? [],
        checks: [{ check: "row_count", min: 1 }],
      },
    ],
    publish: { license: license ?? "", publisher: { name: "" } },
  });
}
