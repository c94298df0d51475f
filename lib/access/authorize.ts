import { type Failure, fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import type { Scope } from "@/lib/oauth/scopes";
import type { LiveSession } from "@/lib/store/people/sessions";
import { hasActiveSubscription } from "@/lib/store/people/subscription";
import { findMembership, type Membership } from "@/lib/store/people/workspaces";
import { ACCESS, type Access, type Cell, type CredentialKind, isHosted, isPersonal, keyNeedsOf } from "./access-table";
import { type Actor, workspaceOf } from "./actor";
import type { Context } from "./context";

/** What a connection needs to read anything through the connector. */
export const READ_SCOPE: Scope = "datasets:read";

/** What it also needs to build datasets. */
export const BUILD_SCOPE: Scope = "datasets:build";

/** The scopes that a connection needs for a row of the access table. */
export const scopesOf = (access: Access): readonly Scope[] =>
  ACCESS[access].cells.device === "own workspace" ? [READ_SCOPE, BUILD_SCOPE] : [READ_SCOPE];

/** The credential that a key of a kind is. */
export const KEY_CREDENTIALS = { use: "use_key", live: "live_key", cli: "device" } as const;

/** The column of the access table for the caller's credential. An administrator has none. */
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
      return "use_key"; // its own pages read complete public tables; it has no workspace, so it can read nothing else
    default:
      return "anonymous";
  }
}

/** The row that applies where the call came in: through the connector or from a page, the row's own for it if any. */
export function rowOf(access: Access, { door }: Pick<Context, "door">): Access {
  const { connector, page } = ACCESS[access] as { connector?: Access; page?: Access };
  return (door === "connector" ? connector : door === "page" ? page : undefined) ?? access;
}

/**
 * THE check of the access table: fails with key_missing, key_wrong_type or insufficient_scope if the caller's cell says
 * so, and returns the context to run with. If the cell grants only public data, a caller with a workspace runs as an
 * anonymous one.
 */
export function authorize(access: Access, ctx: Context): Context {
  const row = rowOf(access, ctx);
  if (row === "operator" && ctx.actor.kind === "operator") return ctx;
  const cell: Cell = ACCESS[row].cells[credentialOf(ctx.actor)];
  if (isRejection(cell)) throw rejection(row, cell);
  const { actor } = ctx;
  requirePermission(actor, row);
  const reachesOwn = cell === "public and own" || cell === "own workspace";
  if ((actor.kind === "agent" || actor.kind === "device") && reachesOwn) requireScopes(actor.grant, scopesOf(row));
  const isLowered = cell === "public" && workspaceOf(ctx) !== undefined;
  return isLowered ? actingAs(ctx, { kind: "anonymous" }) : ctx;
}

/** The same call by another caller. */
export const actingAs = (ctx: Context, actor: Actor): Context => ({ ...ctx, actor });

/** Fails with insufficient_scope if the caller's use key may not do what the row is for. */
export function requirePermission(actor: Actor, row: Access): void {
  const needed = keyNeedsOf(row);
  if (needed === undefined || actor.kind !== "key" || actor.key.permissions.includes(needed)) return;
  const may = needed === "download" ? "query, but not download whole files" : "download whole files, but not query";
  throw fail("insufficient_scope", { message: `This key may ${may}. Use a key that may.` });
}

function requireScopes({ scopes }: { scopes: readonly string[] }, required: readonly Scope[]): void {
  const missing = required.find((scope) => !scopes.includes(scope));
  if (missing) throw fail("insufficient_scope", { message: `The connection lacks the scope ${missing}.` });
}

export const isRejection = (cell: Cell): cell is "key_missing" | "key_wrong_type" => cell.startsWith("key_");

const HOSTED_KEY = {
  key_missing: "Key missing. Send a live key (svc_live_…) in the x-api-key header.",
  key_wrong_type: "Wrong key type. The hosted table API accepts live keys (svc_live_…) only.",
} as const;

/** How a row rejects: rows about a person request a session, the others a key. */
export function rejection(access: Access, code: "key_missing" | "key_wrong_type"): Failure {
  if (isHosted(access)) return fail(code, { message: HOSTED_KEY[code] });
  if (!isPersonal(access)) return fail(code);
  return fail(code, {
    message: code === "key_missing" ? "Sign in first." : "This route requires a signed-in session, not a key.",
  });
}

/** The session of the signed-in person. Fails with key_missing for everybody else. */
export function personOf({ actor }: Pick<Context, "actor">): LiveSession {
  if (actor.kind !== "person") throw fail("key_missing", { message: "Sign in first." });
  return actor.session;
}

/** Cells that admit a caller to the workspace in the path: whose membership counts, and what it must be. */
const WORKSPACE_CELLS: Readonly<Partial<Record<Cell, { needsPlan?: true; needsOwner?: true }>>> = {
  "own workspace": { needsPlan: true },
  "as a member": {},
  "as a member, paid": { needsPlan: true },
  "as an owner": { needsOwner: true },
};

/**
 * The context with the caller's membership of the workspace in the path, looked up each time, where their cell is about
 * a workspace. Fails with not_found, so that another's workspace cannot be distinguished from one that does not exist,
 * or with insufficient_scope or plan_required.
 */
export async function admitToWorkspace(named: Access, path: unknown, ctx: Context): Promise<Context> {
  const access = rowOf(named, ctx);
  const needed = WORKSPACE_CELLS[ACCESS[access].cells[credentialOf(ctx.actor)]];
  if (!needed) return ctx;
  const { workspace_id: id } = path as { workspace_id: string };
  const userId = memberOf(access, id, ctx);
  const membership = userId !== undefined && isUuid(id) ? await findMembership(userId, id) : undefined;
  if (!membership) throw fail("not_found");
  if (needed.needsOwner && membership.role !== "owner")
    throw fail("insufficient_scope", { message: "Only an owner of the workspace can do this." });
  if (needed.needsPlan) await requirePaidPlan(id, ctx);
  return { ...ctx, membership };
}

/** The user whose membership counts; undefined for an agent or a device of another workspace. */
function memberOf(access: Access, workspaceId: string, ctx: Context): string | undefined {
  const { actor } = ctx;
  if (actor.kind !== "agent" && actor.kind !== "device") return personOf(ctx).userId;
  requireScopes(actor.grant, scopesOf(access));
  return actor.grant.workspaceId === workspaceId ? actor.grant.userId : undefined;
}

/** Fails with plan_required unless the workspace has an active subscription. */
async function requirePaidPlan(workspaceId: string, { baseUrl, now }: Context): Promise<void> {
  if (await hasActiveSubscription(workspaceId, now())) return;
  const message =
    "Building datasets requires a paid plan: recipes, runs and the workspace's own private tables. An owner " +
    `upgrades the workspace at ${baseUrl}/settings/workspace.`;
  throw fail("plan_required", { message });
}

/** The membership of a call that the access table admitted to a workspace. */
export function membershipOf({ membership }: Pick<Context, "membership">): Membership {
  if (!membership) throw new Error("the operation's access row requires no workspace");
  return membership;
}
