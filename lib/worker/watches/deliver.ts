import { baseUrl } from "@/lib/kernel/env";
import { type Mail, sendMail } from "@/lib/mail/mailer";
import type { WatchChannel } from "@/lib/schemas/watch";
import { type Connecting, newAgents } from "@/lib/sources/connection";
import { serviceConnecting } from "@/lib/sources/service-connecting";
import { isDatabaseDown } from "@/lib/store/database-failure";
import {
  type Attempted,
  type ClaimedDelivery,
  claimDelivery,
  releaseTurn,
  settleDelivery,
} from "@/lib/store/deliveries";
import { sendEmail } from "./send-email";
import { sendWebhook } from "./send-webhook";
import { tellDisabled } from "./tell-disabled";

/** Attempts of a worker at the same time. A workspace has one of each channel, whatever is free. */
export const LANES = { webhook: 16, email: 4 } as const satisfies Record<WatchChannel, number>;

/** How deliveries leave the service. */
export interface Delivering {
  connecting: Connecting;
  base: string;
  signal: AbortSignal;
  send(mail: Mail): Promise<void>;
  /** Receives errors that are reported nowhere else. */
  onError(error: unknown): void;
}

/** The delivery channels, as this service is set up. Their connections are their own: sources wait for none of them. */
export const serviceDelivering = (signal: AbortSignal, onError: Delivering["onError"]): Delivering => ({
  connecting: { ...serviceConnecting(), agents: newAgents(LANES.webhook) },
  base: baseUrl(),
  signal,
  send: sendMail,
  onError,
});

/** Makes one attempt at a delivery of the channel, for the workspace whose turn it is; false if none is due. */
export async function deliverNext(channel: WatchChannel, delivering: Delivering, now: () => Date): Promise<boolean> {
  if (delivering.signal.aborted) return false;
  const delivery = await claimDelivery(channel, now());
  if (!delivery) return false;
  try {
    const attempted = await attempt(delivery, delivering, now());
    if (delivering.signal.aborted && attempted.outcome === "failed") return false; // the next worker tries again
    const { disabled } = await settleDelivery(delivery, attempted, now());
    if (disabled !== undefined) await tellDisabled(delivery.watch, disabled, delivering);
    return true;
  } finally {
    await releaseTurn(delivery);
  }
}

async function attempt(delivery: ClaimedDelivery, delivering: Delivering, now: Date): Promise<Attempted> {
  try {
    if (delivery.watch.channel === "email") return await sendEmail(delivery, delivering);
    return await sendWebhook(delivery, delivering, now);
  } catch (error) {
    if (isDatabaseDown(error)) throw error;
    delivering.onError(error);
    return {
      outcome: "failed",
      status: null,
      answer: "The service failed. The administrator can find the cause in the log.",
    };
  }
}
