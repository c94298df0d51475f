import { randomBytes } from "node:crypto";
import { csrfCookieName } from "@/lib/auth/auth-options";
import { sessionSecret } from "@/lib/auth/session";
import { fail } from "@/lib/kernel/errors";
import { sha256Hex } from "@/lib/kernel/sha256";
import { readParameters } from "./read-input";

/** The size limit of a form that anybody may send. */
export const FORM_BYTES_MAX = 16 * 1024;

export type AuthForm = Readonly<Record<string, string>>;

/** The fields of a POST to next-auth; undefined for other requests. */
export async function readAuthForm(request: Request, most = FORM_BYTES_MAX): Promise<AuthForm | undefined> {
  if (request.method !== "POST") return undefined;
  if (Number(request.headers.get("content-length") ?? 0) > most) throw fail("request_too_large");
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get("content-type") ?? "")) {
    throw fail("unsupported_media_type", {
      message: "Send the form with Content-Type: application/x-www-form-urlencoded.",
    });
  }
  const text = await request.text();
  if (text.length > most) throw fail("request_too_large");
  return Object.fromEntries(readParameters(text));
}

/**
 * The token that next-auth requires with a form, and the cookie that it compares the token with. If the browser states
 * that the form is on one of our own pages, that proves as much as a token, so both are added and forms work without
 * script. Other requests bring their own.
 */
export function csrfProof(
  { headers }: Request,
  form: AuthForm | undefined,
): { form: AuthForm | undefined; cookies: Record<string, string> } {
  const isOurs = headers.has("origin") || headers.has("sec-fetch-site"); // foreign ones have been rejected
  if (!form || !isOurs) return { form, cookies: {} };
  const csrfToken = randomBytes(32).toString("hex");
  const proof = sha256Hex(`${csrfToken}${sessionSecret()}`);
  return { form: { ...form, csrfToken }, cookies: { [csrfCookieName()]: `${csrfToken}|${proof}` } };
}
