import { readRecipe } from "@/lib/builds/document/read-recipe";
import { plain } from "@/lib/operations/sources/listed-licences";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import { addressesOf } from "@/lib/sources/addresses-of";
import { changedUpstreamLicence, hostsChangedSince, statedLicences } from "@/lib/store/approvals/approval-facts";
import type { StoredRevision } from "@/lib/store/recipes/revisions";
import { findListedLicences } from "@/lib/store/sources/sources";

const DAY_MS = 86_400_000;
/** An approval that nobody has renewed for this long no longer starts runs automatically. */
const APPROVED_DAYS = 400;

/** Whether runs of a revision may still run in full under its existing approval. */
export async function isApprovalValid(revision: StoredRevision, workspaceId: string, now: Date): Promise<boolean> {
  const { state, recipeDigest, approvedAt, document, datasetId } = revision;
  if (state !== "approved" || recipeDigest === null || approvedAt === null) return false;
  return (await whyApprovalEnded({ datasetId, approvedAt, document }, workspaceId, now)) === undefined;
}

/**
 * Why an approval is no longer valid, so that a sample and another approval are needed; undefined while it is valid.
 */
export async function whyApprovalEnded(
  { datasetId, approvedAt, document }: { datasetId: string; approvedAt: Date; document: string },
  workspaceId: string,
  now: Date,
): Promise<string | undefined> {
  if (now.getTime() - approvedAt.getTime() >= APPROVED_DAYS * DAY_MS)
    return `The approval is more than ${APPROVED_DAYS} days old.`;
  const { sources } = readRecipe(document).recipe;
  const credential = await hostsChangedSince(workspaceId, credentialsOf(sources), approvedAt);
  if (credential !== undefined) return `The hosts of the credential ${credential} changed after the approval.`;
  const table = await changedUpstreamLicence(tablesOf(sources), approvedAt);
  if (table !== undefined) return `The licence of ${table} changed after the approval.`;
  return whyLicenceEnded(datasetId, sources, approvedAt);
}

/**
 * Compares the licence that a package states, or that a provider's list states for a URL, with the one read before the
 * approval. Where none was stated, nothing changed.
 */
async function whyLicenceEnded(
  datasetId: string,
  sources: readonly RecipeSource[],
  approvedAt: Date,
): Promise<string | undefined> {
  const watched = sources.filter(({ kind }) => kind === "http" || kind === "package");
  const names = watched.map(({ name }) => name);
  for (const { source, before, now } of await statedLicences(datasetId, names, approvedAt)) {
    const of = watched.find(({ name }) => name === source);
    const [listed] = await findListedLicences(of ? addressesOf(of) : []);
    const latest = listed?.license ?? now;
    if (plain(latest) !== plain(before))
      return `The licence that ${source} states changed after the approval: it was ${before}, and is ${latest}.`;
  }
  return undefined;
}

const credentialsOf = (sources: readonly RecipeSource[]): string[] =>
  sources.flatMap((source) => ("credential" in source && source.credential !== undefined ? [source.credential] : []));

const tablesOf = (sources: readonly RecipeSource[]): string[] =>
  sources.flatMap((source) => (source.kind === "table" ? [source.table] : []));
