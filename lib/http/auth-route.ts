import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions, type Caller } from "@/lib/auth/auth-options";
import { browserName } from "@/lib/auth/browser-name";
import { sessionCookieName } from "@/lib/auth/session";
import { fail } from "@/lib/errors";
import { takeAddress, takeMail, takeSignIn } from "@/lib/operations/allowances";
import { fromHashOf } from "@/lib/operations/author";
import type { Context } from "@/lib/operations/operation";
import { requestContext } from "./context";
import { credentialsOf } from "./credentials";
import { respondWithFailure } from "./respond";
import { refuseForeignOrigin, safeCallback } from "./same-origin";

type Handler = (request: NextRequest, route: { params: Promise<{ nextauth: string[] }> }) => Promise<Response>;

const BODY_BYTES_MAX = 16 * 1024;

/** The routes of next-auth: sign-in, its callbacks and sign-out, throttled per account and address, and for our own pages alone. */
export const authRoute: Handler = async (request, route) => {
  const ctx = requestContext(request);
  ctx.isPersonal = true;
  try {
    refuseForeignOrigin(request, new URL(ctx.baseUrl).origin);
    await throttle(request, (await route.params).nextauth, ctx);
    // biome-ignore lint/style/noProcessEnv: next-auth knows no other way to be told its address
    process.env.NEXTAUTH_URL = `${ctx.baseUrl}/api/auth`;
    const reply = (await NextAuth(request, route as never, authOptions(callerOf(request, ctx)))) as Response;
    return finished(reply, ctx);
  } catch (thrown) {
    return respondWithFailure(thrown, ctx, request);
  }
};

/** Attempts are counted before anything is compared, so that no number of attempts at once guesses more. */
async function throttle(request: NextRequest, action: readonly string[], ctx: Context): Promise<void> {
  const attempt = request.method === "POST" ? action.join("/") : "";
  if (attempt !== "callback/credentials" && attempt !== "signin/email") return takeAddress(ctx);
  if (Number(request.headers.get("content-length") ?? 0) > BODY_BYTES_MAX) throw fail("request_too_large");
  const form = await request
    .clone()
    .formData()
    .catch(() => undefined);
  if (!form) throw fail("unsupported_media_type", { message: "Send the form as application/x-www-form-urlencoded." });
  const email = String(form.get("email") ?? "")
    .trim()
    .toLowerCase();
  await (attempt === "signin/email" ? takeMail(email, ctx) : takeSignIn(email, ctx));
}

function callerOf(request: NextRequest, ctx: Context): Caller {
  const { origin } = new URL(ctx.baseUrl);
  return {
    fromHash: fromHashOf(ctx),
    browser: browserName(request.headers.get("user-agent")),
    formerCookie: credentialsOf(request).sessionCookie,
    redirect: (url) => `${origin}${safeCallback(url, origin)}`,
    onError: ctx.onBackgroundError,
  };
}

/**
 * A cookie without rights tells the pages whether somebody is signed in, so that cacheable ones need not know who:
 * it comes and goes with the session's.
 */
function finished(reply: Response, ctx: Context): Response {
  const headers = new Headers(reply.headers);
  const set = headers.getSetCookie().find((cookie) => cookie.startsWith(`${sessionCookieName()}=`));
  if (set) headers.append("set-cookie", hintCookie(!/^[^=]+=(;|$)/.test(set) && !/max-age=0/i.test(set)));
  headers.set("cache-control", "no-store");
  headers.set("x-request-id", ctx.requestId);
  for (const [name, value] of ctx.replyHeaders) headers.set(name, value);
  return new Response(reply.body, { status: reply.status, headers });
}

const HINT_SECONDS = 30 * 86_400;

/** See `components/account-link.tsx`. */
const hintCookie = (isSignedIn: boolean): string =>
  `parquetry-signed-in=${isSignedIn ? 1 : ""}; Path=/; SameSite=Lax; Max-Age=${isSignedIn ? HINT_SECONDS : 0}`;
