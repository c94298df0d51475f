import type { Context } from "@/lib/access/context";
import type { CheckedRecipe } from "@/lib/builds/check-recipe";
import { canonicalJson } from "@/lib/builds/document/canonical";
import { meaningOf } from "@/lib/builds/document/digests";
import { readRecipe } from "@/lib/builds/document/read-recipe";
import { readTree } from "@/lib/builds/document/tree";
import { readsMoreOften } from "@/lib/builds/schedule-change";
import { builderAuthor, builderOf } from "@/lib/operations/datasets/builder";
import { isRecipeApproved } from "@/lib/operations/datasets/dataset-events";
import { briefOf } from "@/lib/operations/runs/present-run";
import { planRun } from "@/lib/operations/runs/start-run";
import type { Estimate, RunBrief } from "@/lib/schemas/run";
import { type BuiltDataset, stateOf } from "@/lib/store/datasets/built-datasets";
import { isShown } from "@/lib/store/datasets/dataset-states";
import {
  addRevision,
  listApprovedRevisions,
  type NewRevision,
  type StoredRevision,
} from "@/lib/store/recipes/revisions";

export interface RevisionInput {
  note: string;
  /** Whether a run is also planned. */
  start: boolean;
  origin: NewRevision["origin"];
  basedOn?: number | undefined;
  /** The part of the previous revision's lock that still applies, as JSON text. */
  lock?: string | undefined;
}

export interface StoredReply {
  revision: { number: number; document_digest: string; state: string };
  estimate?: Estimate;
  run?: RunBrief;
  next: string;
}

/**
 * Stores a checked recipe as the dataset's next revision. A revision that means the same as an approved one, differing
 * only in notes, titles or a slower schedule, is approved along with it.
 */
export async function storeRevision(
  dataset: BuiltDataset,
  checked: CheckedRecipe,
  { start, ...texts }: RevisionInput,
  ctx: Context,
): Promise<StoredReply> {
  const approved = await approvedAlike(dataset, checked, ctx.now());
  const { revision } = await addRevision(
    {
      ...texts,
      dataset: { id: dataset.id, slug: dataset.slug, workspaceId: dataset.build.workspaceId },
      document: checked.canonical,
      documentDigest: checked.documentDigest,
      approved,
      actor: builderOf(ctx),
      now: ctx.now(),
    },
    builderAuthor(ctx),
  );
  const { number, documentDigest, state } = revision;
  const planned = start ? await planRun(dataset, revision, false, ctx) : undefined;
  const run = planned && briefOf(planned.run, ctx.baseUrl);
  return {
    revision: { number, document_digest: `sha256:${documentDigest}`, state },
    ...(planned && { estimate: planned.estimate }),
    ...(run && { run }),
    next: run?.next ?? nextOf(dataset, revision),
  };
}

const nextOf = ({ slug }: BuiltDataset, { state }: StoredRevision): string =>
  state === "approved"
    ? `start_run {"dataset":"${slug}"} runs it in full: an equivalent revision was approved.`
    : `start_run {"dataset":"${slug}"} plans a run.`;

/**
 * The newest approved revision with the same meaning, unless this one reads its sources more often, or others would see
 * something that no person approved.
 */
async function approvedAlike(
  dataset: BuiltDataset,
  checked: CheckedRecipe,
  now: Date,
): Promise<NewRevision["approved"]> {
  const meaning = meaningText(checked.canonical);
  const alike = (await listApprovedRevisions(dataset.id)).find(({ document }) => meaningText(document) === meaning);
  if (!alike || alike.lock === null || alike.recipeDigest === null || alike.approvedAt === null) return undefined;
  if (readsMoreOften(readRecipe(alike.document).recipe.refresh, checked.recipe.refresh)) return undefined;
  if (isShown(stateOf(dataset)) && !(await isRecipeApproved(dataset, alike, now))) return undefined;
  const { lock, recipeDigest, approvedAt, approvedById } = alike;
  return { lock, recipeDigest, approvedAt, approvedById };
}

const meaningText = (document: string): string => canonicalJson(meaningOf(readTree(document)));
