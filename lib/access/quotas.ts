import { env, type Settings } from "@/lib/kernel/env";
import { takeRangeBytes } from "@/lib/limits/range-bytes";
import {
  type AttemptKind,
  takeDownload as countDownload,
  takeHosted as countHosted,
  takeHostedDay as countHostedDay,
  takeQuery as countQuery,
  enforce,
  type HostedKind,
  type Left,
  type Limits,
  peekLight,
  readLeft,
  takeAttempt,
  takeLight,
} from "@/lib/limits/rate-limit";
import { type LimitState, rateLimitHeaders } from "@/lib/limits/rate-limit-headers";

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
import { confirmGeneration } from "@/lib/store/postgres/generation";
import { type Actor, readingFor } from "./actor";
import type { Context } from "./context";

type Setting = { [Name in keyof Settings]: Settings[Name] extends number ? Name : never }[keyof Settings];

const SIGN_IN_ADDRESS = { minute: "LIMIT_SIGN_IN_ADDRESS_MINUTE", day: "LIMIT_SIGN_IN_ADDRESS_DAY" } as const;
const SIGN_IN_ACCOUNT = { minute: "LIMIT_SIGN_IN_ACCOUNT_MINUTE", day: "LIMIT_SIGN_IN_ACCOUNT_DAY" } as const;
const SIGN_UP = { minute: "LIMIT_SIGN_UP_ADDRESS_MINUTE", day: "LIMIT_SIGN_UP_ADDRESS_DAY" } as const;
const DOWNLOAD = { minute: "LIMIT_DOWNLOAD_MINUTE", day: "LIMIT_DOWNLOAD_DAY" } as const;

/** THE table of quotas: the settings that limit each of them per minute and, where it is counted, per day. */
const QUOTAS = {
  /** Catalogue, schema, preview, 304 and range: of an address, or a connector's caller. */
  metadata: { minute: "LIMIT_CATALOGUE_MINUTE" },
  /** A person's requests to the account's API. */
  account: { minute: "LIMIT_ACCOUNT_MINUTE" },
  page: { minute: "LIMIT_PAGE_MINUTE" },
  tokenExchange: { minute: "LIMIT_TOKEN_CLIENT_MINUTE" },
  /** Queries of a key, connection or person. */
  query: { minute: "LIMIT_KEY_MINUTE", day: "LIMIT_KEY_DAY" },
  addressQuery: { minute: "LIMIT_ADDRESS_MINUTE", day: "LIMIT_ADDRESS_DAY" },
  download: DOWNLOAD,
  "hosted-current": DOWNLOAD,
  "hosted-freshness": { minute: "LIMIT_FRESHNESS_MINUTE" },
  addressSignIn: SIGN_IN_ADDRESS,
  /** Attempts on one account, by a person, a mailbox or a browser. */
  accountSignIn: SIGN_IN_ACCOUNT,
  registration: { minute: "LIMIT_REGISTRATION_ADDRESS_MINUTE", day: "LIMIT_REGISTRATION_ADDRESS_DAY" },
  signUp: SIGN_UP,
  mail: SIGN_UP,
} as const satisfies Record<string, { minute: Setting; day?: Setting }>;

type Quota = keyof typeof QUOTAS;
type DailyQuota = { [Name in Quota]: (typeof QUOTAS)[Name] extends { day: Setting } ? Name : never }[Quota];

const minuteOf = (quota: Quota): number => env()[QUOTAS[quota].minute];

function limitsOf(quota: DailyQuota): Limits {
  const { minute, day } = QUOTAS[quota];
  const settings = env();
  return { minute: settings[minute], day: settings[day] };
}

/**
 * Counts a metadata request (catalogue, schema, preview, 304, range) against the address's quota. Fails with
 * rate_limited.
 */
export async function takeMetadataRequest(ctx: Context): Promise<void> {
  const state = await metadataRequest(ctx);
  if (state) settle(state, ctx);
}

/**
 * Counts a metadata request for a reply that is already an error, such as method_not_allowed: its headers are shown,
 * and nothing else changes.
 */
export async function countMetadataRequest(ctx: Context): Promise<void> {
  const state = await metadataRequest(ctx).catch(() => undefined);
  if (state) showHeaders(state, ctx);
}

/**
 * Rejects an address whose minute quota is used up, and counts nothing. Called before a credential is looked up, so
 * that invalid ones cost no more lookups than the quota allows.
 */
export async function requireAddressQuota(ctx: Context): Promise<void> {
  if (ctx.address === undefined) return;
  const state = await peekLight("catalogue", addressSubject(ctx.address), minuteOf("metadata"), ctx.now());
  if (state.rejectedBy) settle(state, ctx);
}

