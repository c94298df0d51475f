import type { Account, NextAuthOptions, Profile, User } from "next-auth";
import { decode, type JWT } from "next-auth/jwt";
import CredentialsProvider from "next-auth/providers/credentials";
import { defaultOf } from "@/lib/kernel/common-js";
import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { canMail } from "@/lib/mail/mailer";
import { emailSchema } from "@/lib/schemas/account";
import type { Author } from "@/lib/store/audit";
import { findPassword, findPersonById, type Person } from "@/lib/store/people/people";
import { setProviderMemberships } from "@/lib/store/people/provider-memberships";
import { createSession, findSession, revokeSession } from "@/lib/store/people/sessions";
import { authAdapter } from "./adapter";
import { authProviders } from "./identity-providers";
import { grantsOf, type OidcClaims, oidcProvider } from "./oidc";
import { verifyPassword } from "./password";
import { cookiePrefix, SESSION_DAYS, sessionCookieName, sessionIdIn, sessionSecret } from "./session";

/** What a sign-in needs to know about the request. */
export interface Caller {
  fromHash: string | undefined;
  browser: string;
  /** The browser's previous session cookie. */
  formerCookie: string | undefined;
  /** Turns any callbackUrl into one on our own pages. */
  redirect(url: string): string;
  onError(error: unknown): void;
  /** Called with what a failure of another service means to the person, before next-auth replies. */
  onProviderProblem(problem: ProviderProblem): void;
  /** Called if the new session has to be confirmed with a passkey. */
  onStepDue(): void;
  /** Whether this is a sign-out, which sessions may do that are not confirmed yet. */
  isSignOut: boolean;
  /** Called if the session could not be looked up: next-auth would treat the cookie as invalid and delete it. */
  onOutage(error: unknown): void;
  /** Resends the confirmation link, after the reply and not too often. */
  mailAgain(person: Person): void;
}

const SESSION_SECONDS = SESSION_DAYS * 86_400;

