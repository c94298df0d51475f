import type { Account } from "@/lib/schemas/account";

type Workspace = Account["workspaces"][number];

/** The URL of a page for one of the person's workspaces; a person with only one needs no parameter. */
export const workspaceAddress = (path: string, workspace: Pick<Workspace, "id">, all: Account["workspaces"]): string =>
  all.length === 1 ? path : `${path}?workspace=${workspace.id}`;

/** Contains the id of the workspace whose page was last opened in this browser. It grants no access. */
export const WORKSPACE_COOKIE = "parquetry-workspace";

/**
 * The workspace in a URL, or else the last one opened in this browser, or else the first with a plan, or else the
 * personal one. Undefined if the URL names a workspace
 * that is not one of the person's.
 */
export const chosenWorkspace = (
  all: Account["workspaces"],
  named: unknown,
  last: string | undefined,
): Workspace | undefined => {
  const find = (wanted: unknown) => all.find(({ id }) => id === wanted);
  return named === undefined ? (find(last) ?? all.find((each) => each.subscription_active) ?? all[0]) : find(named);
};
