import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { env } from "@/lib/kernel/env";
import { publishTable } from "@/lib/publish/publish";
import { tempDir } from "@/lib/storage/paths";
import { countDatasets, newestVersionAt } from "@/lib/store/datasets/tables";
import {
  adoptOldFill,
  type FillProgress,
  readFillProgress,
  recordFillStopped,
  removeFillProgress,
  writeFillProgress,
} from "@/lib/store/fill-progress";
import { withLocks } from "@/lib/store/postgres/advisory-lock";
import { type FillContext, fillShowcase, SHOWCASE_SLUGS } from "./catalogue";
import { showcaseInstalled } from "./package-file";
import { harvestShowcaseSources } from "./sources";

type Build = NonNullable<FillContext["build"]>;
export type TellProgress = (progress: FillProgress) => void;

/** Fills the catalogue with the showcase data, whatever it already holds; one process at a time. */
export const fillCatalogue = (tell: TellProgress, build: Build): Promise<void> =>
  alone(() => fillFromHere(tell, build));

/** Resumes an incomplete fill, unless another process has completed it in the meantime. */
export const resumeFill = (tell: TellProgress, build: Build): Promise<void> =>
  alone(async () => {
    if (await readFillProgress()) await fillFromHere(tell, build);
  });

const alone = (work: () => Promise<void>): Promise<void> =>
  withLocks({ sql: "SELECT pg_advisory_lock(hashtextextended('showcase', 0))", values: [] }, work);

async function fillFromHere(tell: TellProgress, build: Build): Promise<void> {
  const workDir = join(tempDir(), "showcase");
  await rm(workDir, { recursive: true, force: true }); // of a fill that was killed
  await mkdir(workDir, { recursive: true });
  let written = Promise.resolve();
  const progress: TellProgress = (told) => {
    written = written.then(() => writeFillProgress(told));
    written.catch(() => undefined); // reported once the work has ended
    tell(told);
  };
  try {
    await fillShowcase({
      publish: (request) => publishTable(request, { now: () => new Date() }),
      build,
      newestVersionAt,
      workDir,
      progress,
    });
    await harvestShowcaseSources();
    await written;
    await removeFillProgress();
  } catch (error) {
    await written.catch(() => undefined);
    await recordFillStopped(true);
    throw error;
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

export interface FirstFill {
  /** Receives one line that says why the catalogue is not filled. */
  say: (text: string) => void;
  installed?: () => boolean;
}

/**
 * Whether this start has a catalogue to fill: an empty one, or one whose first fill was interrupted. If so, it stays
 * marked until the fill is complete. Without the showcase packages, as in a production install, it reports that and
 * leaves the catalogue unchanged.
 */
export async function beginFirstFill({ say, installed = showcaseInstalled }: FirstFill): Promise<boolean> {
  if (!env().PARQUETRY_SHOWCASE) return false;
  await adoptOldFill();
  const before = await readFillProgress();
  if (!before && (await countDatasets()) > 0) return false;
  if (installed()) {
    if (before) await recordFillStopped(false);
    else await writeFillProgress({ done: 0, total: SHOWCASE_SLUGS.length, next: [] });
    return true;
  }
  say(
    "The showcase packages are not installed (`npm ci --omit=dev` omits them). The catalogue is unchanged. " +
      "Publish your own data, or run `npm ci` for the showcase. PARQUETRY_SHOWCASE=false hides this message.",
  );
  return false;
}
