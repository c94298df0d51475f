import { baseUrl } from "@/lib/kernel/env";
import { type Mail, sendMail } from "@/lib/mail/mailer";
import type { Connecting } from "@/lib/sources/connection";
import { serviceConnecting } from "@/lib/sources/service-connecting";
import { isDatabaseDown } from "@/lib/store/database-failure";
import { type Attempted, type ClaimedDelivery, claimDelivery, settleDelivery } from "@/lib/store/deliveries";
import { sendEmail } from "./send-email";
import { sendWebhook } from "./send-webhook";
import { tellDisabled } from "./tell-disabled";

/** How deliveries leave the service. */
export interface Delivering {
  connecting: Connecting;
  base: string;
  signal: AbortSignal;
  send(mail: Mail): Promise<void>;
  /** Receives errors that are reported nowhere else. */
  onError(error: unknown): void;
}

/** The delivery channels, as this service is set up. */
export const serviceDelivering = (signal: AbortSignal, onError: Delivering["onError"]): Delivering => ({
  connecting: serviceConnecting(),
  base: baseUrl(),
  signal,
  send: sendMail,
  onError,
});

/** Makes one attempt at the delivery that has been due longest; false if none is due. */
export async function deliverNext(delivering: Delivering, now: () => Date): Promise<boolean> {
  if (delivering.signal.aborted) return false;
  const delivery = await claimDelivery(now());
  if (!delivery) return false;
  const attempted = await attempt(delivery, delivering, now());
  if (delivering.signal.aborted && attempted.outcome === "failed") return false; // the next worker tries again
  const { disabled } = await settleDelivery(delivery, attempted, now());
  if (disabled !== undefined) await tellDisabled(delivery.watch, disabled, delivering);
  return true;
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
