import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import type { Context } from "@/lib/access/context";
import { takeMail, takeSignUp } from "@/lib/access/quotas";
import { mailLink } from "@/lib/auth/links";
import { hashPassword } from "@/lib/auth/password";
import { newPasswordSchema, passwordFault } from "@/lib/auth/password-rule";
import { env } from "@/lib/kernel/env";
import { fail, failWith } from "@/lib/kernel/errors";
import { canMail, sendMail } from "@/lib/mail/mailer";
import { alreadySignedUpMail } from "@/lib/mail/messages";
import { operation } from "@/lib/operations/operation";
import { done, doneSchema, emailSchema, personNameSchema } from "@/lib/schemas/account";
import { inBackground } from "@/lib/store/background";
import { createPerson, type NewPerson } from "@/lib/store/people/people";

const bodySchema = z.strictObject({
  email: emailSchema,
  password: newPasswordSchema,
  name: personNameSchema.optional(),
});

/** POST an address and a password: an account with a personal workspace. */
export const signUp = operation({
  name: "sign_up",
  summary: "Sign up",
  description:
    "Creates an account with a personal workspace. If the service can send email, the response is the same whether " +
    "or not the address has an account, and the account becomes active once the address is confirmed.",
  access: "visitor",
  quota: "catalogue",
  http: { method: "POST", path: "/api/account/sign-up", status: 202 },
  input: { body: bodySchema },
  output: doneSchema,
  errors: ["invalid_value", "conflict", "daily_quota_exhausted"],
  async run({ body }, ctx) {
    requirePasswords();
    await takeSignUp(ctx);
    await rejectWeak(body.password, [body.email, ...body.email.split(/[@.+_-]/), ...(body.name?.split(/\s+/) ?? [])]);
    // in any case: if only some sign-ups were counted, the count would reveal which
    if (canMail()) await takeMail(body.email, ctx);
    const passwordHash = await hashPassword(body.password);
    const wanted = { email: body.email, name: body.name ?? null, passwordHash };
    if (canMail()) {
      // not awaited: the time it takes would reveal which
      inBackground(signUpWithEmail(wanted, ctx), ctx.onBackgroundError);
      return done("check_mail");
    }
    const person = await createPerson(wanted, authorOf(ctx));
    if (!person)
      throw fail("conflict", {
        message:
          "This address cannot be used to sign up. If it is yours, sign in, or ask the administrator for a link to " +
          "set a " +
          "password.",
      });
    return done("created");
  },
});

/** Rejects calls about passwords if people sign in with identity providers only. */
export function requirePasswords(): void {
  if (env().SIGN_IN_PROVIDERS_ONLY)
    throw fail("conflict", {
      message: "This service has no passwords. Sign in at /sign-in with an identity provider.",
    });
}

/** Rejects passwords that are easy to guess, with the reason. */
export async function rejectWeak(password: string, personal: readonly string[], pointer = "/password"): Promise<void> {
  const message = await passwordFault(password, personal);
  if (message) throw failWith([{ pointer, code: "invalid_value", message }]);
}

async function signUpWithEmail(wanted: NewPerson, ctx: Context): Promise<void> {
  const { email } = wanted;
  const person = await createPerson(wanted, authorOf(ctx));
  if (person) return mailLink("verify_email", person, ctx.now());
  await sendMail(alreadySignedUpMail(email, `${ctx.baseUrl}/sign-in`));
}
