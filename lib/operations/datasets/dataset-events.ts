import type { Context } from "@/lib/access/context";
import { isFreshPerson, PERSON_WITHIN_MS, requireFreshSession } from "@/lib/operations/approvals/approval-policy";
import { isSafeChange } from "@/lib/operations/recipes/revision-change";
import { isApprovedByPerson, lastPersonApproval } from "@/lib/store/approvals/approvals";
import { type BuiltDataset, stateOf } from "@/lib/store/datasets/built-datasets";
import {
  type Caller,
  type DatasetEvent,
  decide,
  type EventBy,
  isShown,
  type Visibility,
} from "@/lib/store/datasets/dataset-states";
import { findShownRevision, type StoredRevision } from "@/lib/store/recipes/revisions";
import { builderOf } from "./builder";

/** The caller in the table of what may happen to a dataset. */
export function callerOf(ctx: Context): Caller {
  const { kind } = builderOf(ctx);
  if (kind !== "person") return kind;
  return ctx.membership?.role === "owner" && isFreshPerson(ctx) ? "owner" : "member";
}

export type { DatasetEvent, Visibility };

/**
 * Whether a member of the workspace in this role may cause an event, or ask an owner for it (promotions alone do). For
 * pages that offer it; whoever does it asks again.
 */
export function mayCause(
  event: DatasetEvent,
  { dataset, tables }: { dataset: { visibility: Visibility }; tables: readonly { hosted: unknown }[] },
  role: "owner" | "member",
  chosen?: Visibility,
): boolean {
  const state = { visibility: dataset.visibility, isActive: tables.some(({ hosted }) => hosted !== null) };
  const { is } = decide(event, state, { caller: role }, chosen);
  return is === "done" || (is === "asked" && event === "promote");
}

/**
 * Whether an owner must approve an event before it happens. Fails with conflict or insufficient_scope if it cannot
 * happen, and with key_expired for an owner who signed in more than 12 hours ago.
 */
export function needsApproval(
  event: DatasetEvent,
  dataset: BuiltDataset,
  by: EventBy,
  ctx: Context,
  chosen?: Visibility,
): boolean {
  const decision = decide(event, stateOf(dataset), by, chosen);
  if (decision.is === "done") return false;
  const asOwner = decide(event, stateOf(dataset), { ...by, caller: "owner" }, chosen);
  if (by.caller === "member" && ctx.membership?.role === "owner" && asOwner.is === "done") requireFreshSession(ctx);
  if (decision.is === "refused") throw decision.failure;
  return true;
}

type BuiltRevision = Pick<StoredRevision, "id" | "document" | "lock" | "recipeDigest">;

/**
 * Whether the result of a revision may be shown to others without asking a person: it is the revision that they see,
 * a person approved exactly this recipe, or it is a safe change to a dataset that a person approved recently. A recipe
 * that an agent approved while the dataset was private is none of these.
 */
export async function isRecipeApproved(dataset: BuiltDataset, revision: BuiltRevision, now: Date): Promise<boolean> {
  const { recipeDigest } = revision;
  const shown = isShown(stateOf(dataset)) ? await findShownRevision(dataset.id) : undefined;
  if (shown?.id === revision.id || (recipeDigest !== null && shown?.recipeDigest === recipeDigest)) return true;
  if (recipeDigest !== null && (await isApprovedByPerson(dataset.id, recipeDigest))) return true;
  const last = await lastPersonApproval(dataset.id);
  const isLate = last === null || now.getTime() - last.getTime() > PERSON_WITHIN_MS;
  const isSafe = shown !== undefined && isSafeChange(shown, revision);
  return isSafe && !isLate && dataset.build.approvalPolicy !== "person";
}
