import { env } from "@/lib/env";
import { takeCatalogueRead } from "@/lib/limits/catalogue-limit";
import { takeDownload as countDownload, takeQuery as countQuery, enforce, type LimitState } from "@/lib/limits/rate-limit";
import { rateLimitHeaders } from "@/lib/limits/rate-limit-headers";
import { addressSubject, keySubject } from "@/lib/limits/subject";
import type { Context } from "./operation";

/** Takes a light read (catalogue, schema, preview, 304, range) from the address's minute. Refuses with rate_limited. */
export async function takeAddress(ctx: Context): Promise<void> {
  const state = await lightRead(ctx);
  if (state) settle(state, ctx);
}

/** Counts a light read for a reply that is a refusal already, such as of a method: its headers are shown, and it changes nothing else. */
export async function noteAddress(ctx: Context): Promise<void> {
  const state = await lightRead(ctx).catch(() => undefined);
  if (state) showHeaders(state, ctx);
}

async function lightRead(ctx: Context): Promise<LimitState | undefined> {
  return ctx.address === undefined ? undefined : takeCatalogueRead(ctx.address, env().LIMIT_CATALOGUE_MINUTE, ctx.now());
}

/** Takes a query from the key's minute and day, or from the address's without a key. Refuses with rate_limited, daily_quota_exhausted or unavailable. */
export async function takeQuery(ctx: Context): Promise<void> {
  const settings = env();
  if (ctx.key) settle(await countQuery(keySubject(ctx.key.id), { minute: settings.LIMIT_KEY_MINUTE, day: settings.LIMIT_KEY_DAY }, ctx.now()), ctx);
  else if (ctx.address !== undefined) {
    settle(await countQuery(addressSubject(ctx.address), { minute: settings.LIMIT_ADDRESS_MINUTE, day: settings.LIMIT_ADDRESS_DAY }, ctx.now()), ctx);
  }
}

/** Takes a whole download from the key's minute and day. Refuses like takeQuery. */
export async function takeDownload(ctx: Context): Promise<void> {
  if (!ctx.key) throw new Error("a download is taken from a key");
  const settings = env();
  settle(await countDownload(keySubject(ctx.key.id), { minute: settings.LIMIT_DOWNLOAD_MINUTE, day: settings.LIMIT_DOWNLOAD_DAY }, ctx.now()), ctx);
}

function settle(state: LimitState, ctx: Context): void {
  showHeaders(state, ctx);
  enforce(state);
}

function showHeaders(state: LimitState, ctx: Context): void {
  for (const [name, value] of Object.entries(rateLimitHeaders(state))) ctx.replyHeaders.set(name, value);
}
