import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { type ReplayedVersion, replayedVersion, type Showcase, type ShowcaseVersion } from "@/lib/showcase/showcase";
import { findBuiltDataset } from "@/lib/store/datasets/built-datasets";
import { listVersions } from "@/lib/store/datasets/tables";
import { closeJobs } from "@/lib/store/runs/jobs";
import { replayVersion, SHOWCASE_WORKSPACE } from "@/lib/worker/replay-version";
import { newWorkerName, workOnRun } from "@/lib/worker/runs/run-job";
import { stageWith } from "@/lib/worker/runs/run-stage";
import { sandboxProgram } from "./sandbox-program";

/** Builds showcase datasets for a test file as the first start does, with the production sandbox. */
export interface ShowcaseReplays {
  /** A folder for prepared files. */
  workDir(): string;
  /** Fails if the run reports an error in addition to its outcome. */
  replay(wanted: ReplayedVersion, now?: () => Date): Promise<"built" | "by_hand">;
  /** Takes a queued run to its end, as a worker does. */
  work(runId: string): Promise<void>;
}

export function useShowcaseReplays(): ShowcaseReplays {
  let [program, workDir] = ["", ""];
  beforeAll(async () => {
    program = await sandboxProgram();
    workDir = await mkdtemp(join(tmpdir(), "replay-"));
  }, 120_000);
  afterAll(async () => {
    await closeJobs();
    await rm(workDir, { recursive: true, force: true });
  });
  const onError = (error: unknown) => expect.unreachable(String(error));
  return {
    workDir: () => workDir,
    replay: (wanted, now = () => new Date()) => replayVersion(wanted, { now, onError, program }),
    work: async (runId) => {
      const stop = new AbortController().signal;
      await workOnRun({ run_id: runId }, { worker: newWorkerName(), stage: stageWith(program), stop, onError });
    },
  };
}

/** A release of a showcase dataset with one table, by its label. */
export function releaseOf({ dataset, tables }: Showcase, label: string): ShowcaseVersion {
  const version = tables[0]?.versions.find((each) => each.label === label);
  if (!version) throw new Error(`${dataset.slug} has no version ${label}`);
  return version;
}

/** What the first start builds of that release. */
export function wantedOf(showcase: Showcase, label: string): ReplayedVersion {
  const wanted = replayedVersion(showcase, releaseOf(showcase, label));
  if (!wanted) throw new Error(`${showcase.dataset.slug} has no recipe`);
  return wanted;
}

/** A dataset that was built, with the versions of its table, newest first. */
export async function builtShowcase(slug: string) {
  const dataset = await findBuiltDataset(SHOWCASE_WORKSPACE, slug);
  if (!dataset?.tables[0]) throw new Error(`${slug} is not built`);
  return { dataset, versions: await listVersions(dataset.tables[0].id) };
}
