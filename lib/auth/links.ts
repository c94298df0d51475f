import { baseUrl } from "@/lib/kernel/env";
import { canMail, type Mail, sendMail } from "@/lib/mail/mailer";
import { passwordResetMail, verificationMail } from "@/lib/mail/messages";
import { insertToken } from "@/lib/store/people/one-time-tokens";
import { newToken, tokenHash } from "./one-time-token";

const HOUR_MS = 3_600_000;

const LINKS = {
  verify_email: { path: "/verify-email", lastsMs: 24 * HOUR_MS, mail: verificationMail },
  reset_password: { path: "/reset-password", lastsMs: HOUR_MS, mail: passwordResetMail },
} as const;

export type LinkPurpose = keyof typeof LINKS;

/**
 * A single-use link that verifies the person's address, for a day or an hour. The token is in the fragment, which
 * browsers do not send.
 */
export async function newLink(purpose: LinkPurpose, person: { id: string; email: string }, now: Date): Promise<string> {
  const token = newToken();
  const { path, lastsMs } = LINKS[purpose];
  const hash = tokenHash(token);
  if (!hash) throw new Error("a new token has the form of one");
  await insertToken({
    hash,
    purpose,
    email: person.email,
    userId: person.id,
    expiresAt: new Date(now.getTime() + lastsMs),
  });
  return `${baseUrl()}${path}#token=${token}`;
}

/** The email with such a link. */
export async function linkMail(purpose: LinkPurpose, person: { id: string; email: string }, now: Date): Promise<Mail> {
  return LINKS[purpose].mail(person.email, await newLink(purpose, person, now));
}

/** Sends such a link by email, if email is set up. */
export async function mailLink(purpose: LinkPurpose, person: { id: string; email: string }, now: Date): Promise<void> {
  if (canMail()) await sendMail(await linkMail(purpose, person, now));
}
