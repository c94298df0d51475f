import type { Account } from "@/lib/schemas/account";

/**
 * The workspaces to choose from. The personal one is labelled as such if its name would only repeat the email address
 * shown above.
 */
export const workspaceChoices = ({
  email,
  workspaces,
}: Pick<Account, "email" | "workspaces">): { value: string; label: string }[] =>
  workspaces.map(({ id, name, personal }) => ({
    value: id,
    label: personal && name === email ? "Personal workspace" : name,
  }));
