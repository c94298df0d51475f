import type { PlannedSource } from "@/lib/builds/plan";
import { duckdbVersion } from "@/lib/engine/duckdb/duckdb";
import { env } from "@/lib/kernel/env";
import { sha256Hex } from "@/lib/kernel/sha256";
import type { SandboxOutcome } from "@/lib/sandbox/events";
import type { RunResult } from "@/lib/schemas/run";
import type { Author } from "@/lib/store/audit";
import type { StoredJson } from "@/lib/store/postgres/stored-json";
import { Overtaken, sealRun } from "@/lib/store/releases/sealing";
import { findLastInputs } from "@/lib/store/runs/run-inputs";
import { recordSameRows } from "@/lib/store/sources/source-reads";
import { Interrupted } from "./run-failure";
import { type RunMaterial, releaseLabel } from "./run-material";

/** The inputs of a full run, kept with its plan. */
export interface RunInputs {
  /** A different engine may produce different rows from the same bytes. */
  engine: string;
  /** Digest of all raw files. */
  raw: string;
  /** Digests of the decoded rows, by source. Empty for a run that ended before it decoded any. */
  rows: Readonly<Record<string, string>>;
}

/** The inputs and the result of the preceding run. */
export interface RunBefore {
  inputs: RunInputs;
  result: RunResult;
}

const SERVICE: Author = { actor: "service" };

/**
 * The run that a refresh may repeat: the last one sealed by exactly this recipe and engine, if what it sealed is still
 * current. Undefined if there is none, in which case everything is built.
 */
export async function runBefore({ run, dataset, document }: RunMaterial): Promise<RunBefore | undefined> {
  if (run.kind !== "refresh" || run.recipeDigest === null) return undefined;
  const last = await findLastInputs(run.datasetId, run.recipeDigest);
  const inputs = (last?.plan as { inputs?: RunInputs } | undefined)?.inputs;
  const result = last?.sample as unknown as RunResult | null | undefined;
  if (!inputs || !result || inputs.engine !== engineText()) return undefined;
  const sealed = new Map(result.tables.map(({ table, version_id }) => [table, version_id]));
  const shown = document.recipe.tables.filter(({ internal }) => !internal).length;
  const isCurrent = dataset.tables
    .filter(({ slug }) => sealed.has(slug))
    .every(({ slug, currentVersionId }) => currentVersionId !== null && currentVersionId === sealed.get(slug));
  return isCurrent && sealed.size === shown ? { inputs, result } : undefined;
}

/** The inputs that a run decoded. */
export const inputsOf = (sources: readonly PlannedSource[], outcome: SandboxOutcome): RunInputs => ({
  engine: engineText(),
  raw: rawDigest(sources),
  rows: Object.fromEntries(outcome.sources.map(({ name, rowsDigest }) => [name, rowsDigest])),
});

/** Raw files are named by their digests. */
export const rawDigest = (sources: readonly PlannedSource[]): string => sha256Hex(JSON.stringify(sources));

const engineText = (): string => `${duckdbVersion()} ${env().BUILD_MEMORY_MB}`;

/** Records for sources with new bytes that their rows are the same. */
export async function recordSame({ run }: RunMaterial, before: RunBefore, rows: RunInputs["rows"]): Promise<void> {
  const same = Object.entries(rows).filter(([name, digest]) => before.inputs.rows[name] === digest);
  await recordSameRows(
    run.id,
    same.map(([name]) => name),
  );
}

/**
 * The same for a run whose sources sent the bytes of the preceding run. Whatever came in between was never sealed, so
 * it does not change what is current.
 */
export async function sealSameBytes(
  material: RunMaterial,
  before: RunBefore,
  sources: readonly PlannedSource[],
): Promise<void> {
  await recordSameRows(
    material.run.id,
    sources.map(({ name }) => name),
  );
  await sealUnchanged(material, before, { inputs: before.inputs, sources });
}

/**
 * Ends a run whose sources have the same rows as in the preceding run: nothing is built, and what is current remains.
 */
export async function sealUnchanged(
  material: RunMaterial,
  { result }: RunBefore,
  read: { inputs: RunInputs; sources: readonly PlannedSource[] },
): Promise<void> {
  const { run, dataset, revision } = material;
  const tables = result.tables.map(({ change: _, ...table }) => ({ ...table, outcome: "unchanged" as const }));
  const sealing = {
    run: { id: run.id, fence: run.fence, datasetId: dataset.id, revisionId: revision.id },
    ...{ tables: [], artifacts: [], message: "every source has the same rows as in the previous run" },
    label: releaseLabel(material, read.sources),
    unchanged: tables.flatMap(({ version_id }) => version_id ?? []),
    plan: { ...(run.plan as object), ...read } as unknown as StoredJson,
    result: () => ({ ...result, tables }) as unknown as StoredJson,
    now: new Date(),
  };
  await sealRun(sealing, SERVICE).catch((error: unknown) => {
    throw error instanceof Overtaken ? new Interrupted("lost") : error;
  });
}
