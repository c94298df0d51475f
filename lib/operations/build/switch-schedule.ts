import type { Context } from "@/lib/access/context";
import { fail } from "@/lib/kernel/errors";
import { nextRefresh } from "@/lib/operations/refresh/plan-refreshes";
import type { BuiltDataset } from "@/lib/store/builds/built-datasets";
import { pauseSchedule, resumeSchedule } from "@/lib/store/builds/schedules";
import { builderAuthor, builderOf } from "./builder";

/** Pauses or resumes a dataset's schedule; false if nothing changed. */
export async function switchSchedule(
  { id: datasetId, slug, build, schedule }: BuiltDataset,
  to: "pause" | "resume",
  ctx: Context,
): Promise<boolean> {
  if (!schedule?.spec)
    throw fail("conflict", {
      message: `Dataset ${slug} has no schedule. Add refresh to its recipe with propose_revision.`,
    });
  const place = { datasetId, slug, workspaceId: build.workspaceId };
  if (to === "pause") return pauseSchedule(place, { by: builderOf(ctx), now: ctx.now() }, builderAuthor(ctx));
  return resumeSchedule(place, await nextRefresh(datasetId, ctx.now()), builderAuthor(ctx));
}
