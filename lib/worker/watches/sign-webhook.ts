import { createHmac } from "node:crypto";

/**
 * The headers of Standard Webhooks: the message's id, which is the same in every attempt, the time of this attempt in
 * seconds, and an HMAC over both and the body. `webhook-attempt` is the number of this attempt.
 */
export function webhookHeaders(
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
