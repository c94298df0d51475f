import type { Context } from "./context";

/** Who reads for a workspace: a use key, or an agent that a person has connected. */
export interface Reader {
  kind: "key" | "agent";
  /** Of the key, or of the connection. */
  id: string;
  workspaceId: string;
}

/** The reader behind a call, once its credential has been checked; undefined for everybody else. */
export function readerOf({ key, agent }: Pick<Context, "key" | "agent">): Reader | undefined {
  if (agent) return { kind: "agent", id: agent.connectionId, workspaceId: agent.workspaceId };
  return key && { kind: "key", id: key.id, workspaceId: key.workspaceId };
}

/** The workspace whose private tables the caller may read. */
export const workspaceOf = (ctx: Pick<Context, "key" | "agent">): string | undefined => readerOf(ctx)?.workspaceId;
