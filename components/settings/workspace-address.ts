import type { Account } from "@/lib/schemas/account";

type Workspace = Account["workspaces"][number];

/** A page for one of the person's workspaces; whoever has a single one needs no parameter. */
export const workspaceAddress = (path: string, workspace: Pick<Workspace, "id">, all: Account["workspaces"]): string =>
  all.length === 1 ? path : `${path}?workspace=${workspace.id}`;

/** Holds the id of the workspace whose page was last opened in this browser; grants nothing. */
export const WORKSPACE_COOKIE = "parquetry-workspace";

/**
 * The workspace that an address names, or else the one that was opened last, or else the person's own. Undefined for an
 * address that names another's.
 */
export const chosenWorkspace = (
  all: Account["workspaces"],
  named: unknown,
  last: string | undefined,
): Workspace | undefined => {
  const find = (wanted: unknown) => all.find(({ id }) => id === wanted);
  return named === undefined ? (find(last) ?? all[0]) : find(named);
};
