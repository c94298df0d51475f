import "server-only";
import { cookies } from "next/headers";
import { sessionContext } from "@/app/context";
import { type SearchParams, singleValues } from "@/app/search-params";
import { chosenWorkspace, WORKSPACE_COOKIE } from "@/components/settings/workspace-address";
import { personOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { type FormFields, studioFields } from "@/lib/http/form-token";
import { type ErrorCode, Failure } from "@/lib/kernel/errors";
import { getAccount } from "@/lib/operations/account/own-account";
import { getMyDataset } from "@/lib/operations/datasets/own-datasets";
import { execute } from "@/lib/operations/execute";
import type { Account } from "@/lib/schemas/account";

export type Workspace = Account["workspaces"][number];
export type StudioDataset = Awaited<ReturnType<typeof getMyDataset.run>>;

export interface StudioContext {
  ctx: Context;
  account: Account;
  workspace: Workspace;
}

/** Who requests a page of the studio, and for which workspace; undefined if they are not a member of it. */
export async function studioContext(path: string, search: SearchParams): Promise<StudioContext | undefined> {
  const { workspace: wanted } = await singleValues(search);
  const onward = wanted === undefined ? path : `${path}?workspace=${encodeURIComponent(wanted)}`;
  const ctx = await sessionContext(onward);
  const account = await execute(getAccount, {}, ctx);
  const workspace = chosenWorkspace(account.workspaces, wanted, (await cookies()).get(WORKSPACE_COOKIE)?.value);
  return workspace && { ctx, account, workspace };
}

export interface FoundDataset extends StudioContext {
  found: StudioDataset;
}

/**
 * The dataset of a page, in whichever of the person's workspaces builds it; undefined if it is unknown or belongs to
 * another workspace. Visitors sign in first and return to `path`.
 */
export async function datasetContext(dataset: string, path: string): Promise<FoundDataset | undefined> {
  const ctx = await sessionContext(path);
  const account = await execute(getAccount, {}, ctx);
  for (const workspace of account.workspaces) {
    const given = { path: { workspace_id: workspace.id, dataset }, query: { recipe: true } };
    const found = await orUndefined(() => execute(getMyDataset, given, ctx));
    if (found) return { ctx, account, workspace, found };
  }
  return undefined;
}

const UNSEEN: ReadonlySet<ErrorCode> = new Set(["not_found", "plan_required", "version_withdrawn"]);

/** A call's result; undefined if nothing is visible to this person, it was withdrawn, or their plan has ended. */
export async function orUndefined<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Failure && UNSEEN.has(error.code)) return undefined;
    throw error;
  }
}

/** The hidden fields of a form on a page of the studio. */
export const formFields = ({ ctx, workspace }: StudioContext, fields: FormFields): FormFields =>
  studioFields(personOf(ctx).id, { workspace_id: workspace.id, ...fields });
