import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { personOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { takeOwnPassword } from "@/lib/access/quotas";
import { CHALLENGE_MS, canPasskey, createdPasskey, creationOptions } from "@/lib/auth/passkey";
import { verifyPassword } from "@/lib/auth/password";
import { newRecoveryCode, RECOVERY_CODES, recoveryCodeHash } from "@/lib/auth/recovery-code";
import { fail, failWith } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { canMail, sendMail } from "@/lib/mail/mailer";
import { passkeyAddedMail, passkeyRemovedMail, recoveryCodesReplacedMail } from "@/lib/mail/messages";
import { operation } from "@/lib/operations/operation";
import { done, doneSchema } from "@/lib/schemas/account";
import {
  challengeSchema,
  createdSchema,
  type Passkeys,
  passkeyNameSchema,
  passkeysSchema,
  recoveryCodesSchema,
} from "@/lib/schemas/passkey";
import { inBackground } from "@/lib/store/background";
import {
  addPasskey as add,
  countRecoveryCodes,
  listPasskeys as findPasskeys,
  recordProof,
  removePasskey as remove,
  replaceRecoveryCodes,
  setChallenge,
  takeChallenge,
} from "@/lib/store/people/passkeys";
import { findPassword } from "@/lib/store/people/people";
import type { LiveSession } from "@/lib/store/people/sessions";

/** Most passkeys of one person. */
const PASSKEYS_MAX = 20;
const PROOF_MS = 10 * 60_000;

const pathSchema = z.strictObject({ passkey_id: z.string().describe("The passkey's UUID.") });

const isRecent = ({ createdAt, provedAt }: LiveSession, now: Date): boolean =>
  now.getTime() - (provedAt ?? createdAt).getTime() < PROOF_MS;

/** The person, if this session proved who they are a moment ago: a stolen session must not change their passkeys. */
function recentlyProved(ctx: Context): LiveSession {
  const session = personOf(ctx);
  if (isRecent(session, ctx.now())) return session;
  throw fail("conflict", {
    message: "Confirm that it is you first: with a passkey at /sign-in/passkey, your password, or by signing in again.",
  });
}

/** GET one's own passkeys. */
export const listPasskeys = operation({
  name: "list_passkeys",
  summary: "List your passkeys",
  description: "The passkeys that confirm your sign-ins, and how many recovery codes are left.",
  access: "account",
  quota: "account",
  http: { method: "GET", path: "/api/account/passkeys" },
  input: {},
  output: passkeysSchema,
  async run(_input, ctx): Promise<Passkeys> {
    const session = personOf(ctx);
    const [passkeys, left] = await Promise.all([findPasskeys(session.userId), countRecoveryCodes(session.userId)]);
    return {
      schema_version: "service-passkeys.v1",
      passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
        ...{ id, name, created_at: createdAt.toISOString() },
        last_used_at: lastUsedAt?.toISOString() ?? null,
      })),
      recovery_codes_left: left,
      recently_proved: isRecent(session, ctx.now()),
    };
  },
});

/** POST the password: this session may change passkeys for ten minutes. */
export const proveAccount = operation({
  name: "prove_account",
  summary: "Confirm that it is you",
  description:
    "Takes the password. For ten minutes this session may add a first passkey. An account that has passkeys is " +
    "confirmed with one of them, since a password alone must not remove them.",
  access: "account",
  quota: "account",
  http: { method: "POST", path: "/api/account/proof" },
  input: { body: z.strictObject({ password: z.string().max(1024) }) },
  output: doneSchema,
  errors: ["invalid_value", "conflict", "daily_quota_exhausted"],
  async run({ body }, ctx) {
    const { userId, email, id } = personOf(ctx);
    if ((await findPasskeys(userId)).length > 0)
      throw fail("conflict", {
        message: "This account has passkeys. Confirm that it is you with one, or a recovery code, at /sign-in/passkey.",
      });
    await takeOwnPassword(userId, ctx); // a stolen session must not be used to guess the password
    const hash = (await findPassword(email))?.passwordHash;
    if (!hash || !(await verifyPassword(body.password, hash))) {
      const message = "The password is wrong. Enter your current password.";
      throw failWith([{ pointer: "/password", code: "invalid_value", message }]);
    }
    await recordProof(id, ctx.now());
    return done("proved");
  },
});

