import { env } from "@/lib/kernel/env";
import type { Recipe } from "@/lib/schemas/recipe";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import type { Estimate } from "@/lib/schemas/run";
import { buildUsage } from "@/lib/store/runs/build-quota";
import { lastReads } from "@/lib/store/sources/observations";

/** A guess until something has been measured: the bytes that one process reads, decodes and builds per second. */
const BYTES_PER_SECOND = 5_000_000;

/** What a run would read, estimated from earlier runs; accesses no source. */
export async function estimateRun(
  recipe: Recipe,
  { datasetId, workspaceId }: { datasetId: string; workspaceId: string },
  now: Date,
): Promise<Estimate> {
  const [reads, used] = await Promise.all([lastReads(datasetId), buildUsage(workspaceId, now)]);
  const { BUILD_RUNS_DAY, BUILD_BYTES_DAY, SOURCE_BYTES, SOURCE_SECONDS } = env();
  const known = recipe.sources.map(({ name }) => reads.get(name));
  const isMeasured = known.every((read) => read !== undefined);
  const measured = known.reduce((sum, read) => sum + (read?.bytes ?? 0), 0);
  const bytes = isMeasured ? { min: measured, max: measured } : { min: 0, max: SOURCE_BYTES * recipe.sources.length };
  const longest = isMeasured ? 2 + Math.ceil(measured / BYTES_PER_SECOND) : SOURCE_SECONDS * recipe.sources.length;
  return {
    bytes,
    rows: { min: 0, max: env().BUILD_ROWS_MAX },
    seconds: { min: 1, max: longest },
    basis: isMeasured ? "measured" : "limits",
    sources: recipe.sources.map((source) => ({
      name: source.name,
      kind: source.kind,
      host: hostOf(source),
      partitions: reads.get(source.name)?.partitions ?? 1,
      last_read_at: reads.get(source.name)?.at.toISOString() ?? null,
      credential: ("credential" in source ? source.credential : undefined) ?? null,
    })),
    quota: {
      runs_left_today: Math.max(0, BUILD_RUNS_DAY - used.runs),
      bytes_left_today: Math.max(0, BUILD_BYTES_DAY - used.bytes),
    },
  };
}

/** The host that a source is read from; null for sources without a URL. */
export function hostOf(source: RecipeSource): string | null {
  if (source.kind !== "http") return null;
  const address = source.url ?? source.urls?.[0] ?? source.template?.url.replaceAll(/\{[^{}]*\}/g, "x");
  return address === undefined ? null : (URL.parse(address)?.host ?? null);
}

/** What will be read, as text for the first event of a run. */
export function estimateText({ sources, bytes, basis }: Estimate): string {
  const names = sources.map(({ name, host }) => (host === null ? name : `${name} (${host})`)).join(", ");
  const size = basis === "measured" ? `, about ${bytes.max.toLocaleString("en")} bytes` : "";
  return `${sources.length} ${sources.length === 1 ? "source" : "sources"}: ${names}${size}; nothing was read yet`;
}
