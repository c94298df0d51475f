import "server-only";
import { sessionContext } from "@/app/context";
import type { SearchParams } from "@/app/search-params";
import { SETTINGS_PAGES, type SettingsPage } from "@/components/settings/settings-shell";
import type { Context } from "@/lib/access/context";
import { getAccount } from "@/lib/operations/account/own-account";
import { execute } from "@/lib/operations/execute";
import type { Account } from "@/lib/schemas/account";

export interface SettingsContext {
  ctx: Context;
  account: Account;
  /** The one selected by `?workspace=`, or the person's own. */
  workspace: Account["workspaces"][number];
}

/**
 * Who requests a settings page, and for which workspace. Visitors sign in first; undefined for another's workspace, as
 * for one that does not exist.
 */
export async function settingsContext(page: SettingsPage, search: SearchParams): Promise<SettingsContext | undefined> {
  const { workspace: wanted } = await search;
  const { path } = SETTINGS_PAGES[page];
  const ctx = await sessionContext(
    typeof wanted === "string" ? `${path}?workspace=${encodeURIComponent(wanted)}` : path,
  );
  const account = await execute(getAccount, {}, ctx);
  const workspace = wanted === undefined ? account.workspaces[0] : account.workspaces.find(({ id }) => id === wanted);
  return workspace && { ctx, account, workspace };
}
