import { fromHashOf } from "@/lib/access/author";
import type { Context } from "@/lib/access/context";
import { mayMail, takeMail, takeMetadataRequest, takeSignIn } from "@/lib/access/quotas";
import { authOptions, type Caller, callbackCookieName, type ProviderProblem } from "@/lib/auth/auth-options";
import { browserName } from "@/lib/auth/browser-name";
import { identityProviders } from "@/lib/auth/identity-providers";
import { knownBrowserCookie, knownBrowserCookieName, knownBrowserOf } from "@/lib/auth/known-browser";
import { mailLink } from "@/lib/auth/links";
import { cookiePrefix, sessionCookieName } from "@/lib/auth/session";
import { env } from "@/lib/kernel/env";
import { Failure, fail } from "@/lib/kernel/errors";
import { requireStorable } from "@/lib/operations/storable-input";
import { emailSchema } from "@/lib/schemas/account";
import { inBackground } from "@/lib/store/background";
import type { Person } from "@/lib/store/people/people";
import { type AuthForm, csrfProof, readAuthForm } from "./auth-form";
import { onwardPage, signInPage, toSecondStep, withProblem } from "./auth-pages";
import { requestContext } from "./context";
import { cookieOf, cookiesOf, credentialsOf } from "./credentials";
import { callNextAuth, type NextAuthCall } from "./next-auth-call";
import { readParameters } from "./read-input";
import { respondWithFailure } from "./respond";
import { rejectForeignOrigin, safeCallback } from "./same-origin";

/** The parts of next-auth that are used. It would also show its own pages and log whatever anybody sends. */
const ACTIONS: Readonly<Record<string, RegExp>> = {
  GET: /^(?:csrf|session|signin|error|verify-request|callback\/(?!credentials$)[a-z][a-z0-9-]{0,31})$/,
  POST: /^(?:signin\/(?!credentials$)[a-z][a-z0-9-]{0,31}|callback\/credentials|signout)$/,
};

/**
 * The routes of next-auth: sign-in, its callbacks and sign-out, rate-limited per account and address, and for our own
 * pages only.
 */
export async function authRoute(request: Request, action: string): Promise<Response> {
  const ctx = requestContext(request, { isPersonal: true });
  let form: AuthForm | undefined;
  try {
    const { origin } = new URL(ctx.baseUrl);
    rejectForeignOrigin(request, origin);
    checkAction(request.method, action);
    if (action === "callback/email" && !isFromOurPage(request, origin))
      throw fail("forbidden_origin", { message: "Open the link that was emailed to you." });
    requireStorable(Object.fromEntries(readParameters(new URL(request.url).search.slice(1))));
    form = await readAuthForm(request);
    await throttle(action, form, request, ctx);
    // biome-ignore lint/style/noProcessEnv: next-auth has no other way to set its URL
    process.env.NEXTAUTH_URL = `${ctx.baseUrl}/api/auth`;
    const outages: unknown[] = [];
    const onOutage = (error: unknown) => void outages.push(error);
    const problems: ProviderProblem[] = [];
    const onProviderProblem = (problem: ProviderProblem) => void problems.push(problem);
    let stepDue = false;
    const onStepDue = () => {
      stepDue = true;
    };
    const reply = await callNextAuth(
      callOf(request, action, form, origin),
      authOptions({
        ...callerOf(request, ctx),
        onOutage,
        onProviderProblem,
        onStepDue,
        isSignOut: action === "signout",
      }),
    );
    if (outages.length > 0) throw outages[0];
    if (reply.status >= 500) throw new Error(`next-auth replied ${reply.status} to ${action}`);
    const told = withProblem(reply, { problem: problems[0], provider: action.split("/")[1] }, ctx);
    const next = form ? onwardPage(told, form, ctx) : told;
    return finished(
      stepDue ? await toSecondStep(next, ctx) : next,
      ctx,
      action === "callback/credentials" ? normal(form) : undefined,
    );
  } catch (thrown) {
    const page = thrown instanceof Failure && form && signInPage(thrown, form, ctx);
    return page ? finished(page, ctx) : respondWithFailure(thrown, ctx, request);
  }
}

/** The methods of a route of next-auth that is used here. */
export const authMethods = (action: string): string[] =>
  Object.keys(ACTIONS).filter((method) => ACTIONS[method]?.test(action));

/** Rejects requests that are not used here, including routes of providers that are not set up. */
function checkAction(method: string, action: string): void {
  const allowed = authMethods(action);
  const [, provider] = /^(?:signin|callback)\/(.*)$/.exec(action) ?? [];
  const isOff =
    provider !== undefined &&
    (provider === "credentials"
      ? env().SIGN_IN_PROVIDERS_ONLY
      : !identityProviders().some(({ id }) => id === provider));
  if (allowed.length === 0 || isOff) throw fail("not_found");
  if (!allowed.includes(method)) throw fail("method_not_allowed", { headers: { allow: allowed.join(", ") } });
}

