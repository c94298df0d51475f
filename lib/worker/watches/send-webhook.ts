import { createHmac } from "node:crypto";
import { newsPayload } from "@/lib/describe/news-payload";
import { ask, type Connecting } from "@/lib/sources/connection";
import { retryAfter } from "@/lib/sources/read-source";
import { SourceFailure } from "@/lib/sources/source-failure";
import { isWebhookAddress } from "@/lib/sources/webhook-address";
import type { Attempted, ClaimedDelivery } from "@/lib/store/news/deliveries";
import { openWebhookKey } from "@/lib/vault/webhook-secrets";

/** How long a receiver may take to answer, and one that failed before. */
const HEAD_MS = 10_000;
const FAILING_HEAD_MS = 5_000;
const GONE = 410;

/** Sends a delivery once. Only the head of the reply is read, and no redirect is followed. */
export async function sendWebhook(
  { id, attempt, event, watch }: ClaimedDelivery,
  { connecting, base, signal }: { connecting: Connecting; base: string; signal: AbortSignal },
  now: Date,
): Promise<Attempted> {
  const { sealed, sealedWith } = watch;
  if (sealed === null || sealedWith === null) return failed(null, "The watch has no signing secret.");
  const url = new URL(watch.target);
  if (!isWebhookAddress(url, connecting)) return failed(null, `${url.host} is not a public https address.`);
  const body = newsPayload(event, base);
  const headers = webhookHeaders(openWebhookKey({ ...watch, sealed, sealedWith }), { id, attempt, body, now });
  const headMs = watch.failures > 0 ? FAILING_HEAD_MS : HEAD_MS;
  try {
    const reply = await ask(url, { method: "POST", headers, body }, { ...connecting, headMs }, signal);
    reply.destroy();
    const waits = retryAfter(reply.headers["retry-after"], reply.headers.date);
    return { ...judged(reply.statusCode ?? 0, url.host), retryAfterMs: waits };
  } catch (error) {
    if (error instanceof SourceFailure) return failed(null, failureText(error, url.host, headMs));
    throw error;
  }
}

const failed = (status: number | null, answer: string): Attempted => ({ outcome: "failed", status, answer });

function judged(status: number, host: string): Attempted {
  const answer = `${host} answered ${status}`;
  if (status >= 200 && status < 300) return { outcome: "arrived", status, answer: `${answer}.` };
  if (status === GONE) return { outcome: "gone", status, answer: `${answer}: it wants no more deliveries.` };
  if (status >= 300 && status < 400) return failed(status, `${answer}: redirects are not followed.`);
  return failed(status, `${answer}.`);
}

/** Describes a failure without revealing anything about our own network. */
function failureText({ code, message }: SourceFailure, host: string, headMs: number): string {
  if (code === "source_timeout") return `${host} did not answer within ${headMs / 1000} s.`;
  if (code === "source_refused") return `${host} is not a public https address, or its reply's head is too large.`;
  return message.startsWith("The TLS") ? message : `${host} could not be reached.`;
}

/**
 * The headers of Standard Webhooks: the message's id, which is the same in every attempt, the time of this attempt in
 * seconds, and an HMAC over both and the body. `webhook-attempt` is the number of this attempt.
 */
function webhookHeaders(
  key: Uint8Array,
  { id, attempt, body, now }: { id: string; attempt: number; body: string; now: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
    "webhook-attempt": String(attempt),
  };
}
