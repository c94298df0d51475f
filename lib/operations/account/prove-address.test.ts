import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newToken, tokenHash } from "@/lib/auth/one-time-token";
import { hashPassword, verifyPassword } from "@/lib/auth/password";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { insertToken } from "@/lib/store/people/one-time-tokens";
import { createPerson, findPassword, verifyEmail } from "@/lib/store/people/people";
import { useTestState } from "@/lib/testing/database";
import { call } from "@/lib/testing/signed-in";
import { confirmAddress, resetPassword } from "./prove-address";

useTestState();
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] })); // no minute ends in the meantime
afterAll(() => void vi.useRealTimers());

/** Somebody who signed up with a password, and the token of the emailed link. */
async function signedUp(email: string, password: string | null, purpose: "verify_email" | "reset_password") {
  await createPerson({ email, passwordHash: password && (await hashPassword(password)) }, ADMINISTRATOR);
  return link(email, purpose);
}

async function link(email: string, purpose: "verify_email" | "reset_password") {
  const token = newToken();
  const userId = (await findPassword(email))?.person.id ?? null;
  const hash = tokenHash(token) as Uint8Array<ArrayBuffer>;
  await insertToken({ hash, purpose, email, userId, expiresAt: new Date(Date.now() + 60_000) });
  return token;
}

const confirm = async (token: string, password: string) =>
  (await call(confirmAddress, {}, {}, { token, password })).status;

async function state(email: string, password: string) {
  const found = await findPassword(email);
  return [found?.person.emailVerified != null, await verifyPassword(password, found?.passwordHash)];
}

test("the person who signed up confirms with the password chosen then, which is kept", async () => {
  const token = await signedUp("own@example.com", "their own password", "verify_email");
  expect(await confirm(token, "their own password")).toBe(200);
  expect(await state("own@example.com", "their own password")).toEqual([true, true]);
  expect(await confirm(token, "their own password")).toBe(400);
});

test("a stranger's password is never valid after the address is confirmed, by either link", async () => {
  const email = "victim@example.com";
  const token = await signedUp(email, "the stranger's password", "verify_email");
  expect(await confirm(token, "the victim's password")).toBe(400);
  expect(await state(email, "the stranger's password")).toEqual([false, true]);
  const reset = await link(email, "reset_password");
  const body = { token: reset, password: "violet harbour 77 lanterns" };
  expect((await call(resetPassword, {}, {}, body)).status).toBe(200);
  expect(await state(email, "the stranger's password")).toEqual([true, false]);
  expect(await state(email, body.password)).toEqual([true, true]);
  expect(await confirm(token, "the stranger's password")).toBe(400);
  expect(await state(email, "the stranger's password")).toEqual([true, false]);
});

test("a password changed during the confirmation is not overwritten by it", async () => {
  const email = "moment@example.com";
  await signedUp(email, "the first password", "verify_email");
  const id = (await findPassword(email))?.person.id ?? "";
  await verifyEmail(id, ADMINISTRATOR, { provenHash: await hashPassword("the first password") });
  expect(await state(email, "the first password")).toEqual([true, false]);
});

test("the link cannot be used to guess the password: attempts are limited", async () => {
  const token = await signedUp("guessed@example.com", "their own password", "verify_email");
  const statuses = [];
  for (let attempt = 0; attempt < 12; attempt++) statuses.push(await confirm(token, `guess ${attempt}`));
  expect(statuses.at(-1)).toBe(429);
});
