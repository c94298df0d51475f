import type { Mail } from "./mailer";

const SIGNED = "\n\n--\nParquetry";

const mail = (to: string, subject: string, paragraphs: readonly string[]): Mail => ({
  to,
  subject,
  text: `${paragraphs.join("\n\n")}${SIGNED}\n`,
});

export const verificationMail = (to: string, link: string): Mail =>
  mail(to, "Confirm your email address", [
    "Someone signed up for Parquetry with this email address. If that was you, confirm it within a day:",
    link,
    "If it was not you, ignore this email. Without confirmation, nobody can use the account.",
  ]);

export const alreadySignedUpMail = (to: string, signInLink: string): Mail =>
  mail(to, "You already have an account", [
    "Someone, perhaps you, signed up for Parquetry with this email address, which already has an account. Sign in " +
      "here. If you forgot your password, you can reset it there:",
    signInLink,
    "If it was not you, ignore this email. Nothing was changed.",
  ]);

export const passwordResetMail = (to: string, link: string): Mail =>
  mail(to, "Set a new password", [
    "Someone requested a password reset for your Parquetry account. If that was you, set a new password within an " +
      "hour:",
    link,
    "A new password ends all your sessions. If it was not you, ignore this email. Your password remains unchanged.",
  ]);

export const addressCodeMail = (to: string, code: string): Mail =>
  mail(to, "Your new email address", [
    "Someone asked to use this email address for their Parquetry account. If that was you, enter this code under " +
      "Settings, Account within an hour:",
    code,
    "If it was not you, ignore this email. Nothing was changed.",
  ]);

export const addressTakenMail = (to: string, signInLink: string): Mail =>
  mail(to, "This address has an account", [
    "Someone, perhaps you, asked to use this email address for another Parquetry account, but it already has " +
      "an account. Sign in here:",
    signInLink,
    "If it was not you, ignore this email. Nothing was changed.",
  ]);

export const addressChangedMail = (to: string): Mail =>
  mail(to, "Your email address was changed", [
    "The email address of your Parquetry account was changed. You can no longer sign in with this one.",
    "If it was not you, contact the administrator of the service immediately.",
  ]);

const IF_NOT_YOU = "If it was not you, contact the administrator of the service immediately.";

export const passkeyAddedMail = (to: string, name: string): Mail =>
  mail(to, "A passkey was added", [
    `The passkey "${oneLine(name)}" was added to your Parquetry account. From now on it confirms your sign-ins.`,
    IF_NOT_YOU,
  ]);

export const passkeyRemovedMail = (to: string, name: string): Mail =>
  mail(to, "A passkey was removed", [
    `The passkey "${oneLine(name)}" was removed from your Parquetry account and no longer confirms your sign-ins.`,
    IF_NOT_YOU,
  ]);

export const recoveryCodesReplacedMail = (to: string): Mail =>
  mail(to, "Your recovery codes were replaced", [
    "Ten new recovery codes were made for your Parquetry account. The earlier ones no longer work.",
    IF_NOT_YOU,
  ]);

export const recoveryCodeUsedMail = (to: string, left: number): Mail =>
  mail(to, "A recovery code was used", [
    "Someone signed in to your Parquetry account with a recovery code instead of a passkey. " +
      `${left === 1 ? "1 code is" : `${left} codes are`} left.`,
    "If you have lost your passkeys, remove them under Settings, Account, and replace the codes there.",
    IF_NOT_YOU,
  ]);

export const signInMail = (to: string, link: string): Mail =>
  mail(to, "Your sign-in link", [
    "Open this link within 15 minutes to sign in to Parquetry:",
    link,
    "If you did not request it, ignore this email.",
  ]);

export const invitationMail = (to: string, workspace: string, invitedBy: string, link: string): Mail =>
  mail(to, `Invitation to the workspace ${oneLine(workspace)}`, [
    `${invitedBy} invited you to the workspace "${oneLine(workspace)}" on Parquetry. Accept within a week:`,
    link,
    "If you do not know them, ignore this email.",
  ]);

/** Everything except `title` is worded by the service. No text written by an agent is included. */
export const approvalMail = (
  to: string,
  { title, asker, decides, expires }: { title: string; asker: string; decides: string; expires: string },
  link: string,
): Mail =>
  mail(to, `Approval requested: ${oneLine(title)}`, [
    `${asker} requests approval to ${decides} of the dataset "${oneLine(title)}" on Parquetry. See what it reads, ` +
      "makes and changes, and decide by " +
      `${expires}:`,
    link,
    "Nothing happens until a member of the workspace decides there.",
  ]);

/** News that a person asked for. `attempt` is above 1 where it may have arrived before. */
export const newsMail = (
  to: string,
  { subject, sentences }: { subject: string; sentences: readonly string[] },
  { page, earlier, settings }: { page: string; earlier: string | undefined; settings: string },
  attempt: number,
): Mail =>
  mail(to, oneLine(subject), [
    ...sentences,
    ...(earlier === undefined ? [page] : [`Now: ${page}`, `Before: ${earlier}`]),
    ...(attempt > 1 ? ["This is another attempt to deliver this message. You may already have received it."] : []),
    `You receive this email because you subscribed to news. Change or cancel it at ${settings}`,
  ]);

export const disabledWatchMail = (
  to: string,
  { host, reason }: { host: string; reason: string },
  settings: string,
): Mail =>
  mail(to, "A webhook was disabled", [
    `News can no longer be sent to the webhook at ${host}: ${reason}`,
    "Nothing more is sent there until someone enables it again. See what was not delivered, and enable it, at:",
    settings,
  ]);

/** A name that people chose, without what could break a header or the text's layout. */
const oneLine = (text: string): string => text.replace(/\s+/g, " ").slice(0, 100);
