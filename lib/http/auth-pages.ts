import type { Context } from "@/lib/access/context";
import type { Failure } from "@/lib/kernel/errors";
import type { AuthForm } from "./auth-form";
import { safeCallback } from "./same-origin";

/**
 * Where to redirect a browser whose form post was rejected: back to its page, which shows the reason. Undefined for
 * calls by script.
 */
export function signInPage(failure: Failure, form: AuthForm, ctx: Context): Response | undefined {
  if (form.json === "true") return undefined;
  return new Response(null, { status: 303, headers: { location: signInUrl(reasonOf(failure), form, ctx) } });
}

function reasonOf({ status, retryAfterSeconds = 1 }: Failure): Record<string, string> {
  if (status === 429) return { error: "Throttled", wait: String(Math.max(1, Math.ceil(retryAfterSeconds))) };
  return { error: status < 500 ? "EmailSignin" : "Unavailable" };
}

/** Where next-auth leads after a failure. Any other page is the one that a sign-in was for. */
const FAILED_AT = /^\/(?:api\/auth\/(?:error|signin)|sign-in)$/;

/** Errors of next-auth that do not say what went wrong with the other service. */
const VAGUE: ReadonlySet<string> = new Set(["OAuthSignin", "OAuthCallback", "Callback"]);

/** next-auth's redirect after a failed sign-in with another service, with what went wrong and the service's id. */
export function withProblem(
  reply: Response,
  { problem, provider }: { problem: string | undefined; provider: string | undefined },
  ctx: Context,
): Response {
  const location = reply.headers.get("location");
  if (location === null || provider === undefined || !URL.canParse(location, ctx.baseUrl)) return reply;
  const url = new URL(location, ctx.baseUrl);
  const error = url.searchParams.get("error");
  if (url.origin !== new URL(ctx.baseUrl).origin || error === null || !FAILED_AT.test(url.pathname)) return reply;
  if (problem !== undefined && VAGUE.has(error)) url.searchParams.set("error", problem);
  url.searchParams.set("provider", provider);
  url.pathname = "/sign-in"; // next-auth's own way there leaves out what it does not know
  const headers = new Headers(reply.headers);
  headers.set("location", url.href);
  return new Response(reply.body, { status: reply.status, headers });
}

/**
 * next-auth's reply to a form, without its detours through the sign-in page, and with providers reached through a page
 * of ours.
 */
export function onwardPage(reply: Response, form: AuthForm, ctx: Context): Response {
  const location = reply.headers.get("location");
  if (location === null || form.json === "true") return reply;
  const { origin, pathname, searchParams } = new URL(location, ctx.baseUrl);
  const headers = new Headers(reply.headers);
  const error = searchParams.get("error");
  if (origin === new URL(ctx.baseUrl).origin) {
    const provider = searchParams.get("provider");
    if (FAILED_AT.test(pathname) && error)
      headers.set("location", signInUrl({ error, ...(provider && { provider }) }, form, ctx));
    return new Response(null, { status: 303, headers });
  }
  headers.delete("location");
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response(providerPage(location), { status: 200, headers });
}

/** next-auth's reply to a sign-in that has to be confirmed: to the page for it, which then continues. */
export async function toSecondStep(reply: Response, ctx: Context): Promise<Response> {
  const { origin } = new URL(ctx.baseUrl);
  const step = (url: string | null) =>
    `${origin}/sign-in/passkey?${new URLSearchParams({ callbackUrl: safeCallback(url, origin) })}`;
  const headers = new Headers(reply.headers);
  const location = headers.get("location");
  if (location !== null) {
    headers.set("location", step(location));
    return new Response(null, { status: reply.status, headers });
  }
  const { url } = (await reply.json()) as { url: string };
  return new Response(JSON.stringify({ url: step(url) }), { status: reply.status, headers });
}

function signInUrl(why: Readonly<Record<string, string>>, { callbackUrl }: AuthForm, ctx: Context): string {
  const target = safeCallback(callbackUrl, new URL(ctx.baseUrl).origin);
  return `${ctx.baseUrl}/sign-in?${new URLSearchParams({ ...why, ...(target !== "/" && { callbackUrl: target }) })}`;
}

/** Our Content-Security-Policy keeps browsers from sending a form to another site, even by a redirect. */
function providerPage(url: string): string {
  const href = url.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="0;url=${href}"><title>Signing in</title><p><a href="${href}">Continue to \
${new URL(url).host}</a></p></html>`;
}
