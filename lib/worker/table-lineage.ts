import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { PlannedSource } from "@/lib/builds/plan";
import { sourcesOfTable } from "@/lib/builds/table-sources";
import type { SealedLineage, SealedSource } from "@/lib/schemas/lineage";
import { lastSeen } from "@/lib/store/builds/source-digests";
import type { Made } from "./made";
import { builtOf } from "./run-outcome";

/** The recorded lineage of a table: the origins of its columns, and every source with its bytes. */
export async function lineageOf(made: Made, table: string): Promise<SealedLineage> {
  const { plan, material } = made;
  const names = sourcesOfTable(material.document.recipe, table);
  const columns = builtOf(made).lineage.find((lineage) => lineage.table === table)?.columns ?? {};
  const planned = plan.sources.filter(({ name }) => names.includes(name));
  const sources = await Promise.all(planned.map((source) => sealedSource(made, source)));
  const { duckdb, readers } = plan.engine;
  return { table, columns, sources, engine: { duckdb, readers } };
}

/** Raw files are named by their SHA-256. */
async function sealedSource({ folder, material }: Made, { name, parts }: PlannedSource): Promise<SealedSource> {
  const read = await Promise.all(
    parts.map(async ({ partition, file }) => {
      const { size } = await stat(join(folder, file));
      return { partition, digest: basename(file), bytes: size };
    }),
  );
  const digests = [...new Set(read.map(({ digest }) => digest))];
  const seen = [...(await lastSeen(material.dataset.id, digests)).values()];
  const at = seen.length > 0 ? new Date(Math.max(...seen.map((time) => time.getTime()))) : material.now;
  return { name, read_at: at.toISOString(), parts: read };
}
