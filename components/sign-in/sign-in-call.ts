import { type Problem, problemOf, UNREACHABLE } from "@/components/form/call-api";
import type { Envelope } from "@/lib/http/envelope";
import { signInProblem } from "./sign-in-problem";

const NO_COOKIES: Problem = {
  code: "cookies",
  message: "Cookies are blocked. Allow cookies for this site to sign in.",
  fields: {},
};

/**
 * Signs in with a password and continues to `callbackUrl`; settles only if that is rejected. `isEmailed`: whether
 * addresses are confirmed by email.
 */
export async function signInWithPassword(
  email: string,
  password: string,
  callbackUrl: string,
  isEmailed: boolean,
): Promise<Problem> {
  if (!navigator.cookieEnabled) return NO_COOKIES;
  const body = new URLSearchParams({ email, password, callbackUrl, json: "true" });
  try {
    const reply = await fetch("/api/auth/callback/credentials", { method: "POST", body });
    const answer = (await reply.json()) as { url: string } | Envelope;
    if (!("url" in answer)) return problemOf(answer, reply.headers);
    const code = new URL(answer.url).searchParams.get("error");
    if (code !== null && !reply.ok) return { code, message: signInProblem(code, { isEmailed }) ?? "", fields: {} };
    window.location.assign(answer.url);
  } catch {
    return UNREACHABLE;
  }
  return new Promise(() => undefined); // the browser leaves the page
}
