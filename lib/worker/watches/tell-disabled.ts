import { canMail, type Mail } from "@/lib/mail/mailer";
import { disabledWatchMail } from "@/lib/mail/messages";
import type { ClaimedDelivery } from "@/lib/store/deliveries";
import { listMembers } from "@/lib/store/members";

/** Tells owners by email that a webhook was disabled. The watches page shows it in any case. */
export async function tellDisabled(
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
