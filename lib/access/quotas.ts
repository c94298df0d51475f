import { env } from "@/lib/kernel/env";
import { takeRangeBytes } from "@/lib/limits/range-bytes";
import {
  type AttemptKind,
  takeDownload as countDownload,
  takeQuery as countQuery,
  enforce,
  type Left,
  type LimitState,
  type Limits,
  peekLight,
  readLeft,
  takeAttempt,
  takeLight,
} from "@/lib/limits/rate-limit";
import { rateLimitHeaders } from "@/lib/limits/rate-limit-headers";
import { type Caller, repliesInFlight } from "@/lib/limits/replies-in-flight";
import {
  addressSubject,
  agentSubject,
  browserSubject,
  clientSubject,
  emailSubject,
  keySubject,
  personSubject,
} from "@/lib/limits/subject";
import { type Actor, readingFor } from "./actor";
import type { Context } from "./context";

/** Takes a light read (catalogue, schema, preview, 304, range) from the address's minute. Refuses with rate_limited. */
export async function takeMetadataRequest(ctx: Context): Promise<void> {
  const state = await metadataRequest(ctx);
  if (state) settle(state, ctx);
}

/**
 * Counts a light read for a reply that is a refusal already, such as of a method: its headers are shown, and it changes
 * nothing else.
 */
export async function noteMetadataRequest(ctx: Context): Promise<void> {
  const state = await metadataRequest(ctx).catch(() => undefined);
  if (state) showHeaders(state, ctx);
}

/**
 * Refuses an address whose minute is used up, and counts nothing: before a credential is looked up, so that bad ones
 * cost no more look-ups than the minute has requests.
 */
export async function requireAddressQuota(ctx: Context): Promise<void> {
  if (ctx.address === undefined) return;
  const state = await peekLight("catalogue", addressSubject(ctx.address), env().LIMIT_CATALOGUE_MINUTE, ctx.now());
  if (state.refusedBy) settle(state, ctx);
}

/** Takes a metadata request from the credential's minute, or from the address's without one. */
export async function takeCallerRequest(ctx: Context): Promise<void> {
  const subject = querySubject(ctx);
  if (subject !== undefined)
    settle(await takeLight("catalogue", subject, env().LIMIT_CATALOGUE_MINUTE, ctx.now()), ctx);
}

/** Refuses when a client's exchanges of tokens are used up for this minute; counts nothing. */
export async function requireTokenQuota(clientId: string, ctx: Context): Promise<void> {
  enforce(await peekLight("token", clientSubject(clientId), env().LIMIT_TOKEN_CLIENT_MINUTE, ctx.now()));
}

/** Counts an exchange of tokens for the client that was proven by it. */
export async function noteTokenExchange(clientId: string, ctx: Context): Promise<void> {
  await takeLight("token", clientSubject(clientId), env().LIMIT_TOKEN_CLIENT_MINUTE, ctx.now());
}

async function metadataRequest(ctx: Context): Promise<LimitState | undefined> {
  return ctx.address === undefined
    ? undefined
    : takeLight("catalogue", addressSubject(ctx.address), env().LIMIT_CATALOGUE_MINUTE, ctx.now());
}

/**
 * Takes a query from the key's or connection's minute and day, or from the address's without one. Refuses with
 * rate_limited, daily_quota_exhausted or unavailable.
 */
export async function takeQuery(ctx: Context): Promise<void> {
  const subject = querySubject(ctx);
  if (subject !== undefined) settle(await countQuery(subject, queryLimits(ctx.actor), ctx.now()), ctx);
}

/**
 * Whom the call's queries are counted for, and whose turn they take in the engine; undefined for the service itself.
 */
export function querySubject({ actor, address }: Pick<Context, "actor" | "address">): string | undefined {
  if (actor.kind === "key") return keySubject(actor.key.id);
  if (actor.kind === "agent" || actor.kind === "device") return agentSubject(actor.grant.connectionId);
  return address === undefined ? undefined : addressSubject(address);
}

