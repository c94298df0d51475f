import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import type { Context } from "@/lib/access/context";
import { takeMail, takeOwnPassword } from "@/lib/access/quotas";
import { type LinkPurpose, mailLink } from "@/lib/auth/links";
import { tokenHash } from "@/lib/auth/one-time-token";
import { hashPassword, verifyPassword } from "@/lib/auth/password";
import { newPasswordSchema } from "@/lib/auth/password-rule";
import { fail, failWith } from "@/lib/kernel/errors";
import { canMail } from "@/lib/mail/mailer";
import { operation } from "@/lib/operations/operation";
import { done, doneSchema, emailSchema, tokenSchema } from "@/lib/schemas/account";
import { findToken, takeToken } from "@/lib/store/people/one-time-tokens";
import { findPassword, findPerson, setPassword, verifyEmail } from "@/lib/store/people/people";
import { rejectWeak, requirePasswords } from "./sign-up";

const mailBodySchema = z.strictObject({ email: emailSchema });
const confirmBodySchema = z.strictObject({
  token: tokenSchema,
  password: z.string().max(1024).describe("The password chosen at sign-up."),
});
const passwordBodySchema = z.strictObject({ token: tokenSchema, password: newPasswordSchema });

/** What requests of emailed links have in common: the reply never reveals whether an address has an account. */
const LINK_REQUEST = {
  description:
    "The response is the same whether or not the email address has an account. Returns `ask_operator` if the " +
    "service cannot send email.",
  access: "visitor",
  quota: "catalogue",
  input: { body: mailBodySchema },
  output: doneSchema,
  errors: ["invalid_value", "conflict", "daily_quota_exhausted"],
} as const;

/**
 * POST an address: an email with a link to set a new password, if it has an account; the reply does not reveal whether.
 */
export const requestPasswordReset = operation({
  name: "request_password_reset",
  summary: "Request a password reset link",
  ...LINK_REQUEST,
  http: { method: "POST", path: "/api/account/password-reset", status: 202 },
  async run({ body }, ctx) {
    requirePasswords();
    return mailTo(body.email, "reset_password", ctx);
  },
});

/** POST an address: the email to confirm it again, if it is still unconfirmed; the reply does not reveal whether. */
export const requestVerification = operation({
  name: "request_verification",
  summary: "Request a new confirmation link",
  ...LINK_REQUEST,
  http: { method: "POST", path: "/api/account/verification-mail", status: 202 },
  run: ({ body }, ctx) => mailTo(body.email, "verify_email", ctx),
});

async function mailTo(email: string, purpose: LinkPurpose, ctx: Context) {
  await takeMail(email, ctx);
  if (!canMail()) return done("ask_operator");
  // not awaited: the time would reveal whether there is an account
  mailIfWanted(email, purpose, ctx).catch(ctx.onBackgroundError);
  return done("check_mail");
}

async function mailIfWanted(email: string, purpose: LinkPurpose, ctx: Context): Promise<void> {
  const person = await findPerson(email);
  if (!person || person.disabledAt || (purpose === "verify_email" && person.emailVerified)) return;
  await mailLink(purpose, person, ctx.now());
}

const badToken = () =>
  fail("invalid_request", { message: "This link has been used, has expired or is incomplete. Request a new one." });

/** The stored hash of a password; undefined for an account without one. Rejects any other password. */
async function proveChosen(email: string, userId: string, password: string, ctx: Context): Promise<string | undefined> {
  await takeOwnPassword(userId, ctx); // the link must not be used to guess it
  const passwordHash = (await findPassword(email))?.passwordHash ?? undefined;
  if (!passwordHash || (await verifyPassword(password, passwordHash))) return passwordHash;
  const message =
    "Wrong password. Enter the password you chose at sign-up; if you did not choose one, set a new password.";
  throw failWith([{ pointer: "/password", code: "invalid_value", message }]);
}

/** POST the token of a link and the account's password: the address is confirmed. */
export const confirmAddress = operation({
  name: "verify_email",
  summary: "Confirm an email address",
  description:
    "Takes the single-use token emailed at sign-up, valid for a day, and the account's password. The password " +
    "proves that the person who confirms is the person who signed up.",
  access: "visitor",
  quota: "catalogue",
  http: { method: "POST", path: "/api/account/email-verification" },
  input: { body: confirmBodySchema },
  output: doneSchema,
  errors: ["invalid_value", "daily_quota_exhausted"],
  async run({ body }, ctx) {
    const hash = tokenHash(body.token);
    const seen = hash && (await findToken(hash, "verify_email", ctx.now()));
    if (!hash || !seen?.userId) throw badToken();
    const provenHash = await proveChosen(seen.email, seen.userId, body.password, ctx);
    const token = await takeToken(hash, "verify_email", ctx.now());
    if (!token?.userId) throw badToken();
    await verifyEmail(token.userId, { ...authorOf(ctx), userId: token.userId }, { provenHash });
    return done("verified");
  },
});

/** POST the token of a link and a new password. */
export const resetPassword = operation({
  name: "reset_password",
  summary: "Set a new password with a reset link",
  description: "Takes the single-use token that was emailed, valid for an hour. Every session of the account ends.",
  access: "visitor",
  quota: "catalogue",
  http: { method: "POST", path: "/api/account/password" },
  input: { body: passwordBodySchema },
  output: doneSchema,
  errors: ["invalid_value", "conflict"],
  async run({ body }, ctx) {
    requirePasswords();
    const hash = tokenHash(body.token);
    const seen = hash && (await findToken(hash, "reset_password", ctx.now()));
    if (!hash || !seen) throw badToken();
    await rejectWeak(body.password, [seen.email, ...seen.email.split(/[@.+_-]/)]); // checked before the link is used up
    const passwordHash = await hashPassword(body.password);
    const token = await takeToken(hash, "reset_password", ctx.now());
    if (!token?.userId) throw badToken();
    const author = { ...authorOf(ctx), userId: token.userId };
    await verifyEmail(token.userId, author, {});
    await setPassword(token.userId, passwordHash, author);
    return done("password_set");
  },
});
