import { userIdOf } from "@/lib/access/actor";
import { authorOf } from "@/lib/access/author";
import type { Context } from "@/lib/access/context";
import type { Author } from "@/lib/store/audit";

/** The author of runs, revisions and notes, as they store it. */
export interface Builder {
  kind: "person" | "agent" | "operator" | "service";
  user_id: string | null;
  connection_id: string | null;
  client_id: string | null;
  [name: string]: string | null;
}

export function builderOf(ctx: Context): Builder {
  const { actor } = ctx;
  const user_id = userIdOf(ctx) ?? null;
  if (actor.kind === "agent" || actor.kind === "device") {
    const { connectionId, clientId } = actor.grant;
    return { kind: "agent", user_id, connection_id: connectionId, client_id: clientId };
  }
  const kind = actor.kind === "operator" || actor.kind === "service" ? actor.kind : "person";
  return { kind, user_id, connection_id: null, client_id: null };
}

/** The same for the audit log: an agent acts on behalf of a person, but is not that person. */
export function builderAuthor(ctx: Context): Author {
  const author = authorOf(ctx);
  return builderOf(ctx).kind === "agent" ? { ...author, actor: "agent" } : author;
}

const BUILDER_LABELS = {
  person: "a member",
  agent: "an agent's connection",
  operator: "the administrator",
  service: "the service",
} as const satisfies Record<Builder["kind"], string>;

/** The author as text, for the events of a run. */
export const builderText = (ctx: Context): string =>
  ctx.actor.kind === "device" ? "a signed-in computer" : BUILDER_LABELS[builderOf(ctx).kind];