/** Whose share of the replies under way a call's reply takes. */
export function callerOf(ctx: Context): Caller {
  const { actor, address } = ctx;
  if (actor.kind === "person") return { address, subject: personSubject(actor.session.userId) };
  return { address, subject: readingFor(ctx) && querySubject(ctx) };
}

function queryLimits({ kind }: Actor): Limits {
  return kind === "key" || kind === "agent" || kind === "device" ? keyQueryLimits() : addressQueryLimits();
}

/** Refuses with busy a caller who is still reading as many files as one may. */
export const requireRoom = (ctx: Context): void => repliesInFlight().requireRoom(callerOf(ctx));

/** Takes a whole download from the key's minute and day. Refuses like takeQuery. */
export async function takeDownload(ctx: Context): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== "key") throw new Error("a download is taken from a key");
  settle(await countDownload(keySubject(actor.key.id), keyDownloadLimits(), ctx.now()), ctx);
}

/**
 * Counts a range of a version's file by its bytes; takes a download whenever the key's ranges of that day pass a whole
 * file. Returns whether it did. Refuses like takeQuery.
 */
export async function takeRange(version: { versionId: string; bytes: number }, bytes: number, ctx: Context) {
  const { actor } = ctx;
  if (actor.kind !== "key") throw new Error("a range is taken from a key");
  const file = { subject: keySubject(actor.key.id), versionId: version.versionId, sizeBytes: version.bytes };
  return takeRangeBytes(file, bytes, () => takeDownload(ctx), ctx.now());
}

/** What is left to keys of their queries and downloads, in the order asked; takes nothing. Refuses with unavailable. */
export async function keyQuotas(keyIds: readonly string[], ctx: Context): Promise<{ query: Left; download: Left }[]> {
  const subjects = keyIds.map(keySubject);
  const [queries, downloads] = await Promise.all([
    readLeft("query", subjects, keyQueryLimits(), ctx.now()),
    readLeft("download", subjects, keyDownloadLimits(), ctx.now()),
  ]);
  return queries.flatMap((query, index) => downloads.slice(index, index + 1).map((download) => ({ query, download })));
}

/**
 * What is left to connections, of agents and devices, of their queries, in the order asked; takes nothing. Refuses with
 * unavailable.
 */
export const connectionQuotas = (ids: readonly string[], ctx: Context): Promise<Left[]> =>
  readLeft("query", ids.map(agentSubject), keyQueryLimits(), ctx.now());

function addressQueryLimits(): Limits {
  const settings = env();
  return { minute: settings.LIMIT_ADDRESS_MINUTE, day: settings.LIMIT_ADDRESS_DAY };
}

function keyQueryLimits(): Limits {
  const settings = env();
  return { minute: settings.LIMIT_KEY_MINUTE, day: settings.LIMIT_KEY_DAY };
}

function keyDownloadLimits(): Limits {
  const settings = env();
  return { minute: settings.LIMIT_DOWNLOAD_MINUTE, day: settings.LIMIT_DOWNLOAD_DAY };
}

/**
 * Takes an attempt to sign in from the address's allowance and then from the account's, whether there is such an
 * account or not;
 * a browser that has signed the account in before has an allowance of its own instead of the account's. What is left to
 * the account is not shown:
 * it would tell of the attempts of others, and so that there is somebody.
 */
export async function takeSignIn(email: string, ctx: Context, knownBrowser?: string): Promise<void> {
  await takeSignInFromAddress(ctx);
  const subject = knownBrowser === undefined ? emailSubject(email) : browserSubject(knownBrowser);
  enforce(await takeAttempt("sign-in", subject, accountSignInLimits(), ctx.now()));
}

/**
 * Takes an attempt to give one's own password from the address's allowance and the person's, which strangers cannot use
 * up.
 */
export async function takeOwnPassword(userId: string, ctx: Context): Promise<void> {
  await takeSignInFromAddress(ctx);
  enforce(await takeAttempt("sign-in", personSubject(userId), accountSignInLimits(), ctx.now()));
}

