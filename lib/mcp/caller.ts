import type { Context } from "@/lib/access/context";
import { authenticateKey } from "@/lib/auth/authenticate";
import { env } from "@/lib/env";
import { fail } from "@/lib/errors";
import { authenticateAccessToken, grantKindOf } from "@/lib/oauth/access-token";
import type { StoredKey } from "@/lib/store/keys";

const BEARER = /^bearer +(\S+)$/i;

/**
 * Puts the key or connection behind the bearer token into `ctx`; `resource` is the address that an access token must be
 * for. Nobody without one; refuses one that does not hold, with a 401, whatever is called.
 * Cookies and x-api-key are not read: a browser's page must not act for whoever sits at it.
 */
export async function admitCaller(authorization: string | null, resource: string, ctx: Context): Promise<void> {
  if (authorization === null) return;
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw fail("key_invalid", { message: "Send the credential as Authorization: Bearer." });
  if (grantKindOf(token)) ctx.agent = await authenticateAccessToken(token, resource, ctx.now());
  else ctx.key = await keyOf(token, ctx);
}

async function keyOf(token: string, ctx: Context): Promise<StoredKey> {
  const key = await authenticateKey(token, ["use"], ctx.now());
  if (!env().CONNECTOR_ACCEPT_USE_KEYS)
    throw fail("key_wrong_type", { message: "This service takes no use keys on the connector." });
  return key;
}
