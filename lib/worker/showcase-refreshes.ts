import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { nextRefresh } from "@/lib/operations/refresh/run-schedules";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { listBuiltDatasets } from "@/lib/store/datasets/built-datasets";
import { pauseSchedule, resumeSchedule } from "@/lib/store/recipes/schedules";
import { BY_ADMINISTRATOR, SHOWCASE_WORKSPACE } from "./replay-version";

/**
 * Allows or stops scheduled reads of the registry for the showcase datasets that recipes build. Returns the slugs whose
 * schedules changed.
 */
export async function switchShowcaseRefreshes(to: "on" | "off", now: Date): Promise<string[]> {
  if (to === "on" && env().PACKAGE_REGISTRY === undefined)
    throw fail("conflict", {
      message: "No package registry is set. Set PACKAGE_REGISTRY to the URL of an npm registry, then repeat this.",
    });
  const switched: string[] = [];
  for (const { id: datasetId, slug } of await listBuiltDatasets(SHOWCASE_WORKSPACE)) {
    const scheduled = { datasetId, slug, workspaceId: SHOWCASE_WORKSPACE };
    const isNew =
      to === "on"
        ? await resumeSchedule(scheduled, await nextRefresh(datasetId, now), ADMINISTRATOR)
        : await pauseSchedule(scheduled, { by: BY_ADMINISTRATOR, now }, ADMINISTRATOR);
    if (isNew) switched.push(slug);
  }
  return switched;
}
