import { createHash, randomBytes } from "node:crypto";
import { cookies } from "next/headers";
import { NextRequest } from "next/server";
import { csrfCookie } from "@/lib/auth/auth-options";
import { sessionSecret } from "@/lib/auth/session";
import { fail } from "@/lib/errors";

const FORM_BYTES_MAX = 16 * 1024;

export type AuthForm = Readonly<Record<string, string>>;

/** The fields that a POST to next-auth brings; undefined when it brings none. */
export async function readAuthForm(request: Request): Promise<AuthForm | undefined> {
  if (request.method !== "POST") return undefined;
  if (Number(request.headers.get("content-length") ?? 0) > FORM_BYTES_MAX) throw fail("request_too_large");
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get("content-type") ?? "")) {
    throw fail("unsupported_media_type", { message: "Send the form as application/x-www-form-urlencoded." });
  }
  const text = await request.text();
  if (text.length > FORM_BYTES_MAX) throw fail("request_too_large");
  return Object.fromEntries(new URLSearchParams(text));
}

/**
 * The request as next-auth is to see it. It wants a token that a page got before together with a cookie; where the browser itself says that the form
 * stands on one of our own pages, that says as much, and the token is put in for it: so forms work without script. Others bring their own.
 */
export async function authRequest(request: NextRequest, form: AuthForm | undefined): Promise<NextRequest> {
  if (!form) return request;
  const isOurs = request.headers.has("origin") || request.headers.has("sec-fetch-site"); // foreign ones have been refused
  const body = new URLSearchParams({ ...form, ...(isOurs && { csrfToken: await freshCsrfToken() }) });
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  return new NextRequest(request.url, { method: "POST", headers, body });
}

async function freshCsrfToken(): Promise<string> {
  const token = randomBytes(32).toString("hex");
  const { name, options } = csrfCookie();
  const proof = createHash("sha256").update(`${token}${sessionSecret()}`).digest("hex");
  (await cookies()).set(name, `${token}|${proof}`, options);
  return token;
}
