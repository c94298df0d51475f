import { membershipOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { fail } from "@/lib/kernel/errors";
import { builderAuthor, builderOf } from "@/lib/operations/datasets/builder";
import { publishedTexts, tableTexts } from "@/lib/operations/recipes/recipe-texts";
import type { EventBy } from "@/lib/store/datasets/dataset-states";
import { findRevisionById } from "@/lib/store/recipes/revisions";
import { type PromotedTable, type PromotionRequest, promoteTables } from "@/lib/store/releases/promotion";
import { type SealedVersionRow, sealedByRun } from "@/lib/store/releases/sealing";
import type { StoredRun } from "@/lib/store/runs/runs";

export interface Publication {
  publishes: boolean;
  cause: EventBy;
  expectedCurrent?: string | null | undefined;
  activate?: boolean | undefined;
}

/** What a run sealed, of the given tables or all. Fails with no_passing_release or not_found. */
export async function sealedVersions(
  run: StoredRun,
  requested: readonly string[] | undefined = undefined,
): Promise<SealedVersionRow[]> {
  const sealed = await sealedByRun(run.id);
  const unknown = requested?.find((slug) => !sealed.some((version) => version.slug === slug));
  if (unknown !== undefined) throw fail("not_found", { message: `The run sealed no new version of ${unknown}.` });
  const wanted = requested ? sealed.filter(({ slug }) => requested.includes(slug)) : sealed;
  if (wanted.length === 0)
    throw fail("no_passing_release", { message: `The run is ${run.state} and sealed no new version.` });
  return wanted;
}

/** Makes sealed versions current, with the titles and descriptions of the revision that made them. */
export const promoteVersions = async (...args: Parameters<typeof promotionOf>): Promise<PromotedTable[]> =>
  promoteTables(await promotionOf(...args), builderAuthor(args[3]));

/** What `promoteVersions` asks the store to do. */
export async function promotionOf(
  run: Pick<StoredRun, "id" | "datasetId" | "revisionId" | "dataset">,
  versions: readonly SealedVersionRow[],
  { publishes, cause, expectedCurrent, activate }: Publication,
  ctx: Context,
): Promise<PromotionRequest> {
  const revision = await findRevisionById(run.revisionId);
  if (!revision) throw fail("not_found");
  const { workspaceId } = membershipOf(ctx);
  const texts = tableTexts(revision.document);
  return {
    dataset: { id: run.datasetId, slug: run.dataset.slug, workspaceId },
    tables: versions.flatMap(({ tableId, slug, versionId }) => {
      const own = texts.get(slug);
      return own ? [{ tableId, slug, versionId, ...own }] : [];
    }),
    texts: publishedTexts(revision.document),
    publishes,
    cause,
    runId: run.id,
    expectedCurrent,
    activate,
    by: builderOf(ctx),
    now: ctx.now(),
  };
}
