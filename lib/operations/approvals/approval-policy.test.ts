import { expect, test } from "vitest";
import type { Context } from "@/lib/access/context";
import { hashPassword } from "@/lib/auth/password";
import { createPerson } from "@/lib/store/people/people";
import { useTestState } from "@/lib/testing/database";
import { isFreshPerson, requireDecider } from "./approval-policy";

useTestState();

const NOW = new Date("2026-05-06T12:00:00.000Z");
const HOUR_MS = 3_600_000;
const EMAIL = "decider@example.com";
const PASSWORD = "their own password";

/** A call by a person whose session is this old. */
async function signedIn(ageMs: number, email = EMAIL): Promise<Context> {
  await createPerson({ email, passwordHash: await hashPassword(PASSWORD) }, { actor: "operator" });
  const session = { id: "s", userId: "u", email, createdAt: new Date(NOW.getTime() - ageMs) };
  return { actor: { kind: "person", session }, now: () => NOW } as unknown as Context;
}

test("a session of up to 12 hours decides without a password, an older one only with it", async () => {
  const fresh = await signedIn(12 * HOUR_MS);
  expect(isFreshPerson(fresh)).toBe(true);
  expect(await requireDecider(fresh, undefined)).toMatchObject({ id: "s" });
  const old = await signedIn(12 * HOUR_MS + 1, "old@example.com");
  expect(isFreshPerson(old)).toBe(false);
  await expect(requireDecider(old, undefined)).rejects.toMatchObject({ code: "key_expired" });
  await expect(requireDecider(old, "another one")).rejects.toMatchObject({ faults: [{ pointer: "/password" }] });
  expect(await requireDecider(old, PASSWORD)).toMatchObject({ id: "s" });
});

test("a caller that is not a person decides nothing, whatever password it sends", async () => {
  const agent = { actor: { kind: "agent" }, now: () => NOW } as unknown as Context;
  await expect(requireDecider(agent, PASSWORD)).rejects.toMatchObject({ code: "key_wrong_type" });
});
