import { type CheckedRecipe, checkRecipe } from "@/lib/builds/check-recipe";
import type { Lock } from "@/lib/builds/lock";
import { differences, type Impact, impactOf } from "@/lib/builds/revision";
import { Failure } from "@/lib/kernel/errors";
import type { DifferenceBrief, ImpactBrief } from "@/lib/schemas/revision";
import type { StoredRevision } from "@/lib/store/recipes/revisions";

const DIFFERENCES_MAX = 100;

type Stored = Pick<StoredRevision, "document" | "lock">;

export const lockOf = ({ lock }: Pick<StoredRevision, "lock">): Lock | null =>
  lock === null ? null : (JSON.parse(lock) as Lock);

/** A stored document, already checked when it was registered, with the columns that its sample had. */
export function checkStored(revision: Stored): CheckedRecipe {
  const lock = lockOf(revision);
  try {
    return checkRecipe(revision.document, new Map(Object.entries(lock?.source_columns ?? {})));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return checkRecipe(revision.document, new Map()); // a lock whose columns differ from the document's
  }
}

/** What a revision changes, as returned in replies. */
export function presentImpact({
  keysChanged,
  contractsChanged,
  checksWeakened,
  newHosts,
  newCredentials,
  scheduleChanged,
  readsMoreOften,
  ...impact
}: Impact): ImpactBrief {
  return {
    ...impact,
    keys_changed: keysChanged,
    contracts_changed: contractsChanged,
    checks_weakened: checksWeakened,
    new_hosts: newHosts,
    new_credentials: newCredentials,
    schedule_changed: scheduleChanged,
    reads_more_often: readsMoreOften,
  };
}

/** The first 100 places at which two documents differ. */
export const presentDifferences = (before: CheckedRecipe, after: CheckedRecipe): DifferenceBrief[] =>
  differences(JSON.parse(before.canonical), JSON.parse(after.canonical))
    .slice(0, DIFFERENCES_MAX)
    .map(({ pointer, op, before: then = null, after: now = null }) => ({ pointer, op, before: then, after: now }));

/**
 * Whether a change contains nothing that a person has to review: no new host or credential, no change of columns, keys,
 * licence or publisher, no faster schedule and no weaker check.
 */
export function isSafeImpact({ level, checksWeakened, newHosts, newCredentials, readsMoreOften }: Impact): boolean {
  const isSmall = level === "texts" || level === "safe";
  return isSmall && checksWeakened.length + newHosts.length + newCredentials.length === 0 && !readsMoreOften;
}

/** The same for two sampled revisions, whose locks contain the columns that they actually produce. */
export function isSafeChange(before: Stored, after: Stored): boolean {
  const [was, is] = [lockOf(before)?.columns, lockOf(after)?.columns];
  if (!was || !is || JSON.stringify(shapeOf(was)) !== JSON.stringify(shapeOf(is))) return false;
  return isSafeImpact(impactOf(checkStored(before), checkStored(after)));
}

const shapeOf = (columns: Lock["columns"]) =>
  Object.entries(columns)
    .map(([table, list]) => [table, list.map(({ name, type, storage }) => [name, type, storage])] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
