import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { membershipOf } from "@/lib/access/authorize";
import { fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { operation } from "@/lib/operations/operation";
import { done, doneSchema } from "@/lib/schemas/account";
import { type Agents, agentsSchema, workspacePathSchema } from "@/lib/schemas/workspace";
import { listConnections, revokeConnection } from "@/lib/store/people/agent-connections";

const agentPathSchema = workspacePathSchema.extend({ agent_id: z.string().describe("The connection's UUID.") });

/** GET the agents connected to a workspace: one's own, or everybody's for owners. */
export const listAgents = operation({
  name: "list_agents",
  summary: "List connected agents",
  description: "Members see the agents they connected; owners see all.",
  access: "member",
  quota: "account",
  http: { method: "GET", path: "/api/account/workspaces/{workspace_id}/agents" },
  input: { path: workspacePathSchema },
  output: agentsSchema,
  async run(_input, ctx): Promise<Agents> {
    const { workspaceId, userId, role } = membershipOf(ctx);
    const agents = await listConnections(workspaceId, role === "owner" ? undefined : userId);
    return {
      schema_version: "service-agents.v1",
      agents: agents.map((agent) => ({
        id: agent.id,
        name: agent.clientName,
        url: agent.clientUri,
        scopes: agent.scopes,
        connected_by: agent.email,
        connected_at: agent.createdAt.toISOString(),
        last_used_at: agent.lastUsedAt?.toISOString() ?? null,
      })),
    };
  },
});

/** DELETE an agent's connection: its tokens are invalid from then on. */
export const disconnectAgent = operation({
  name: "disconnect_agent",
  summary: "Disconnect an agent",
  description:
    "Permanent; takes effect on the agent's next call. Members can disconnect the agents they connected; owners " +
    "can disconnect any agent in the workspace.",
  access: "member",
  quota: "account",
  http: { method: "DELETE", path: "/api/account/workspaces/{workspace_id}/agents/{agent_id}" },
  input: { path: agentPathSchema },
  output: doneSchema,
  async run({ path }, ctx) {
    const { workspaceId, userId, role } = membershipOf(ctx);
    const which = { id: path.agent_id, workspaceId, of: "agent" as const, ...(role !== "owner" && { userId }) };
    if (!isUuid(path.agent_id) || !(await revokeConnection(which, authorOf(ctx)))) throw fail("not_found");
    return done("revoked");
  },
});
