import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { personOf } from "@/lib/access/authorize";
import { takeOwnPassword } from "@/lib/access/quotas";
import { hashPassword, verifyPassword } from "@/lib/auth/password";
import { newPasswordSchema } from "@/lib/auth/password-rule";
import { presentWorkspaces } from "@/lib/describe/present-workspace";
import { fail, failWith } from "@/lib/kernel/errors";
import { operation } from "@/lib/operations/operation";
import { type Account, accountSchema, done, doneSchema, personNameSchema } from "@/lib/schemas/account";
import { listIdentities } from "@/lib/store/people/identities";
import { findPassword, renamePerson, setPassword } from "@/lib/store/people/people";
import { rejectWeak, requirePasswords } from "./sign-up";

/** GET one's own account. */
export const getAccount = operation({
  name: "get_account",
  summary: "Get your account",
  description: "The signed-in person, their sign-in methods and their workspaces.",
  access: "account",
  quota: "account",
  http: { method: "GET", path: "/api/account" },
  input: {},
  output: accountSchema,
  async run(_input, ctx): Promise<Account> {
    const { userId, email } = personOf(ctx);
    const [found, identities, workspaces] = await Promise.all([
      findPassword(email),
      listIdentities(userId),
      presentWorkspaces(userId, ctx.now()),
    ]);
    if (!found) throw fail("not_found");
    const { person, passwordHash } = found;
    return {
      schema_version: "service-account.v1",
      id: person.id,
      email: person.email,
      email_verified: person.emailVerified !== null,
      name: person.name,
      has_password: passwordHash !== null,
      identities,
      created_at: person.createdAt.toISOString(),
      workspaces,
    };
  },
});

const nameBodySchema = z.strictObject({ name: personNameSchema });

/** PATCH one's own name. */
export const renameAccount = operation({
  name: "update_account",
  summary: "Change your name",
  description: "The display name, visible to members of the same workspaces.",
  access: "account",
  quota: "account",
  http: { method: "PATCH", path: "/api/account" },
  input: { body: nameBodySchema },
  output: doneSchema,
  errors: ["invalid_value"],
  async run({ body }, ctx) {
    await renamePerson(personOf(ctx).userId, body.name, authorOf(ctx));
    return done("renamed");
  },
});

const passwordBodySchema = z.strictObject({ current_password: z.string().max(1024), password: newPasswordSchema });

/** POST the old and the new password. */
export const changePassword = operation({
  name: "change_password",
  summary: "Change your password",
  description:
    "Requires the current password. Every other session ends. If the account has no password yet, request a link " +
    "to set one.",
  access: "account",
  quota: "account",
  http: { method: "POST", path: "/api/account/change-password" },
  input: { body: passwordBodySchema },
  output: doneSchema,
  errors: ["invalid_value", "conflict", "daily_quota_exhausted"],
  async run({ body }, ctx) {
    requirePasswords();
    const { userId, email, id } = personOf(ctx);
    await takeOwnPassword(userId, ctx); // a stolen session must not be used to guess the password
    const found = await findPassword(email);
    if (!(await verifyPassword(body.current_password, found?.passwordHash))) {
      throw failWith([
        { pointer: "/current_password", code: "invalid_value", message: "The current password is wrong." },
      ]);
    }
    await rejectWeak(body.password, [email, ...email.split(/[@.+_-]/)]);
    await setPassword(userId, await hashPassword(body.password), authorOf(ctx), id);
    return done("password_set");
  },
});