/** Counts a metadata request against the credential's minute quota, or without a credential, the address's. */
export async function takeCallerRequest(ctx: Context): Promise<void> {
  const subject = querySubject(ctx);
  if (subject !== undefined) settle(await takeLight("catalogue", subject, minuteOf("metadata"), ctx.now()), ctx);
}

/** Rejects a client whose token exchanges for this minute are used up; counts nothing. */
export async function requireTokenQuota(clientId: string, ctx: Context): Promise<void> {
  enforce(await peekLight("token", clientSubject(clientId), minuteOf("tokenExchange"), ctx.now()));
}

/** Counts a token exchange for the client that authenticated with it. */
export async function countTokenExchange(clientId: string, ctx: Context): Promise<void> {
  await takeLight("token", clientSubject(clientId), minuteOf("tokenExchange"), ctx.now());
}

async function metadataRequest(ctx: Context): Promise<LimitState | undefined> {
  return ctx.address === undefined
    ? undefined
    : takeLight("catalogue", addressSubject(ctx.address), minuteOf("metadata"), ctx.now());
}

/**
 * Counts a query against the minute and day quotas of the key or connection, or without one, of the address. Fails with
 * rate_limited, daily_quota_exhausted or unavailable; with `OutdatedFacts`, without counting, if the context's
 * generation is over.
 */
export async function takeQuery(ctx: Context): Promise<void> {
  const subject = querySubject(ctx);
  if (subject === undefined) return await confirmGeneration(ctx.generation);
  settle(await countQuery(subject, queryLimits(ctx.actor), ctx.now(), ctx.generation), ctx);
}

/** Whose quota and turn in the engine a call's queries use; undefined for the service itself. */
export function querySubject({ actor, address }: Pick<Context, "actor" | "address">): string | undefined {
  if (actor.kind === "key") return keySubject(actor.key.id);
  if (actor.kind === "agent" || actor.kind === "device") return agentSubject(actor.grant.connectionId);
  if (actor.kind === "person") return personSubject(actor.session.userId);
  return address === undefined ? undefined : addressSubject(address);
}

/** The caller whose share of the bytes in flight a reply uses. */
export function callerOf(ctx: Context): Caller {
  const { actor, address } = ctx;
  if (actor.kind === "person") return { address, subject: personSubject(actor.session.userId) };
  return { address, subject: readingFor(ctx) && querySubject(ctx) };
}

function queryLimits({ kind }: Actor): Limits {
  const hasOwn = kind === "key" || kind === "agent" || kind === "device" || kind === "person";
  return limitsOf(hasOwn ? "query" : "addressQuery");
}

/** Rejects with busy a caller who is already reading the maximum number of files. */
export const requireRoom = (ctx: Context): void => repliesInFlight().requireRoom(callerOf(ctx));

/** Counts a complete download against the key's or person's minute and day quotas. Fails like takeQuery. */
export async function takeDownload(ctx: Context): Promise<void> {
  settle(await countDownload(downloadSubject(ctx), limitsOf("download"), ctx.now()), ctx);
}

function downloadSubject({ actor }: Context): string {
  if (actor.kind === "person") return personSubject(actor.session.userId);
  if (actor.kind !== "key") throw new Error("a download is taken from a key or a person");
  return keySubject(actor.key.id);
}

/**
 * Counts a range of a version's file by its bytes; counts a download whenever the caller's ranges of that day exceed
 * a whole file. Returns whether it did. Fails like takeQuery.
 */
export async function takeRange(version: { versionId: string; bytes: number }, bytes: number, ctx: Context) {
  const file = { subject: downloadSubject(ctx), versionId: version.versionId, sizeBytes: version.bytes };
  return takeRangeBytes(file, bytes, () => takeDownload(ctx), ctx.now());
}

/** Counts a request to a hosted route against the key's minute quota for that route. Fails like takeQuery. */
export async function takeHostedRequest(kind: HostedKind, ctx: Context): Promise<LimitState> {
  const state = await countHosted(kind, downloadSubject(ctx), minuteOf(kind), ctx.now());
  settle(state, ctx);
  return state;
}

/** Rejects a key whose hosted downloads for the day are used up; counts nothing. Fails like takeQuery. */
export const requireHostedDay = (state: LimitState, ctx: Context): Promise<void> => settleDay(state, true, ctx);

/**
 * Counts a hosted download against the key's daily quota, once its bytes are ready to be sent. Fails like takeQuery.
 */
export const takeHostedDay = (state: LimitState, ctx: Context): Promise<void> => settleDay(state, false, ctx);

async function settleDay(state: LimitState, peek: boolean, ctx: Context): Promise<void> {
  settle(
    await countHostedDay(state, downloadSubject(ctx), limitsOf("hosted-current").day, { now: ctx.now(), peek }),
    ctx,
  );
}

/** The remaining queries and downloads of keys, in the order requested; counts nothing. Fails with unavailable. */
export const keyQuotas = (keyIds: readonly string[], ctx: Context) => quotasOf(keyIds.map(keySubject), ctx);