/** POST for the options with which a browser makes a passkey. */
export const beginPasskey = operation({
  name: "begin_passkey",
  summary: "Begin to add a passkey",
  description:
    "Returns WebAuthn's options for the browser. Requires a sign-in or confirmation in the last ten minutes.",
  access: "account",
  quota: "account",
  http: { method: "POST", path: "/api/account/passkeys/challenge" },
  input: {},
  output: challengeSchema,
  errors: ["conflict"],
  async run(_input, ctx) {
    const { id, userId, email } = recentlyProved(ctx);
    if (!canPasskey())
      throw fail("conflict", { message: "Passkeys require that the service's public URL is https, under a name." });
    const options = await creationOptions({ userId, email }, await findPasskeys(userId));
    await setChallenge(id, options.challenge, new Date(ctx.now().getTime() + CHALLENGE_MS));
    return { schema_version: "service-passkey-challenge.v1" as const, options: { ...options } };
  },
});

/** POST what the browser made of the options, and a name. */
export const addPasskey = operation({
  name: "add_passkey",
  summary: "Add a passkey",
  description:
    "Takes the browser's answer to the options. From then on every sign-in is confirmed with a passkey. With the " +
    "first one, ten recovery codes are returned, which are shown only once. Keys and connections work as before.",
  access: "account",
  quota: "account",
  http: { method: "POST", path: "/api/account/passkeys", status: 201 },
  input: { body: z.strictObject({ name: passkeyNameSchema, response: createdSchema }) },
  output: recoveryCodesSchema,
  errors: ["invalid_value", "conflict"],
  async run({ body }, ctx) {
    const { id, userId, email } = recentlyProved(ctx);
    const challenge = await takeChallenge(id, ctx.now());
    const made = challenge && (await createdPasskey(body.response as RegistrationResponseJSON, challenge));
    if (!made)
      throw fail("conflict", {
        message: "The passkey was not added, because its answer is late or wrong. Start again.",
      });
    const codes = newCodes();
    const added = await add(
      { ...made, userId, name: body.name },
      { codes: codes.hashes, most: PASSKEYS_MAX },
      authorOf(ctx),
    );
    if (added === "taken") throw fail("conflict", { message: "This passkey has already been added." });
    if (added === "too_many") throw fail("conflict", { message: `Remove a passkey first (maximum ${PASSKEYS_MAX}).` });
    if (canMail()) inBackground(sendMail(passkeyAddedMail(email, body.name)), ctx.onBackgroundError);
    return codesReply(added.isFirst ? codes.texts : []);
  },
});

/** DELETE one passkey. */
export const removePasskey = operation({
  name: "remove_passkey",
  summary: "Remove a passkey",
  description:
    "Requires a sign-in or confirmation in the last ten minutes. With the last passkey the recovery codes end too, " +
    "and sign-ins have one step again.",
  access: "account",
  quota: "account",
  http: { method: "DELETE", path: "/api/account/passkeys/{passkey_id}" },
  input: { path: pathSchema },
  output: doneSchema,
  errors: ["conflict"],
  async run({ path }, ctx) {
    const { userId, email } = recentlyProved(ctx);
    const name = isUuid(path.passkey_id) ? await remove(userId, path.passkey_id, authorOf(ctx)) : undefined;
    if (name === undefined) throw fail("not_found");
    if (canMail()) inBackground(sendMail(passkeyRemovedMail(email, name)), ctx.onBackgroundError);
    return done("removed");
  },
});

/** POST for ten new recovery codes instead of the earlier ones. */
export const makeRecoveryCodes = operation({
  name: "make_recovery_codes",
  summary: "Replace your recovery codes",
  description:
    "Returns ten new codes; earlier ones stop working. Requires a sign-in or confirmation in the last ten minutes.",
  access: "account",
  quota: "account",
  http: { method: "POST", path: "/api/account/recovery-codes", status: 201 },
  input: {},
  output: recoveryCodesSchema,
  errors: ["conflict"],
  async run(_input, ctx) {
    const { userId, email } = recentlyProved(ctx);
    const codes = newCodes();
    if (!(await replaceRecoveryCodes(userId, codes.hashes, authorOf(ctx))))
      throw fail("conflict", { message: "Add a passkey first: recovery codes are for when it is lost." });
    if (canMail()) inBackground(sendMail(recoveryCodesReplacedMail(email)), ctx.onBackgroundError);
    return codesReply(codes.texts);
  },
});

function newCodes(): { texts: string[]; hashes: Uint8Array<ArrayBuffer>[] } {
  const texts = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  return { texts, hashes: texts.flatMap((text) => recoveryCodeHash(text) ?? []) };
}

const codesReply = (codes: string[]) => ({
  schema_version: "service-recovery-codes.v1" as const,
  recovery_codes: codes,
});
