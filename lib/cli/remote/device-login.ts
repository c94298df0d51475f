import { z } from "zod";
import { COMMAND_LINE, DEVICE_CODE_GRANT } from "@/lib/oauth/command-line-client";
import type { Scope } from "@/lib/oauth/scopes";
import { CommandError } from "./command-error";
import type { Endpoints } from "./endpoints";
import { postForm, type RemoteReply, unexpected } from "./remote-service";

/** Bounds on what a service can request: the maximum wait, and the minimum pause between polls. */
const HOUR_SECONDS = 3_600;
const TEN_YEARS_SECONDS = 315_360_000;

const begunSchema = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.number().min(1).max(HOUR_SECONDS),
  interval: z.number().min(1).max(HOUR_SECONDS).default(5),
});
export type BegunLogin = z.output<typeof begunSchema>;

const credentialSchema = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,1000}$/), // sent as a header without encoding
  expires_in: z.number().min(1).max(TEN_YEARS_SECONDS),
  scope: z.string(),
});
export type Credential = z.output<typeof credentialSchema>;

const SLOWER_SECONDS = 5;
const BACK_OFF_MAX_SECONDS = 60;

/** Requests a code from a service for its person to type (RFC 8628, 3.1). */
export async function beginLogin(
  { device_authorization_endpoint: url }: Endpoints,
  deviceName: string,
  scopes: readonly Scope[],
): Promise<BegunLogin> {
  const form = { client_id: COMMAND_LINE.id, scope: scopes.join(" "), device_name: deviceName };
  const reply = await postForm(url, form);
  const parsed = begunSchema.safeParse(reply.json);
  if (reply.status !== 200 || !parsed.success) throw unexpected(reply, "Signing in");
  return parsed.data;
}

/** The clock; tests do not wait. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

const CLOCK: Clock = { now: () => performance.now(), sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) };

/**
 * Polls until the person has answered (RFC 8628, 3.4 and 3.5), never faster than the service allows; keeps polling if
 * the service is briefly unreachable.
 */
export async function awaitCredential(
  { token_endpoint: url }: Endpoints,
  begun: BegunLogin,
  clock: Clock = CLOCK,
): Promise<Credential> {
  const end = clock.now() + begun.expires_in * 1000;
  let interval = begun.interval;
  for (;;) {
    await clock.sleep(interval * 1000);
    const outcome = await askOnce(url, begun.device_code);
    if (typeof outcome === "object") return outcome;
    if (outcome === "slow_down") interval += SLOWER_SECONDS;
    if (outcome === "away") interval = Math.min(interval * 2, Math.max(interval, BACK_OFF_MAX_SECONDS));
    if (clock.now() >= end) throw new CommandError(EXPIRED, "notSignedIn");
  }
}

const EXPIRED = "The code has expired. Run parquetry login again.";
const REJECTED = "The request was denied. Nothing was stored.";

async function askOnce(url: string, code: string): Promise<Credential | "pending" | "slow_down" | "away"> {
  let reply: RemoteReply;
  try {
    reply = await postForm(url, { grant_type: DEVICE_CODE_GRANT, client_id: COMMAND_LINE.id, device_code: code });
  } catch (error) {
    if (error instanceof CommandError) return "away";
    throw error;
  }
  if (reply.status >= 500 || reply.status === 429) return "away";
  const { error } = (reply.json ?? {}) as { error?: string };
  if (error === "authorization_pending") return "pending";
  if (error === "slow_down") return "slow_down";
  if (error === "access_denied") throw new CommandError(REJECTED, "notSignedIn");
  if (error === "expired_token") throw new CommandError(EXPIRED, "notSignedIn");
  const parsed = credentialSchema.safeParse(reply.json);
  if (reply.status !== 200 || !parsed.success) throw unexpected(reply, "Signing in");
  return parsed.data;
}