/**
 * Only the page that the emailed link opens leads to the link's final URL, so a click elsewhere cannot sign anybody in
 * to another person's account.
 */
function isFromOurPage({ headers }: Request, origin: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const referrer = headers.get("referer"); // without TLS, browsers send only this, except on localhost
  return referrer !== null && URL.canParse(referrer) && new URL(referrer).origin === origin;
}

/** Attempts are counted before anything is compared, so simultaneous attempts guess no more than sequential ones. */
async function throttle(action: string, form: AuthForm | undefined, { headers }: Request, ctx: Context): Promise<void> {
  const email = form?.email ?? "";
  if (action === "callback/credentials") {
    return takeSignIn(
      normal(form),
      ctx,
      knownBrowserOf(cookieOf(headers.get("cookie"), knownBrowserCookieName()), normal(form)),
    );
  }
  if (action !== "signin/email") return takeMetadataRequest(ctx);
  // next-auth would accept several spellings of one mailbox, each with its own quota
  const { data } = emailSchema.safeParse(email);
  if (data === undefined) throw fail("invalid_value", { message: "Enter a valid email address." });
  await takeMail(data, ctx);
}

/** next-auth replies with its own error page to a callbackUrl that is no URL, so it is given one of our own pages. */
function callOf(request: Request, action: string, form: AuthForm | undefined, origin: string): NextAuthCall {
  const { method, headers } = request;
  const proof = csrfProof(request, form);
  const cookies = { ...cookiesOf(headers.get("cookie")), ...proof.cookies };
  const ours = (url: string | null | undefined) => `${origin}${safeCallback(url, origin)}`;
  const callback = callbackCookieName();
  const query = new URL(request.url).searchParams;
  if (query.has("callbackUrl")) query.set("callbackUrl", ours(query.get("callbackUrl")));
  return {
    method,
    headers,
    query,
    action: action.split("/"),
    cookies: callback in cookies ? { ...cookies, [callback]: ours(cookies[callback]) } : cookies,
    form: proof.form,
  };
}

const normal = (form: AuthForm | undefined): string => (form?.email ?? "").trim().toLowerCase();

function callerOf(
  request: Request,
  ctx: Context,
): Omit<Caller, "onOutage" | "onProviderProblem" | "onStepDue" | "isSignOut"> {
  const { origin } = new URL(ctx.baseUrl);
  return {
    fromHash: fromHashOf(ctx),
    browser: browserName(request.headers.get("user-agent")),
    formerCookie: credentialsOf(request).sessionCookie,
    redirect: (url) => `${origin}${safeCallback(url, origin)}`,
    onError: ctx.onBackgroundError,
    mailAgain: (person) => inBackground(mailAgain(person, ctx), ctx.onBackgroundError),
  };
}

async function mailAgain(person: Person, ctx: Context): Promise<void> {
  if (await mayMail(person.email, ctx)) await mailLink("verify_email", person, ctx.now());
}

/**
 * A cookie without rights tells pages whether somebody is signed in, so cacheable pages need not know who. It is set
 * and deleted together with the session's cookie. Another cookie records that `email` has signed in from this browser.
 */
function finished(reply: Response, ctx: Context, email?: string): Response {
  const headers = new Headers(reply.headers);
  const set = headers.getSetCookie().find((cookie) => cookie.startsWith(`${sessionCookieName()}=`));
  const isSignedIn = set !== undefined && !/^[^=]+=(;|$)/.test(set) && !/max-age=0/i.test(set);
  if (set) headers.append("set-cookie", hintCookie(isSignedIn));
  if (isSignedIn && email) headers.append("set-cookie", knownCookie(email));
  headers.set("cache-control", "no-store");
  headers.set("x-request-id", ctx.requestId);
  for (const [name, value] of ctx.replyHeaders) headers.set(name, value);
  return new Response(reply.body, { status: reply.status, headers });
}

const HINT_SECONDS = 30 * 86_400;
const KNOWN_SECONDS = 365 * 86_400;

const secure = (): string => (cookiePrefix() === "" ? "" : "; Secure");

const knownCookie = (email: string): string =>
  `${knownBrowserCookieName()}=${knownBrowserCookie(email)}; Path=/; HttpOnly; SameSite=Lax; ` +
  `Max-Age=${KNOWN_SECONDS}${secure()}`;

/** See `components/site/theme.ts`. */
const hintCookie = (isSignedIn: boolean): string =>
  `parquetry-signed-in=${isSignedIn ? 1 : ""}; Path=/; SameSite=Lax; ` +
  `Max-Age=${isSignedIn ? HINT_SECONDS : 0}${secure()}`;
