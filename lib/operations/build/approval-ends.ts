import { readRecipe } from "@/lib/builds/document/read-recipe";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import { changedUpstreamLicence, hostsChangedSince } from "@/lib/store/builds/approval-facts";
import type { StoredRevision } from "@/lib/store/builds/revisions";

const DAY_MS = 86_400_000;
/** An approval that nobody has renewed for so long starts no run by itself. */
const APPROVED_DAYS = 400;

/** Whether runs of a revision go on in full under the approval that it has. */
export async function isApprovalStanding(revision: StoredRevision, workspaceId: string, now: Date): Promise<boolean> {
  const { state, recipeDigest, approvedAt, document } = revision;
  if (state !== "approved" || recipeDigest === null || approvedAt === null) return false;
  return (await whyApprovalEnded({ approvedAt, document }, workspaceId, now)) === undefined;
}

/** Why an approval counts no longer, so that a sample and another one are needed; undefined while it does. */
export async function whyApprovalEnded(
  { approvedAt, document }: { approvedAt: Date; document: string },
  workspaceId: string,
  now: Date,
): Promise<string | undefined> {
  if (now.getTime() - approvedAt.getTime() >= APPROVED_DAYS * DAY_MS)
    return `The approval is more than ${APPROVED_DAYS} days old.`;
  const { sources } = readRecipe(document).recipe;
  const credential = await hostsChangedSince(workspaceId, credentialsOf(sources), approvedAt);
  if (credential !== undefined) return `The hosts of the credential ${credential} changed after the approval.`;
  const table = await changedUpstreamLicence(tablesOf(sources), approvedAt);
  return table === undefined ? undefined : `The licence of ${table} changed after the approval.`;
}

const credentialsOf = (sources: readonly RecipeSource[]): string[] =>
  sources.flatMap((source) => ("credential" in source && source.credential !== undefined ? [source.credential] : []));

const tablesOf = (sources: readonly RecipeSource[]): string[] =>
  sources.flatMap((source) => (source.kind === "table" ? [source.table] : []));
