import type { PlannedSource } from "@/lib/builds/plan";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import { addressesOf } from "@/lib/sources/addresses-of";
import { SourceFailure } from "@/lib/sources/source-failure";
import type { WorkerEvent } from "@/lib/store/runs/run-claims";
import { findListedLicences } from "@/lib/store/sources/sources";
import type { Pulse } from "@/lib/worker/heartbeat";
import { runFailureOf } from "@/lib/worker/runs/run-failure";
import type { RunMaterial } from "@/lib/worker/runs/run-material";
import type { FetchBudget } from "./fetch-budget";
import { readHttp } from "./http-source";
import { readPackageSource } from "./package-source";
import { copyTable } from "./table-source";
import { copyUpload } from "./upload-source";

export interface Reading {
  material: RunMaterial;
  /** The run's folder. Raw files are in `raw/`. */
  folder: string;
  pulse: Pulse;
  budget: FetchBudget;
  say(event: WorkerEvent): Promise<boolean>;
  /** The licence that a provider's list states for the source being read. */
  listedLicence?: string | undefined;
}

/** The parts read from a source. */
export type ReadParts = Pick<PlannedSource, "parts" | "isPart">;

/** Brings the bytes of all sources into the run's folder, one source after another. Throws named `RunFailure`s. */
export async function readSources(reading: Reading): Promise<PlannedSource[]> {
  const planned: PlannedSource[] = [];
  for (const [at, source] of reading.material.document.recipe.sources.entries()) {
    reading.pulse.signal.throwIfAborted();
    planned.push({
      name: source.name,
      ordinal: at + 1,
      ...(await namedParts(source, await withLicence(source, reading))),
    });
  }
  return planned;
}

async function withLicence(source: RecipeSource, reading: Reading): Promise<Reading> {
  const [listed] = await findListedLicences(addressesOf(source));
  return { ...reading, listedLicence: listed?.license };
}

async function namedParts(source: RecipeSource, reading: Reading): Promise<ReadParts> {
  try {
    return await partsOf(source, reading);
  } catch (error) {
    if (error instanceof SourceFailure) throw runFailureOf(error, source.name);
    throw error;
  } finally {
    await reading.budget.record();
  }
}

async function partsOf(source: RecipeSource, reading: Reading): Promise<ReadParts> {
  switch (source.kind) {
    case "http":
      return await readHttp(source, reading);
    case "table":
      return { parts: await copyTable(source, reading) };
    case "package":
      return { parts: await readPackageSource(source, reading) };
    case "upload":
      return { parts: await copyUpload(source, reading) };
  }
}