const takeSignInFromAddress = (ctx: Context): Promise<void> => takeFromAddress("sign-in", addressSignInLimits(), ctx);

function addressSignInLimits(): Limits {
  const settings = env();
  return { minute: settings.LIMIT_SIGN_IN_ADDRESS_MINUTE, day: settings.LIMIT_SIGN_IN_ADDRESS_DAY };
}

function accountSignInLimits(): Limits {
  const settings = env();
  return { minute: settings.LIMIT_SIGN_IN_ACCOUNT_MINUTE, day: settings.LIMIT_SIGN_IN_ACCOUNT_DAY };
}

/** Takes the beginning of a command line's sign-in from the address's allowance. */
export const takeDeviceLogin = (ctx: Context): Promise<void> => takeFromAddress("device", addressSignInLimits(), ctx);

/**
 * Takes the registration of an agent's program, or the fetching of the document that describes one, from the address's
 * allowance.
 */
export function takeRegistration(ctx: Context): Promise<void> {
  const settings = env();
  return takeFromAddress(
    "registration",
    { minute: settings.LIMIT_REGISTRATION_ADDRESS_MINUTE, day: settings.LIMIT_REGISTRATION_ADDRESS_DAY },
    ctx,
  );
}

/**
 * Takes a typed code of a device from the address's allowance and the person's, so that nobody guesses what another's
 * command line waits with.
 */
export async function takeDeviceCode(userId: string, ctx: Context): Promise<void> {
  await takeFromAddress("device-code", addressSignInLimits(), ctx);
  enforce(await takeAttempt("device-code", personSubject(userId), accountSignInLimits(), ctx.now()));
}

/** Takes the making of an account from the address's allowance. */
export const takeSignUp = (ctx: Context): Promise<void> => takeFromAddress("sign-up", signUpLimits(), ctx);

/**
 * Takes a mail that somebody asks for from their address's allowance and from that of the mailbox, so that nobody is
 * flooded from many addresses.
 */
export async function takeMail(email: string, ctx: Context): Promise<void> {
  await takeFromAddress("mail", signUpLimits(), ctx);
  enforce(await takeAttempt("mail", emailSubject(email), signUpLimits(), ctx.now()));
}

/**
 * Whether a mailbox may be sent a mail that nobody asked for. Counted apart, so that what is left to those who ask does
 * not tell of it.
 */
export async function mayMail(email: string, ctx: Context): Promise<boolean> {
  return (await takeAttempt("reminder", emailSubject(email), signUpLimits(), ctx.now())).refusedBy === null;
}

/** Takes a request of a signed-in person to the account's own API from their minute. */
export async function takeAccount(userId: string, ctx: Context): Promise<void> {
  settle(await takeLight("account", personSubject(userId), env().LIMIT_ACCOUNT_MINUTE, ctx.now()), ctx);
}

/** Takes a page from the address's minute. Refuses with rate_limited or unavailable. */
export async function takePage(address: string): Promise<void> {
  enforce(await takeLight("page", addressSubject(address), env().LIMIT_PAGE_MINUTE));
}

function signUpLimits(): Limits {
  const settings = env();
  return { minute: settings.LIMIT_SIGN_UP_ADDRESS_MINUTE, day: settings.LIMIT_SIGN_UP_ADDRESS_DAY };
}

async function takeFromAddress(kind: AttemptKind, limits: Limits, ctx: Context): Promise<void> {
  if (ctx.address !== undefined) settle(await takeAttempt(kind, addressSubject(ctx.address), limits, ctx.now()), ctx);
}

function settle(state: LimitState, ctx: Context): void {
  showHeaders(state, ctx);
  enforce(state);
}

function showHeaders(state: LimitState, ctx: Context): void {
  for (const [name, value] of Object.entries(rateLimitHeaders(state))) ctx.replyHeaders.set(name, value);
}
