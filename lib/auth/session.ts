import { decode } from "next-auth/jwt";
import { baseUrl } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { derivedKey } from "@/lib/storage/secret";
import { findSession, type LiveSession, touchSession } from "@/lib/store/people/sessions";

export const SESSION_DAYS = 30;

/**
 * Browsers accept `__Host-` cookies only over TLS and send them only to this exact host. A service without TLS (on a
 * local machine) cannot set them.
 */
export const cookiePrefix = (): string => (baseUrl().startsWith("https:") ? "__Host-" : "");

export const sessionCookieName = (): string => `${cookiePrefix()}parquetry-session`;

/** The secret that next-auth encrypts cookies with. */
export const sessionSecret = (): string => Buffer.from(derivedKey("sessions")).toString("base64url");

/**
 * The id of the session that a cookie names, whether or not the session is still valid; undefined for cookies that we
 * did not encrypt.
 */
export async function sessionIdIn(cookie: string): Promise<string | undefined> {
  const token = await decode({ token: cookie, secret: sessionSecret() }).catch(() => null);
  return typeof token?.sid === "string" ? token.sid : undefined;
}

/**
 * The session behind a cookie. Queries the database each time, so "sign out everywhere" applies immediately. Fails with
 * key_missing (no cookie of ours, or one that still has to be confirmed with a passkey, unless `step` says that this is
 * what it is used for), key_revoked or key_expired.
 */
export async function authenticateSession(cookie: string, now: Date, { step = false } = {}): Promise<LiveSession> {
  const id = await sessionIdIn(cookie);
  const session = id === undefined ? undefined : await findSession(id);
  if (!session) throw fail("key_missing", { message: "Sign in first." });
  if (session.revokedAt) throw fail("key_revoked", { message: "This session was revoked. Sign in again." });
  if (session.expiresAt <= now) throw fail("key_expired", { message: "This session has expired. Sign in again." });
  if (session.stepDue && !step)
    throw fail("key_missing", { message: "Confirm this sign-in first, with a passkey at /sign-in/passkey." });
  if (now.getTime() - session.lastSeenAt.getTime() > 60_000) void touchSession(session.id, now).catch(() => undefined);
  return session;
}
