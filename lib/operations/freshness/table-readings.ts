import { isTold } from "@/lib/describe/lineage";
import type { SourceEvidence } from "@/lib/freshness/evidence";
import { publicTables } from "@/lib/operations/reading/read-lineage";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import { readingsOf, storedEvidence } from "@/lib/store/releases/evidence";
import { RecordedEvidence } from "./recorded-evidence";
import type { Sees } from "./verdicts";

/** The readings of a table's sources, for those whose names its readers see; none for prepared files. */
export async function tableReadings(
  datasetId: string,
  { slug }: { slug: string },
  sees: Sees = "listed",
): Promise<SourceEvidence[]> {
  const [stored] = await storedEvidence([datasetId]);
  if (!stored) return [];
  const tables = sees === "all" ? undefined : await publicTables(stored.document);
  const isVisible = (source: RecipeSource) => tables === undefined || isTold(source, tables);
  const recorded = new RecordedEvidence(stored, await readingsOf([datasetId]), isVisible);
  return recorded.ofUnreleased(slug).sources.filter(({ listed }) => listed);
}
