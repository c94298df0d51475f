import type { Transporter } from "nodemailer";
import { env } from "@/lib/kernel/env";
import { processWide } from "@/lib/kernel/process-wide";

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Set where the same message may be sent twice. */
  messageId?: string;
}

const TIMEOUT_MS = 15_000;

/** Whether email can be sent at all. If not, the administrator's command prints the links. */
export const canMail = (): boolean => env().SMTP_URL !== undefined;

/** Sends one email; rejects if the server does not accept it. */
export async function sendMail(mail: Mail): Promise<void> {
  const { SMTP_URL, MAIL_FROM } = env();
  if (SMTP_URL === undefined) throw new Error("SMTP_URL is not set");
  const transport = await processWide<Promise<Transporter>>("mail", async () => {
    const { createTransport } = await import("nodemailer"); // loaded on first use: few processes send email
    return createTransport(SMTP_URL, {
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    } as never);
  });
  await transport.sendMail({ ...mail, from: MAIL_FROM, headers: { "Auto-Submitted": "auto-generated" } });
}
