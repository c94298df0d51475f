import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { personOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { takeSecondStep } from "@/lib/access/quotas";
import { CHALLENGE_MS, confirmedCounter, requestOptions } from "@/lib/auth/passkey";
import { recoveryCodeHash } from "@/lib/auth/recovery-code";
import { fail, failWith } from "@/lib/kernel/errors";
import { canMail, sendMail } from "@/lib/mail/mailer";
import { recoveryCodeUsedMail } from "@/lib/mail/messages";
import { operation } from "@/lib/operations/operation";
import { done, doneSchema } from "@/lib/schemas/account";
import { challengeSchema, confirmedSchema } from "@/lib/schemas/passkey";
import { inBackground } from "@/lib/store/background";
import {
  confirmWithPasskey,
  confirmWithRecoveryCode,
  listPasskeys,
  setChallenge,
  takeChallenge,
} from "@/lib/store/people/passkeys";

const confirmationOf = (ctx: Context) => {
  const { id: sessionId, userId } = personOf(ctx);
  return { sessionId, userId, at: ctx.now() };
};

/** POST for the options with which a browser asks for a passkey. */
export const beginSecondStep = operation({
  name: "begin_second_step",
  summary: "Begin to confirm a sign-in",
  description: "Returns WebAuthn's options for the browser, valid once and for five minutes.",
  access: "second_step",
  quota: "account",
  http: { method: "POST", path: "/api/account/second-step/challenge" },
  input: {},
  output: challengeSchema,
  errors: ["conflict"],
  async run(_input, ctx) {
    const { id, userId } = personOf(ctx);
    const passkeys = await listPasskeys(userId);
    if (passkeys.length === 0) throw fail("conflict", { message: "This account has no passkey. Sign in again." });
    const options = await requestOptions(passkeys);
    await setChallenge(id, options.challenge, new Date(ctx.now().getTime() + CHALLENGE_MS));
    return { schema_version: "service-passkey-challenge.v1" as const, options: { ...options } };
  },
});

/** POST the answer of an authenticator: the session is signed in. */
export const finishSecondStep = operation({
  name: "finish_second_step",
  summary: "Confirm a sign-in with a passkey",
  description:
    "Takes the browser's answer to the options. The session is then signed in, or has confirmed again who the person " +
    "is.",
  access: "second_step",
  quota: "account",
  http: { method: "POST", path: "/api/account/second-step" },
  input: { body: z.strictObject({ response: confirmedSchema }) },
  output: doneSchema,
  errors: ["invalid_value", "conflict", "daily_quota_exhausted"],
  async run({ body }, ctx) {
    const { id, userId } = personOf(ctx);
    await takeSecondStep(userId, ctx);
    const challenge = await takeChallenge(id, ctx.now());
    const passkey = (await listPasskeys(userId)).find(({ credentialId }) => credentialId === body.response.id);
    if (!challenge || !passkey) throw wrongPasskey();
    const counter = await confirmedCounter(body.response as AuthenticationResponseJSON, challenge, passkey);
    if (counter === undefined) throw wrongPasskey();
    const isDone = await confirmWithPasskey(confirmationOf(ctx), { id: passkey.id, counter }, authorOf(ctx));
    if (!isDone) throw wrongPasskey();
    return done("confirmed");
  },
});

const wrongPasskey = () =>
  fail("conflict", { message: "This passkey’s answer is late, or it is not a passkey of this account. Try again." });

/** POST a recovery code instead: the session is signed in. */
export const useRecoveryCode = operation({
  name: "use_recovery_code",
  summary: "Confirm a sign-in with a recovery code",
  description: "Takes one of the account's recovery codes. Each works once; the person is notified by email.",
  access: "second_step",
  quota: "account",
  http: { method: "POST", path: "/api/account/second-step/recovery-code" },
  input: { body: z.strictObject({ code: z.string().max(100).describe("A recovery code.") }) },
  output: doneSchema,
  errors: ["invalid_value", "daily_quota_exhausted"],
  async run({ body }, ctx) {
    const { userId, email } = personOf(ctx);
    await takeSecondStep(userId, ctx); // counted before it is compared
    const hash = recoveryCodeHash(body.code);
    const left = hash && (await confirmWithRecoveryCode(confirmationOf(ctx), hash, authorOf(ctx)));
    if (left === undefined) {
      const message = "This code is wrong or was used before. Enter another of your recovery codes.";
      throw failWith([{ pointer: "/code", code: "invalid_value", message }]);
    }
    if (canMail()) inBackground(sendMail(recoveryCodeUsedMail(email, left)), ctx.onBackgroundError);
    return done("confirmed");
  },
});
