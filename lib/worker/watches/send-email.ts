import { newsPage } from "@/lib/describe/news-payload";
import { newsWords } from "@/lib/describe/news-words";
import { canMail, type Mail } from "@/lib/mail/mailer";
import { newsMail } from "@/lib/mail/messages";
import type { Attempted, ClaimedDelivery } from "@/lib/store/deliveries";

/** Sends a delivery by email once. The message's id is the same in every attempt. */
export async function sendEmail(
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
  const links = { page: newsPage(event, base), settings: `${base}/settings/watches` };
  const messageId = `<${id}@${new URL(base).hostname}>`;
  try {
    await send({ ...newsMail(watch.email, newsWords(event), links, attempt), messageId });
    return { outcome: "arrived", status: null, answer: "The mail server accepted it." };
  } catch {
    return { outcome: "failed", status: null, answer: "The mail server did not accept it." };
  }
}
