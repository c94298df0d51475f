import { readRecipe } from "@/lib/builds/document/read-recipe";
import { jitterMs } from "@/lib/freshness/jitter";
import { anchored } from "@/lib/freshness/schedule";
import { sha256Hex } from "@/lib/kernel/sha256";
import { RecordedEvidence } from "@/lib/operations/freshness/recorded-evidence";
import type { Recipe } from "@/lib/schemas/recipe";
import type { Author } from "@/lib/store/audit";
import { hasActiveSubscription } from "@/lib/store/people/subscription";
import {
  pausedByPlan,
  resumeSchedule,
  type ScheduledDataset,
  storeSchedule,
  type UnplannedRecipe,
  unplannedRecipes,
} from "@/lib/store/recipes/schedules";
import { readingsOf, storedEvidence } from "@/lib/store/releases/evidence";

const SERVICE: Author = { actor: "service" };

/** Brings the stored schedules in line with approvals and plans. */
export async function planRefreshes(now: Date, onError: OnError): Promise<void> {
  for (const unplanned of await unplannedRecipes()) await planOne(unplanned, now).catch(onError);
  for (const dataset of await pausedByPlan()) await resumePaid(dataset, now).catch(onError);
}

/** Receives the failure of one dataset, so that the others still have their turn. */
export type OnError = (error: unknown) => void;

async function resumePaid(dataset: ScheduledDataset, now: Date): Promise<void> {
  if (await hasActiveSubscription(dataset.workspaceId, now))
    await resumeSchedule(dataset, await nextRefresh(dataset.datasetId, now), SERVICE);
}

async function planOne({ datasetId, revisionId, document, firstApprovedAt }: UnplannedRecipe, now: Date) {
  const { recipe } = readRecipe(document);
  const { refresh } = recipe;
  const planned = { datasetId, revisionId, now };
  if (!refresh) return storeSchedule({ ...planned, spec: undefined, upstreams: [], uploads: [], nextAt: null });
  await storeSchedule({
    ...planned,
    spec: { ...anchored(refresh, firstApprovedAt.getTime()) },
    upstreams: refresh.on_upstream ? upstreamsOf(recipe) : [],
    uploads: refresh.on_upload ? uploadsOf(recipe) : [],
    nextAt: await nextRefresh(datasetId, now),
  });
}

/** A version that the recipe names never changes. */
const upstreamsOf = ({ sources }: Recipe): string[] =>
  sources.flatMap((source) => (source.kind === "table" && source.version === "current" ? [source.table] : []));

const uploadsOf = ({ sources }: Recipe): string[] =>
  sources.flatMap((source) => (source.kind === "upload" && source.digest === undefined ? [source.upload] : []));

/**
 * When a dataset's sources are to be read next, according to its approved recipe and what is known about them; null for
 * never.
 */
export async function nextRefresh(datasetId: string, now: Date): Promise<Date | null> {
  const [stored] = await storedEvidence([datasetId]);
  if (!stored?.firstApprovedAt) return null;
  const { refresh } = readRecipe(stored.document).recipe;
  if (!refresh) return null;
  const lateMs = jitterMs(anchored(refresh, stored.firstApprovedAt.getTime()), sha256Hex(datasetId));
  const recorded = new RecordedEvidence(stored, await readingsOf([datasetId]), () => true);
  const next = recorded.nextRead(now.getTime(), lateMs);
  return next === null ? null : new Date(next);
}
