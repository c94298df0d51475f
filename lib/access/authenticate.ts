import { authenticateKey } from "@/lib/auth/authenticate";
import { keyKindOf } from "@/lib/auth/key-form";
import { authenticateSession } from "@/lib/auth/session";
import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { authenticateAccessToken, grantKindOf } from "@/lib/oauth/access-token";
import { resourceAt } from "@/lib/oauth/server-metadata";
import { ACCESS, type Access, type CredentialKind, isHosted, isPersonal } from "./access-table";
import type { Actor } from "./actor";
import { actingAs, isRejection, KEY_CREDENTIALS, rejection, requirePermission } from "./authorize";
import type { Context } from "./context";

/** The credentials that a request carries, all of them unverified. */
export interface Credentials {
  key: string | undefined;
  bearer: boolean;
  sessionCookie: string | undefined;
}

/**
 * The kinds of caller that a request could be, the most specific first. A key in an unknown form is treated as a
 * mistyped one of the kind that the row is for.
 */
function kindsOf({ key, bearer, sessionCookie }: Credentials, access: Access): CredentialKind[] {
  const kinds: CredentialKind[] = [];
  if (key) kinds.push(KEY_CREDENTIALS[keyKindOf(key) ?? (isHosted(access) ? "live" : "use")]);
  if (bearer) kinds.push("connection");
  if (sessionCookie) kinds.push("session");
  return [...kinds, "anonymous"];
}

/**
 * Authenticates a caller of the HTTP API by the access table: returns the context with the owner of the credential that
 * the row accepts. Fails with a 401, or with insufficient_scope if it is a key that may not do this.
 */
export async function admit(access: Access, credentials: Credentials, ctx: Context): Promise<Context> {
  const { cells } = ACCESS[access];
  const kinds = kindsOf(credentials, access);
  const kind = kinds.find((candidate) => !isRejection(cells[candidate]));
  if (!kind) throw rejection(access, cells[kinds[0] ?? "anonymous"] as "key_missing" | "key_wrong_type");
  const actor = await authenticate(kind, access, credentials, ctx);
  if (actor) requirePermission(actor, access);
  return actor ? actingAs(ctx, actor) : ctx;
}

/** The owner of the credential; undefined if the row accepts none of this kind. */
async function authenticate(
  kind: CredentialKind,
  access: Access,
  { key, sessionCookie = "" }: Credentials,
  ctx: Context,
): Promise<Actor | undefined> {
  if (kind === "use_key" && ACCESS[access].cells.use_key === "public and own") return keyActor(access, key, ctx);
  if (kind === "device" && ACCESS[access].cells.device === "own workspace") return deviceActor(key ?? "", ctx);
  if (kind === "live_key" && isHosted(access))
    return { kind: "key", key: await authenticateKey(key, ["live"], ctx.now(), ctx.generation) };
  if (kind === "session" && isPersonal(access) && access !== "visitor")
    return {
      kind: "person",
      session: await authenticateSession(sessionCookie, ctx.now(), { step: access === "second_step" }),
    };
  return undefined;
}

/** A device's credential is issued for the connector; elsewhere it gives the access that the access table states. */
const deviceActor = (key: string, ctx: Context): Promise<Actor> =>
  grantActor(key, resourceAt(ctx.baseUrl, "/api/mcp").resource, ctx);

/** If a key is optional, an invalid one grants nothing but is not an error. */
async function keyActor(access: Access, key: string | undefined, ctx: Context): Promise<Actor | undefined> {
  const found = authenticateKey(key, ["use"], ctx.now(), ctx.generation).then(
    (stored): Actor => ({ kind: "key", key: stored }),
  );
  return isRejection(ACCESS[access].cells.anonymous) ? found : found.catch(() => undefined);
}

const BEARER = /^bearer +(\S+)$/i;

/**
 * The context with the owner of the bearer token that the connector received; `resource` is the audience that an access
 * token must have. Anonymous without one; fails with a 401 for an invalid one, whatever is called.
 * Cookies and x-api-key are not read: a web page must not act for the person at the browser.
 */
export async function admitBearer(authorization: string | null, resource: string, ctx: Context): Promise<Context> {
  if (authorization === null) return ctx;
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw fail("key_invalid", { message: "Send the credential as Authorization: Bearer." });
  return actingAs(ctx, grantKindOf(token) ? await grantActor(token, resource, ctx) : await bearerKey(token, ctx));
}

async function grantActor(token: string, resource: string, ctx: Context): Promise<Actor> {
  const grant = await authenticateAccessToken(token, resource, ctx.now());
  return { kind: grant.kind === "device" ? "device" : "agent", grant };
}

async function bearerKey(token: string, ctx: Context): Promise<Actor> {
  const key = await authenticateKey(token, ["use"], ctx.now());
  if (!env().CONNECTOR_ACCEPT_USE_KEYS)
    throw fail("key_wrong_type", { message: "This connector does not accept use keys." });
  return { kind: "key", key };
}
