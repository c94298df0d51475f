import { authenticateKey } from "@/lib/auth/authenticate";
import { env } from "@/lib/env";
import { fail } from "@/lib/errors";
import type { Context } from "@/lib/operations/operation";

const BEARER = /^bearer +(\S+)$/i;

/**
 * Puts the owner of the bearer token into `ctx`. Nobody without one; refuses one that does not hold, with a 401, whatever is called.
 * Cookies and x-api-key are not read: a browser's page must not act for whoever sits at it.
 */
export async function admitCaller(authorization: string | null, ctx: Context): Promise<void> {
  if (authorization === null) return;
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw fail("key_invalid", { message: "Send the credential as Authorization: Bearer." });
  const key = await authenticateKey(token, ["use"], ctx.now());
  if (!env().CONNECTOR_ACCEPT_USE_KEYS) throw fail("key_wrong_type", { message: "This service takes no use keys on the connector." });
  ctx.key = key;
}
