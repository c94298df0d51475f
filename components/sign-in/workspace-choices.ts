import type { Account } from "@/lib/schemas/account";

/**
 * The workspaces to choose from. The personal one is called so where its name would only say the address again that
 * stands above it. Pure.
 */
export const workspaceChoices = ({
  email,
  workspaces,
}: Pick<Account, "email" | "workspaces">): { value: string; label: string }[] =>
  workspaces.map(({ id, name, personal }) => ({
    value: id,
    label: personal && name === email ? "Personal workspace" : name,
  }));
