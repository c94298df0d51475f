import type { z } from "zod";
import type { workspaceSchema } from "@/lib/schemas/account";
import { listWorkspaces } from "@/lib/store/workspaces";

/** The workspaces of a person as they are shown to them. */
export async function presentWorkspaces(userId: string): Promise<z.output<typeof workspaceSchema>[]> {
  const workspaces = await listWorkspaces(userId);
  return workspaces.map((workspace) => ({
    id: workspace.id,
    name: workspace.name,
    personal: workspace.personal,
    role: workspace.role ?? "member",
    members: workspace.members,
    plan: workspace.plan,
    subscription: workspace.subscription,
    created_at: workspace.createdAt.toISOString(),
  }));
}
