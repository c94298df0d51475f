import { authenticateKey } from "@/lib/auth/authenticate";
import { keyKindOf } from "@/lib/auth/key-form";
import { authenticateSession } from "@/lib/auth/session";
import { type Failure, fail } from "@/lib/errors";
import { isUuid } from "@/lib/schemas/uuid";
import type { LiveSession } from "@/lib/store/sessions";
import { findMembership, type Membership } from "@/lib/store/workspaces";
import { ACCESS, type Access, type Actor, isPersonal } from "./access-table";
import type { Context } from "./context";

/** What a request brings along to say who calls; nothing of it is checked yet. */
export interface Credentials {
  key: string | undefined;
  bearer: boolean;
  sessionCookie: string | undefined;
}

const KEY_ACTORS = { use: "use_key", live: "live_key", cli: "device" } as const;

/**
 * The kinds of caller that a request could be, the most telling first. What looks like no key of ours is taken for a
 * use key with a typing error.
 */
function actorsOf({ key, bearer, sessionCookie }: Credentials): Actor[] {
  const actors: Actor[] = [];
  if (key) actors.push(KEY_ACTORS[keyKindOf(key) ?? "use"]);
  if (bearer) actors.push("connection");
  if (sessionCookie) actors.push("session");
  return [...actors, "anonymous"];
}

const isRefused = (access: Access, actor: Actor): boolean => ACCESS[access].cells[actor].startsWith("key_");

/**
 * Lets a caller in by the access table: checks the credential that the row takes and puts its owner into `ctx`. Refuses
 * with a 401.
 */
export async function admit(access: Access, credentials: Credentials, ctx: Context): Promise<void> {
  const actors = actorsOf(credentials);
  const actor = actors.find((candidate) => !isRefused(access, candidate));
  if (!actor) throw refusal(access, actors[0] ?? "anonymous");
  const { cells } = ACCESS[access];
  if (actor === "use_key" && cells.use_key === "public and own") ctx.key = await keyFor(access, credentials.key, ctx);
  if (actor === "session" && isPersonal(access) && access !== "visitor")
    ctx.session = await authenticateSession(credentials.sessionCookie ?? "", ctx.now());
}

/** Where a key is optional, one that does not hold opens nothing and spoils nothing. */
async function keyFor(access: Access, key: string | undefined, ctx: Context) {
  const found = authenticateKey(key, ["use"], ctx.now());
  return isRefused(access, "anonymous") ? found : found.catch(() => undefined);
}

function refusal(access: Access, actor: Actor): Failure {
  const code = ACCESS[access].cells[actor] as "key_missing" | "key_wrong_type";
  if (!isPersonal(access)) return fail(code);
  return fail(code, {
    message: code === "key_missing" ? "Sign in first." : "This route takes a signed-in person's session, not a key.",
  });
}

/** Refuses calls from inside that brought no session where the row asks for one. */
export function requireSession(access: Access, ctx: Context): void {
  if (isPersonal(access) && access !== "visitor") personOf(ctx);
}

/** The signed-in person of a call that the access table let in as one. */
export function personOf(ctx: Context): LiveSession {
  if (!ctx.session) throw fail("key_missing", { message: "Sign in first." });
  return ctx.session;
}

/**
 * Lets the person into the workspace that the path names, asking each time: nobody else's workspace can be told from
 * one that does not exist.
 */
export async function admitToWorkspace(access: Access, path: unknown, ctx: Context): Promise<void> {
  if (access !== "member" && access !== "owner") return;
  const { workspace_id: id } = path as { workspace_id: string };
  const membership = isUuid(id) ? await findMembership(personOf(ctx).userId, id) : undefined;
  if (!membership) throw fail("not_found");
  if (access === "owner" && membership.role !== "owner")
    throw fail("insufficient_scope", { message: "Only an owner of the workspace can do this." });
  ctx.membership = membership;
}

/** The membership of a call that the access table let into a workspace. */
export function membershipOf({ membership }: Context): Membership {
  if (!membership) throw new Error("the operation's access row names no workspace");
  return membership;
}
