import { isTold } from "@/lib/describe/lineage";
import type { SourceEvidence } from "@/lib/freshness/evidence";
import { publicTables } from "@/lib/operations/reading/read-lineage";
import { readingsOf, storedEvidence } from "@/lib/store/builds/evidence";
import { RecordedEvidence } from "./recorded-evidence";

/** How the sources of a table were read, of those whose names its readers see; none for prepared files. */
export async function tableReadings(datasetId: string, tableId: string): Promise<SourceEvidence[]> {
  const [stored] = await storedEvidence([datasetId]);
  const release = stored?.tables.find((table) => table.tableId === tableId);
  if (!stored || !release) return [];
  const tables = await publicTables(stored.document);
  const recorded = new RecordedEvidence(stored, await readingsOf([datasetId]), (source) => isTold(source, tables));
  return recorded.ofTable(release).sources.filter(({ listed }) => listed);
}
