import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { env } from "@/lib/kernel/env";
import { publishTable } from "@/lib/publish/publish";
import { tempDir } from "@/lib/storage/paths";
import { countDatasets, newestVersionAt } from "@/lib/store/tables";
import { type FillContext, fillShowcase } from "./catalogue";
import { showcaseInstalled } from "./package-file";
import { harvestShowcaseSources } from "./sources";

type Build = NonNullable<FillContext["build"]>;
export type Progress = (done: number, total: number, text: string) => void;

/**
 * Fills the catalogue with the showcase data, whatever it already holds. `fillFirstTime` resumes an interrupted fill.
 */
export async function fillCatalogue(progress: Progress, build: Build): Promise<void> {
  mkdirSync(tempDir(), { recursive: true });
  const workDir = await mkdtemp(join(tempDir(), "showcase-"));
  writeFileSync(mark(), "");
  try {
    await fillShowcase({
      publish: (request) => publishTable(request, { now: () => new Date() }),
      build,
      newestVersionAt,
      workDir,
      progress,
    });
    await harvestShowcaseSources();
    rmSync(mark());
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

export interface FirstFill {
  progress: Progress;
  build: Build;
  /** Receives one line that says why the catalogue is not filled. */
  say: (text: string) => void;
  installed?: () => boolean;
}

/**
 * Fills an empty catalogue, or one whose first fill was interrupted. Without the showcase packages, as in a production
 * install, it reports that and leaves the catalogue unchanged.
 */
export async function fillFirstTime({ progress, build, say, installed = showcaseInstalled }: FirstFill): Promise<void> {
  if (!env().PARQUETRY_SHOWCASE) return;
  if (!existsSync(mark()) && (await countDatasets()) > 0) return;
  if (installed()) return fillCatalogue(progress, build);
  say(
    "The showcase packages are not installed (`npm ci --omit=dev` leaves them out): the catalogue is left as it is. " +
      "Publish your own data, or run `npm ci` for the showcase. PARQUETRY_SHOWCASE=false hides this message.",
  );
}

/** Exists while a fill is in progress. */
const mark = () => join(env().PARQUETRY_DATA_DIR, "showcase-filling");