/** The same for people who read in their own browser. */
export const personQuotas = (userIds: readonly string[], ctx: Context) => quotasOf(userIds.map(personSubject), ctx);

async function quotasOf(subjects: readonly string[], ctx: Context): Promise<{ query: Left; download: Left }[]> {
  const [queries, downloads] = await Promise.all([
    readLeft("query", subjects, limitsOf("query"), ctx.now()),
    readLeft("download", subjects, limitsOf("download"), ctx.now()),
  ]);
  return queries.flatMap((query, index) => downloads.slice(index, index + 1).map((download) => ({ query, download })));
}

/**
 * The remaining queries of connections (agents and devices), in the order requested; counts nothing. Fails with
 * unavailable.
 */
export const connectionQuotas = (ids: readonly string[], ctx: Context): Promise<Left[]> =>
  readLeft("query", ids.map(agentSubject), limitsOf("query"), ctx.now());

/**
 * Counts a sign-in attempt against the address's quota and then the account's, whether or not the account exists; a
 * browser that has signed in to the account before has its own quota instead of the account's. The account's remaining
 * quota is not shown: it would reveal others' attempts, and so that the account exists.
 */
export async function takeSignIn(email: string, ctx: Context, knownBrowser?: string): Promise<void> {
  await takeSignInFromAddress(ctx);
  const subject = knownBrowser === undefined ? emailSubject(email) : browserSubject(knownBrowser);
  enforce(await takeAttempt("sign-in", subject, limitsOf("accountSignIn"), ctx.now()));
}

/**
 * Counts an attempt to enter one's own password against the address's quota and the person's, which strangers cannot
 * use up.
 */
export async function takeOwnPassword(userId: string, ctx: Context): Promise<void> {
  await takeSignInFromAddress(ctx);
  enforce(await takeAttempt("sign-in", personSubject(userId), limitsOf("accountSignIn"), ctx.now()));
}

const takeSignInFromAddress = (ctx: Context): Promise<void> =>
  takeFromAddress("sign-in", limitsOf("addressSignIn"), ctx);

/** Counts the start of a command-line sign-in against the address's quota. */
export const takeDeviceLogin = (ctx: Context): Promise<void> =>
  takeFromAddress("device", limitsOf("addressSignIn"), ctx);

/**
 * Counts the registration of an agent's program, or fetching the document that describes one, against the address's
 * quota.
 */
export const takeRegistration = (ctx: Context): Promise<void> =>
  takeFromAddress("registration", limitsOf("registration"), ctx);

/**
 * Counts an entered device code against the address's quota and the person's, so that nobody can guess the code of
 * someone else's command line.
 */
export async function takeDeviceCode(userId: string, ctx: Context): Promise<void> {
  await takeFromAddress("device-code", limitsOf("addressSignIn"), ctx);
  enforce(await takeAttempt("device-code", personSubject(userId), limitsOf("accountSignIn"), ctx.now()));
}

/**
 * Counts an attempt to confirm a sign-in, with a passkey or a recovery code, against the address's quota and the
 * person's.
 */
export async function takeSecondStep(userId: string, ctx: Context): Promise<void> {
  await takeFromAddress("second-step", limitsOf("addressSignIn"), ctx);
  enforce(await takeAttempt("second-step", personSubject(userId), limitsOf("accountSignIn"), ctx.now()));
}

/** Counts a sign-up against the address's quota. */
export const takeSignUp = (ctx: Context): Promise<void> => takeFromAddress("sign-up", limitsOf("signUp"), ctx);

/**
 * Counts an email that somebody requests against their address's quota and the mailbox's, so that no mailbox is flooded
 * from many addresses.
 */
export async function takeMail(email: string, ctx: Context): Promise<void> {
  await takeFromAddress("mail", limitsOf("mail"), ctx);
  enforce(await takeAttempt("mail", emailSubject(email), limitsOf("mail"), ctx.now()));
}

/**
 * Whether a mailbox may be sent an email that nobody requested. Counted separately, so that the remaining quota of
 * those who request one does not reveal it.
 */
export async function mayMail(email: string, ctx: Context): Promise<boolean> {
  return (await takeAttempt("reminder", emailSubject(email), limitsOf("mail"), ctx.now())).rejectedBy === null;
}

/** Counts a signed-in person's request to the account's own API against their minute quota. */
export async function takeAccount(userId: string, ctx: Context): Promise<void> {
  settle(await takeLight("account", personSubject(userId), minuteOf("account"), ctx.now()), ctx);
}

/** Counts a page view against the address's minute quota. Fails with rate_limited or unavailable. */
export async function takePage(address: string): Promise<void> {
  enforce(await takeLight("page", addressSubject(address), minuteOf("page")));
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
