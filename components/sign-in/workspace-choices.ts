import { chosenWorkspace } from "@/components/settings/workspace-address";
import type { Account } from "@/lib/schemas/account";

/**
 * The workspaces to choose from, first the one that pages without a workspace open (`last`: the last one opened in this
 * browser). The personal one is labelled as such if its name would only repeat the email address shown above.
 */
export function workspaceChoices(
  { email, workspaces }: Pick<Account, "email" | "workspaces">,
  last: string | undefined,
): { value: string; label: string }[] {
  const first = chosenWorkspace(workspaces, undefined, last);
  const sorted = [...workspaces].sort((a, b) => Number(b === first) - Number(a === first));
  return sorted.map(({ id, name, personal }) => ({
    value: id,
    label: personal && name === email ? "Personal workspace" : name,
  }));
}
