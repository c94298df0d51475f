import { rm } from "node:fs/promises";
import type { PublishReceipt, PublishRequest } from "@/lib/schemas/publish";
import type { FillProgress } from "@/lib/store/fill-progress";
import { readShowcase } from "./dataset-file";
import {
  publishRequestOf,
  type ReplayedVersion,
  replayedVersion,
  type Showcase,
  type ShowcaseTable,
  type ShowcaseVersion,
} from "./showcase";

/** The slugs of all showcase datasets in the order in which they are filled, from the fastest to the slowest. */
export const SHOWCASE_SLUGS: readonly string[] = [
  "palmer-penguins",
  "mauna-loa-co2",
  "spdx-licenses",
  "earthquakes-2018",
  "daily-weather",
  "bird-strikes",
  "us-zip-codes",
  "nodejs-releases",
  "mime-types",
  "language-subtags",
  "us-flights-2001",
  "browser-compatibility",
];

/** All showcase datasets, in that order. */
export const showcaseCatalogue = (): Showcase[] => SHOWCASE_SLUGS.map(readShowcase);

export interface FillContext {
  publish(request: PublishRequest): Promise<PublishReceipt>;
  /**
   * Builds a version with its recipe unless it exists. Returns `by_hand` if the dataset was published by hand. If
   * absent, all datasets are published from their prepared files.
   */
  build?(version: ReplayedVersion): Promise<"built" | "by_hand">;
  /** Publication time of a table's newest stored version; null if there is none. */
  newestVersionAt(dataset: string, table: string): Promise<Date | null>;
  /** An existing folder for prepared files; each is deleted once it has been published. */
  workDir: string;
  /** Called whenever a dataset is started or complete. */
  progress(progress: FillProgress): void;
}

interface Step {
  showcase: Showcase;
  table: ShowcaseTable;
  version: ShowcaseVersion;
}

/** Datasets that are filled at the same time; each mostly keeps one core busy. */
const LANES = 2;

/**
 * Publishes every version of every table, oldest first, dataset by dataset. Resumes after a kill: versions older than
 * the newest stored one are skipped, because publishing them again would make old content current. The newest and later
 * ones are published again, which changes nothing if they exist. After a failure no further version is started.
 */
export async function fillShowcase(
  ctx: FillContext,
  catalogue: readonly Showcase[] = showcaseCatalogue(),
): Promise<void> {
  const waiting = [...catalogue];
  const underWay = new Set<string>();
  let done = 0;
  let failure: { error: unknown } | undefined;
  const tell = () => ctx.progress({ done, total: catalogue.length, next: [...underWay] });
  const lane = async () => {
    for (let showcase = waiting.shift(); showcase; showcase = waiting.shift()) {
      const { title } = showcase.dataset;
      underWay.add(title);
      tell();
      for (const step of stepsOf(showcase)) {
        if (failure) return;
        await publishStep(step, ctx);
      }
      underWay.delete(title);
      done += 1;
    }
  };
  const ending = async () =>
    lane().catch((error: unknown) => {
      failure ??= { error };
    });
  await Promise.all(Array.from({ length: LANES }, ending));
  if (failure) throw failure.error;
  tell();
}

function stepsOf(showcase: Showcase): Step[] {
  return showcase.tables.flatMap((table) => table.versions.map((version) => ({ showcase, table, version })));
}

async function publishStep({ showcase, table, version }: Step, ctx: FillContext): Promise<void> {
  const replayed = replayedVersion(showcase, version);
  if (replayed && (await ctx.build?.(replayed)) === "built") return;
  const newest = await ctx.newestVersionAt(showcase.dataset.slug, table.slug);
  if (newest && version.publishedAt < newest) return;
  const file = await version.prepare(ctx.workDir);
  await ctx.publish({ file, ...publishRequestOf(showcase, table, version) });
  if (file.startsWith(ctx.workDir)) await rm(file, { force: true });
}