/** The configuration of next-auth: encrypted cookies that name a row of Session, which every request looks up. */
export function authOptions(caller: Caller): NextAuthOptions {
  const author: Author = { actor: "person", fromHash: caller.fromHash };
  const proof: Proof = {};
  return {
    secret: sessionSecret(),
    adapter: authAdapter(author),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    jwt: { decode: (params) => decodeLive(params, caller) },
    providers: [...(env().SIGN_IN_PROVIDERS_ONLY ? [] : [passwordProvider(caller, proof)]), ...authProviders()],
    pages: { signIn: "/sign-in", error: "/sign-in", verifyRequest: "/sign-in?sent=1" },
    cookies: cookieNames(),
    useSecureCookies: cookiePrefix() !== "",
    callbacks: {
      // everyone who requests a link by email gets the same reply; a disabled account is rejected only when its link
      // is used
      signIn: async ({ user, account, email }) =>
        hasAddress(user, account, caller) && (email?.verificationRequest === true || !(await isShutOut(user.id))),
      jwt: async ({ token, user, account, profile }) => {
        if (!user) return token;
        await joinByGroups(user, account, profile, caller);
        return begin(user, caller, proof);
      },
      session: ({ session, token }) => ({ ...session, user: { email: token.email ?? null, name: token.name ?? null } }),
      redirect: ({ url }) => caller.redirect(url),
    },
    events: {
      signOut: async ({ token }) => {
        if (typeof token?.sid === "string" && token.sub)
          await revokeSession(token.sub, token.sid, { ...author, userId: token.sub });
      },
    },
    logger: {
      error: (code, details) => {
        const error = errorOf(code, details);
        if (code.startsWith("SIGNIN_OAUTH_") || code.startsWith("OAUTH_"))
          caller.onProviderProblem(providerProblem(String(error.cause ?? "")));
        caller.onError(error);
      },
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}

/** Codes of the sign-in page for what can go wrong with another service, where next-auth has one code for all. */
export type ProviderProblem = "ProviderDown" | "ProviderRefused" | "ProviderRestart" | "ProviderProof";

/** What other errors mean, by words in their messages; the first that fits. */
const MEANINGS: readonly [message: RegExp, problem: ProviderProblem][] = [
  [/access_denied|interaction_required|login_required|consent_required/, "ProviderRefused"],
  // another browser's state, or one whose cookie was used; a code that was used
  [/cookie was (?:missing|created)|could not be parsed|state mismatch|state missing|invalid_grant/, "ProviderRestart"],
  [/ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|timed out|socket hang up|certificate/, "ProviderDown"],
  [/expected 200 OK, got: 5\d\d|server_error|temporarily_unavailable/, "ProviderDown"],
];

/** What the message of an error of a sign-in with another service means to the person, who cannot be told more. */
const providerProblem = (message: string): ProviderProblem =>
  MEANINGS.find(([words]) => words.test(message))?.[1] ?? "ProviderProof";

/** next-auth logs whole requests along with its errors. Only the error itself is kept. */
function errorOf(code: string, details: unknown): Error {
  const cause = details instanceof Error ? details : (details as { error?: unknown })?.error;
  return new Error(`sign-in: ${code}`, { cause: cause instanceof Error ? cause.message : undefined });
}

/** Whether there is a verified address. A provider that gives none has its reason logged. */
function hasAddress({ email }: User, account: Account | null, { onError }: Caller): boolean {
  if (!email && account)
    onError(new Error(`sign-in: ${account.provider} did not say that it has verified the person's email address`));
  return Boolean(email);
}

/** Makes the memberships that come from the provider's groups equal to what it says at this sign-in. */
async function joinByGroups(
  user: User,
  account: Account | null,
  profile: Profile | undefined,
  { fromHash, onError }: Caller,
): Promise<void> {
  const provider = oidcProvider(account?.provider ?? "");
  if (!provider || !profile) return;
  const { grants, end } = grantsOf(profile as OidcClaims, provider);
  const author: Author = { actor: "service", fromHash };
  const unusable = await setProviderMemberships({ userId: user.id, provider: provider.id, grants, end }, author);
  if (unusable.length > 0)
    onError(new Error(`sign-in: ${provider.id} has groups for unusable workspaces: ${unusable.join(", ")}`));
}

/** A cookie whose session has ended, or is not confirmed, is invalid for next-auth's own routes too. */
async function decodeLive(params: Parameters<typeof decode>[0], { onOutage, isSignOut }: Caller): Promise<JWT | null> {
  const token = await decode(params).catch(() => null);
  const session = typeof token?.sid === "string" ? await findSession(token.sid).catch(onOutage) : undefined;
  const isLive = session && !session.revokedAt && session.expiresAt > new Date();
  return isLive && (isSignOut || !session.stepDue) ? token : null;
}

/** How the person signed in. */
interface Proof {
  /** The hash that the password was compared with. */
  passwordHash?: string | null;
}

/** Starts a session at every sign-in, and ends the browser's previous one. */
async function begin(user: User, caller: Caller, { passwordHash }: Proof): Promise<JWT> {
  const expiresAt = new Date(Date.now() + SESSION_SECONDS * 1000);
  const former = caller.formerCookie ? await sessionIdIn(caller.formerCookie) : undefined;
  const session = { userId: user.id, expiresAt, browser: caller.browser, fromHash: caller.fromHash ?? null };
  const sid = await createSession(session, { replaces: former, passwordHash });
  if (!sid)
    throw fail("unavailable", {
      message: "The account was changed during sign-in. Sign in again.",
      retryAfterSeconds: 1,
    });
  if ((await findSession(sid))?.stepDue) caller.onStepDue();
  return { sub: user.id, sid, email: user.email ?? null, name: user.name ?? null };
}

const isShutOut = async (userId: string): Promise<boolean> =>
  Boolean((await findPersonById(userId).catch(() => undefined))?.disabledAt);

function passwordProvider({ onError, mailAgain }: Caller, proof: Proof) {
  return defaultOf(CredentialsProvider)({
    id: "credentials",
    name: "Email and password",
    credentials: { email: {}, password: {} },
    async authorize(given) {
      const found = await personWithPassword(given?.email ?? "", given?.password ?? "").catch((error) => {
        onError(error);
        throw new Error("Unavailable"); // next-auth puts the message into a URL
      });
      const person = found?.person;
      Object.assign(proof, { passwordHash: found?.passwordHash });
      if (!person || !canMail() || person.emailVerified) return person ?? null;
      // Rejected like a wrong password: otherwise somebody who signed up with another's address would learn whether it
      // had an account before.
      mailAgain(person);
      return null;
    },
  });
}

/**
 * The person with this address and password. Takes equally long if there is none, or if the input is not an address.
 */
async function personWithPassword(email: string, password: string): ReturnType<typeof findPassword> {
  const { data } = emailSchema.safeParse(email);
  const found = data === undefined ? undefined : await findPassword(data);
  const same = await verifyPassword(password.slice(0, PASSWORD_MAX), found?.passwordHash);
  return same && found && !found.person.disabledAt ? found : undefined;
}

const PASSWORD_MAX = 1024;

/** The cookie that next-auth compares a form's token with. */
export const csrfCookieName = (): string => cookieNames().csrfToken.name;

/** The cookie that remembers which page a sign-in leads to. */
export const callbackCookieName = (): string => cookieNames().callbackUrl.name;

function cookieNames() {
  const prefix = cookiePrefix();
  const options = { httpOnly: true, sameSite: "lax" as const, path: "/", secure: prefix !== "" };
  const brief = { ...options, maxAge: 15 * 60 };
  return {
    sessionToken: { name: sessionCookieName(), options },
    callbackUrl: { name: `${prefix}parquetry-callback`, options },
    csrfToken: { name: `${prefix}parquetry-csrf`, options },
    pkceCodeVerifier: { name: `${prefix}parquetry-pkce`, options: brief },
    state: { name: `${prefix}parquetry-state`, options: brief },
    nonce: { name: `${prefix}parquetry-nonce`, options },
  } satisfies NextAuthOptions["cookies"];
}
