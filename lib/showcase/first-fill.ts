import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { env } from "@/lib/env";
import { publishTable } from "@/lib/publish/publish";
import { tempDir } from "@/lib/storage/paths";
import { countDatasets, newestVersionAt } from "@/lib/store/tables";
import { fillShowcase } from "./catalogue";
import { sweepShowcaseSources } from "./sources";

export type Progress = (done: number, total: number, text: string) => void;

/**
 * Fills the catalogue with the showcase data, whatever it holds already. A fill that was killed is taken up again by
 * `fillFirstTime`.
 */
export async function fillCatalogue(progress: Progress): Promise<void> {
  mkdirSync(tempDir(), { recursive: true });
  const workDir = await mkdtemp(join(tempDir(), "showcase-"));
  writeFileSync(mark(), "");
  try {
    await fillShowcase({
      publish: (request) => publishTable(request, { now: () => new Date() }),
      newestVersionAt,
      workDir,
      progress,
    });
    await sweepShowcaseSources();
    rmSync(mark());
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/** Fills an empty catalogue, or one whose first fill did not come to its end. */
export async function fillFirstTime(progress: Progress): Promise<void> {
  if (!env().PARQUETRY_SHOWCASE) return;
  if (existsSync(mark()) || (await countDatasets()) === 0) await fillCatalogue(progress);
}

/** Stands while a fill is under way. */
const mark = () => join(env().PARQUETRY_DATA_DIR, "showcase-filling");
