import { earlierPage, newsPage } from "@/lib/describe/news-payload";
import { newsText } from "@/lib/describe/news-text";
import { baseUrl } from "@/lib/kernel/env";
import { canMail, type Mail, sendMail } from "@/lib/mail/mailer";
import { disabledWatchMail, newsMail } from "@/lib/mail/messages";
import type { WatchChannel } from "@/lib/schemas/watch";
import { type Connecting, newAgents } from "@/lib/sources/connection";
import { serviceConnecting } from "@/lib/sources/service-connecting";
import {
  type Attempted,
  type ClaimedDelivery,
  claimDelivery,
  releaseTurn,
  settleDelivery,
} from "@/lib/store/news/deliveries";
import { listMembers } from "@/lib/store/people/members";
import { isDatabaseDown } from "@/lib/store/postgres/database-failure";
import { sendWebhook } from "./send-webhook";

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
    if (disabled !== undefined) await notifyDisabled(delivery.watch, disabled, delivering);
    return true;
  } finally {
    await releaseTurn(delivery);
  }
}

/** What a view's result was is not for those who may no longer read its table. */
const WITHHELD: Attempted = {
  outcome: "withheld",
  status: null,
  answer: "Not sent: the table of the view can no longer be read.",
};

async function attempt(delivery: ClaimedDelivery, delivering: Delivering, now: Date): Promise<Attempted> {
  if (delivery.event.kind === "view_changed" && !delivery.watch.mayRead) return WITHHELD;
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

/** Sends a delivery by email once. The message's id is the same in every attempt. */
async function sendEmail(
  { id, attempt, event, watch }: ClaimedDelivery,
  { base, send }: { base: string; send(mail: Mail): Promise<void> },
): Promise<Attempted> {
  if (watch.email === null)
    return {
      outcome: "gone",
      status: null,
      answer: "The recipient left the workspace, or has no confirmed email address.",
    };
  if (!canMail()) return { outcome: "failed", status: null, answer: "Email is not set up on this service." };
  const links = {
    page: newsPage(event, base),
    earlier: earlierPage(event, base),
    settings: `${base}/settings/watches`,
  };
  const messageId = `<${id}@${new URL(base).hostname}>`;
  try {
    await send({ ...newsMail(watch.email, newsText(event), links, attempt), messageId });
    return { outcome: "arrived", status: null, answer: "The mail server accepted it." };
  } catch {
    return { outcome: "failed", status: null, answer: "The mail server did not accept it." };
  }
}

/** Tells owners by email that a webhook was disabled. The watches page shows it in any case. */
async function notifyDisabled(
  { workspaceId, channel, target }: ClaimedDelivery["watch"],
  reason: string,
  { base, send }: { base: string; send(mail: Mail): Promise<void> },
): Promise<void> {
  if (channel !== "webhook" || !canMail()) return;
  const owners = (await listMembers(workspaceId)).filter(({ role }) => role === "owner");
  const about = { host: new URL(target).host, reason };
  for (const { email } of owners)
    await send(disabledWatchMail(email, about, `${base}/settings/watches`)).catch(() => undefined); // the page shows it
}
