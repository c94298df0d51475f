import { env } from "@/lib/kernel/env";
import { keepFailure } from "@/lib/store/builds/samples";
import { withTableLock } from "@/lib/store/versions";
import type { Made } from "./made";
import { madeTables, resultFor, storeTable } from "./run-outcome";
import { tableArtifact, textArtifacts } from "./text-artifacts";

const DAY_MS = 86_400_000;

/**
 * Stores what a build produced that failed because of its data: checks, rejects, and the tables that it would have
 * sealed, so that somebody can inspect the rows. Whether another worker has the run is detected when its failure is
 * written.
 */
export async function keepFailed(made: Made): Promise<void> {
  const { run, dataset } = made.material;
  const tables = await madeTables(made);
  const result = await resultFor(made, tables, null);
  await withTableLock(dataset.slug, "", async () => {
    const now = new Date();
    const expiresAt = new Date(now.getTime() + env().ARTIFACT_DAYS * DAY_MS);
    for (const table of tables) await storeTable(made, table);
    const artifacts = [
      ...(await textArtifacts(made, now)),
      ...tables.map((table) => tableArtifact("candidate_table", table, expiresAt)),
    ];
    await keepFailure(run, { result, artifacts, now });
  });
}
