import { isApprovedByPerson, lastPersonApproval } from "@/lib/store/builds/approvals";
import type { BuiltDataset } from "@/lib/store/builds/built-datasets";
import { findShownRevision, type StoredRevision } from "@/lib/store/builds/revisions";
import { isShown, PERSON_WITHIN_MS } from "./approval-policy";
import { isSafeChange } from "./revision-change";

type Made = Pick<StoredRevision, "id" | "document" | "lock" | "recipeDigest">;

/**
 * Why a person must approve making the result of a revision current; undefined if nobody has to: others do not see the
 * dataset, the revision is the one that they see, a person approved exactly this recipe, or it is a safe change to a
 * dataset that a person approved recently. A recipe that an agent approved while the dataset was private is none of
 * these.
 */
export async function whyPersonToShow(dataset: BuiltDataset, revision: Made, now: Date): Promise<string | undefined> {
  if (!isShown(dataset)) return undefined;
  const shown = await findShownRevision(dataset.id);
  if (shown && (shown.id === revision.id || shown.recipeDigest === revision.recipeDigest)) return undefined;
  const { recipeDigest } = revision;
  if (recipeDigest !== null && (await isApprovedByPerson(dataset.id, recipeDigest))) return undefined;
  const last = await lastPersonApproval(dataset.id);
  const isLate = last === null || now.getTime() - last.getTime() > PERSON_WITHIN_MS;
  const isSafe = shown !== undefined && isSafeChange(shown, revision);
  return isSafe && !isLate && dataset.build.approvalPolicy !== "person"
    ? undefined
    : "The dataset is published, and no person approved this recipe.";
}
