import { type Failure, fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import type { Scope } from "@/lib/oauth/scopes";
import type { LiveSession } from "@/lib/store/sessions";
import { findMembership, type Membership } from "@/lib/store/workspaces";
import { ACCESS, type Access, type Cell, type CredentialKind, isPersonal } from "./access-table";
import { type Actor, workspaceOf } from "./actor";
import type { Context } from "./context";

/** What a connection needs to read anything through the connector. */
export const READ_SCOPE: Scope = "datasets:read";

const KEY_CREDENTIALS = { use: "use_key", live: "live_key", cli: "device" } as const;

/** The column of the access table for the caller's credential. An operator has none. */
export function credentialOf(actor: Actor): CredentialKind {
  switch (actor.kind) {
    case "person":
      return "session";
    case "key":
      return KEY_CREDENTIALS[actor.key.kind];
    case "agent":
      return "connection";
    case "device":
      return "device";
    case "service":
      return "use_key"; // its own pages draw whole public tables; it has no workspace, so nothing else is open to it
    default:
      return "anonymous";
  }
}

/** The row that holds where the call came in: through the connector, the one that it has for the operation's. */
export const rowOf = (access: Access, { door }: Pick<Context, "door">): Access =>
  (door === "connector" ? (ACCESS[access] as { connector?: Access }).connector : undefined) ?? access;

/**
 * THE check of the access table: refuses with key_missing, key_wrong_type or insufficient_scope what the caller's cell
 * refuses, and returns the context to run with. Where the cell opens public data alone, a caller with a workspace runs
 * as anybody does.
 */
export function authorize(access: Access, ctx: Context): Context {
  const row = rowOf(access, ctx);
  const cell: Cell = ACCESS[row].cells[credentialOf(ctx.actor)];
  if (isRefusal(cell)) throw refusal(row, cell);
  const { actor } = ctx;
  if ((actor.kind === "agent" || actor.kind === "device") && cell === "public and own") requireScope(actor.grant);
  const isLowered = cell === "public" && workspaceOf(ctx) !== undefined;
  return isLowered ? actingAs(ctx, { kind: "anonymous" }) : ctx;
}

/** The same call by somebody else. */
export const actingAs = (ctx: Context, actor: Actor): Context => ({ ...ctx, actor });

function requireScope({ scopes }: { scopes: readonly string[] }): void {
  if (!scopes.includes(READ_SCOPE))
    throw fail("insufficient_scope", { message: `The connection lacks the scope ${READ_SCOPE}.` });
}

export const isRefusal = (cell: Cell): cell is "key_missing" | "key_wrong_type" => cell.startsWith("key_");

/** How a row refuses: personal ones ask for a session, the others for a key. */
export function refusal(access: Access, code: "key_missing" | "key_wrong_type"): Failure {
  if (!isPersonal(access)) return fail(code);
  return fail(code, {
    message: code === "key_missing" ? "Sign in first." : "This route requires a signed-in session, not a key.",
  });
}

/** The session of the signed-in person. Refuses everybody else with key_missing. */
export function personOf({ actor }: Pick<Context, "actor">): LiveSession {
  if (actor.kind !== "person") throw fail("key_missing", { message: "Sign in first." });
  return actor.session;
}

/**
 * The context with the person's membership of the workspace that the path names, asked each time, for rows about one.
 * Refuses with not_found, so that nobody else's workspace can be told from one that does not exist, or
 * insufficient_scope.
 */
export async function admitToWorkspace(access: Access, path: unknown, ctx: Context): Promise<Context> {
  if (access !== "member" && access !== "owner") return ctx;
  const { workspace_id: id } = path as { workspace_id: string };
  const membership = isUuid(id) ? await findMembership(personOf(ctx).userId, id) : undefined;
  if (!membership) throw fail("not_found");
  if (access === "owner" && membership.role !== "owner")
    throw fail("insufficient_scope", { message: "Only an owner of the workspace can do this." });
  return { ...ctx, membership };
}

/** The membership of a call that the access table let into a workspace. */
export function membershipOf({ membership }: Pick<Context, "membership">): Membership {
  if (!membership) throw new Error("the operation's access row names no workspace");
  return membership;
}
