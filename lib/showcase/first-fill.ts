import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { env } from "@/lib/kernel/env";
import { publishTable } from "@/lib/publish/publish";
import { tempDir } from "@/lib/storage/paths";
import { countDatasets, newestVersionAt } from "@/lib/store/tables";
import { fillShowcase } from "./catalogue";
import { showcaseInstalled } from "./package-file";
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

export interface FirstFill {
  progress: Progress;
  /** Takes the one line that tells why the catalogue is not filled. */
  say: (text: string) => void;
  installed?: () => boolean;
}

/**
 * Fills an empty catalogue, or one whose first fill did not come to its end. Without the packages of the showcase, as
 * in a production install, it says so and leaves the catalogue as it is.
 */
export async function fillFirstTime({ progress, say, installed = showcaseInstalled }: FirstFill): Promise<void> {
  if (!env().PARQUETRY_SHOWCASE) return;
  if (!existsSync(mark()) && (await countDatasets()) > 0) return;
  if (installed()) return fillCatalogue(progress);
  say(
    "The showcase packages are not installed (`npm ci --omit=dev` leaves them out): the catalogue is left as it is. " +
      "Publish your own data, or run `npm ci` for the showcase. PARQUETRY_SHOWCASE=false hides this message.",
  );
}

/** Stands while a fill is under way. */
const mark = () => join(env().PARQUETRY_DATA_DIR, "showcase-filling");
