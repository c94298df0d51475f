import "server-only";
import { cookies } from "next/headers";
import { sessionContext } from "@/app/context";
import { type SearchParams, singleValues } from "@/app/search-params";
import type { PlainForms } from "@/components/form/plain-form";
import { SETTINGS_PAGES, type SettingsPage } from "@/components/settings/settings-shell";
import { chosenWorkspace, WORKSPACE_COOKIE, workspaceAddress } from "@/components/settings/workspace-address";
import { personOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { shownFormReply } from "@/lib/http/form-reply";
import { SETTINGS_FORM_PATH } from "@/lib/http/settings-form";
import { getAccount } from "@/lib/operations/account/own-account";
import { execute } from "@/lib/operations/execute";
import type { Account } from "@/lib/schemas/account";

export interface SettingsContext {
  ctx: Context;
  account: Account;
  /** The one selected by `?workspace=`, or the last one opened, or the personal one. */
  workspace: Account["workspaces"][number];
  /** How the page's forms work without JavaScript, and the outcome of the last one. */
  plain: PlainForms;
}

/**
 * Who requests a settings page, and for which workspace. Visitors sign in first; undefined if the workspace does not
 * exist or the person is not a member.
 */
export async function settingsContext(page: SettingsPage, search: SearchParams): Promise<SettingsContext | undefined> {
  const { workspace: wanted, reply } = await search;
  const { path } = SETTINGS_PAGES[page];
  const { reply: _, ...kept } = await singleValues(search);
  const query = new URLSearchParams(kept as Record<string, string>).toString();
  const ctx = await sessionContext(query === "" ? path : `${path}?${query}`);
  const account = await execute(getAccount, {}, ctx);
  const last = (await cookies()).get(WORKSPACE_COOKIE)?.value;
  const workspace = chosenWorkspace(account.workspaces, wanted, last);
  if (!workspace) return undefined;
  const back = workspaceAddress(path, workspace, account.workspaces);
  return { ctx, account, workspace, plain: await plainForms(back, reply, ctx) };
}

async function plainForms(back: string, reply: string | string[] | undefined, ctx: Context): Promise<PlainForms> {
  const jar = await cookies();
  const shown = typeof reply === "string" ? reply : undefined;
  return {
    action: SETTINGS_FORM_PATH,
    back,
    reply: shownFormReply(shown, personOf(ctx).id, (name) => jar.get(name)?.value),
  };
}
