import type { Mail } from "./mailer";

const SIGNED = "\n\n--\nParquetry";

const mail = (to: string, subject: string, paragraphs: readonly string[]): Mail => ({
  to,
  subject,
  text: `${paragraphs.join("\n\n")}${SIGNED}\n`,
});

export const verificationMail = (to: string, link: string): Mail =>
  mail(to, "Confirm your address", [
    "Somebody signed up at Parquetry with this address. If that was you, confirm it here within a day:",
    link,
    "If it was not you, do nothing: without the confirmation nobody can use the account.",
  ]);

export const alreadySignedUpMail = (to: string, signInLink: string): Mail =>
  mail(to, "You have an account already", [
    "Somebody, perhaps you, signed up at Parquetry with this address, which has an account already. Sign in " +
      "here; if you forgot the password, ask there for a new one:",
    signInLink,
    "If it was not you, do nothing: nothing was changed.",
  ]);

export const passwordResetMail = (to: string, link: string): Mail =>
  mail(to, "Set a new password", [
    "Somebody asked to set a new password for your account at Parquetry. If that was you, do it here within an hour:",
    link,
    "It ends all sessions. If it was not you, do nothing: the old password stays.",
  ]);

export const signInMail = (to: string, link: string): Mail =>
  mail(to, "Your link to sign in", [
    "Open this link within 15 minutes to sign in to Parquetry:",
    link,
    "If you did not ask for it, do nothing.",
  ]);

export const invitationMail = (to: string, workspace: string, invitedBy: string, link: string): Mail =>
  mail(to, `An invitation to the workspace ${oneLine(workspace)}`, [
    `${invitedBy} invites you to the workspace "${oneLine(workspace)}" at Parquetry. Accept within a week:`,
    link,
    "If you do not know them, do nothing.",
  ]);

/** A name that people chose, without what could break a header or the text's layout. */
const oneLine = (text: string): string => text.replace(/\s+/g, " ").slice(0, 100);
