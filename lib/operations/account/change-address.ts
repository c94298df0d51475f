import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { personOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { takeMail, takeOwnPassword } from "@/lib/access/quotas";
import { newToken, tokenHash } from "@/lib/auth/one-time-token";
import { verifyPassword } from "@/lib/auth/password";
import { fail, failWith } from "@/lib/kernel/errors";
import { canMail, sendMail } from "@/lib/mail/mailer";
import { addressChangedMail, addressCodeMail, addressTakenMail } from "@/lib/mail/messages";
import { operation } from "@/lib/operations/operation";
import { done, doneSchema, emailSchema, tokenSchema } from "@/lib/schemas/account";
import { inBackground } from "@/lib/store/background";
import { changeAddress as change } from "@/lib/store/people/change-address";
import { dropTokens, findToken, insertToken, takeToken } from "@/lib/store/people/one-time-tokens";
import { findPassword, findPerson } from "@/lib/store/people/people";

const CODE_LASTS_MS = 3_600_000;

const addressBodySchema = z.strictObject({ email: emailSchema, password: z.string().max(1024) });
const codeBodySchema = z.strictObject({ code: tokenSchema.describe("The code that was emailed to the new address.") });

/**
 * POST a new address and the password: the address changes at once, or a code that changes it is emailed to the new
 * address.
 */
export const changeAddress = operation({
  name: "change_address",
  summary: "Change your email address",
  description:
    "Requires the password. If the service can send email, a code is sent to the new address, valid for an hour, and " +
    "the address changes when it is sent back (`check_mail`); the response is the same whether or not the address " +
    "has an account. Without email it changes at once (`changed`), unconfirmed.",
  access: "account",
  quota: "account",
  http: { method: "POST", path: "/api/account/address", status: 202 },
  input: { body: addressBodySchema },
  output: doneSchema,
  errors: ["invalid_value", "conflict", "daily_quota_exhausted"],
  async run({ body }, ctx) {
    const { userId, email } = personOf(ctx);
    await requirePassword(userId, email, body.password, ctx);
    if (body.email === email) throw faultAt("/email", "This is already your address.");
    if (canMail()) {
      await takeMail(body.email, ctx);
      // not awaited: the time would reveal whether there is an account
      inBackground(mailCode(userId, body.email, ctx), ctx.onBackgroundError);
      return done("check_mail");
    }
    if (!(await change(userId, { email: body.email, verified: false }, authorOf(ctx)))) throw taken();
    return done("changed");
  },
});

/** POST the code that was emailed to the new address, which then becomes the account's. */
export const confirmNewAddress = operation({
  name: "confirm_address_change",
  summary: "Confirm your new email address",
  description:
    "Takes the single-use code that was emailed to the new address. Links that were sent to the old address stop " +
    "working, and it is notified of the change.",
  access: "account",
  quota: "account",
  http: { method: "POST", path: "/api/account/address/confirmation" },
  input: { body: codeBodySchema },
  output: doneSchema,
  errors: ["invalid_value", "conflict"],
  async run({ body }, ctx) {
    const { userId, email: old } = personOf(ctx);
    const hash = tokenHash(body.code.trim());
    const seen = hash && (await findToken(hash, "change_address", ctx.now()));
    if (!hash || seen?.userId !== userId) throw badCode();
    const token = await takeToken(hash, "change_address", ctx.now());
    if (!token) throw badCode();
    if (!(await change(userId, { email: token.email, verified: true }, authorOf(ctx)))) throw taken();
    if (canMail()) inBackground(sendMail(addressChangedMail(old)), ctx.onBackgroundError);
    return done("changed");
  },
});

async function requirePassword(userId: string, email: string, password: string, ctx: Context): Promise<void> {
  await takeOwnPassword(userId, ctx); // a stolen session must not be used to guess the password
  const hash = (await findPassword(email))?.passwordHash;
  if (!hash) throw fail("conflict", { message: "Set a password first: this change requires one." });
  if (!(await verifyPassword(password, hash)))
    throw faultAt("/password", "The password is wrong. Enter your current password.");
}

/** The code goes to the new address; an address that already has an account is told so. */
async function mailCode(userId: string, email: string, ctx: Context): Promise<void> {
  if (await findPerson(email)) return await sendMail(addressTakenMail(email, `${ctx.baseUrl}/sign-in`));
  const code = newToken();
  const hash = tokenHash(code);
  if (!hash) throw new Error("a new token is malformed");
  await dropTokens(userId, "change_address");
  const expiresAt = new Date(ctx.now().getTime() + CODE_LASTS_MS);
  await insertToken({ hash, purpose: "change_address", email, userId, expiresAt });
  await sendMail(addressCodeMail(email, code));
}

const faultAt = (pointer: string, message: string) => failWith([{ pointer, code: "invalid_value", message }]);
const badCode = () => faultAt("/code", "This code is wrong, was used or has expired. Request a new one.");
const taken = () => fail("conflict", { message: "This address cannot be used. Choose another one." });
