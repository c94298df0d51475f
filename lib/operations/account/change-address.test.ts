import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { newToken, tokenHash } from "@/lib/auth/one-time-token";
import { hashPassword } from "@/lib/auth/password";
import { ADMINISTRATOR, listAudit } from "@/lib/store/audit";
import { insertToken } from "@/lib/store/people/one-time-tokens";
import { createPerson, findPerson } from "@/lib/store/people/people";
import { listWorkspaces } from "@/lib/store/people/workspaces";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { changeAddress, confirmNewAddress } from "./change-address";

useTestState();
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] })); // no minute ends in the meantime
afterAll(() => void vi.useRealTimers());

const PASSWORD = "tangerine harpsichord 7";

async function somebody(name: string, password: string | null = PASSWORD) {
  const email = `${name}@example.com`;
  const passwordHash = password && (await hashPassword(password));
  const id = (await createPerson({ email, passwordHash, emailVerified: new Date() }, ADMINISTRATOR))?.id ?? "";
  const cookie = await sessionCookie(id);
  return {
    ...{ id, email },
    change: (to: string, given = PASSWORD) => call(changeAddress, {}, { cookie }, { email: to, password: given }),
    confirm: (code: string) => call(confirmNewAddress, {}, { cookie }, { code }),
  };
}

/** The code that an email to the address would hold. */
async function codeFor(userId: string, email: string, lastsMs = 60_000): Promise<string> {
  const code = newToken();
  const hash = tokenHash(code) as Uint8Array<ArrayBuffer>;
  await insertToken({ hash, purpose: "change_address", email, userId, expiresAt: new Date(Date.now() + lastsMs) });
  return code;
}

describe("without email", () => {
  test("the address changes at once, unconfirmed, with the workspace named after it", async () => {
    const person = await somebody("before");
    expect((await person.change(" After@Example.com ")).body.status).toBe("changed");
    expect(await findPerson(person.email)).toBeUndefined();
    expect(await findPerson("after@example.com")).toMatchObject({ id: person.id, emailVerified: null });
    expect((await listWorkspaces(person.id)).map(({ name }) => name)).toEqual(["after@example.com"]);
    expect(await listAudit({ limit: 10 })).toContainEqual(
      expect.objectContaining({ action: "account.address_changed", details: { confirmed: false } }),
    );
  });

  test("a wrong password, no password and an address that is in use change nothing and are reported", async () => {
    const person = await somebody("staying");
    await somebody("taken");
    const wrong = await person.change("new@example.com", "a guess");
    expect([wrong.status, wrong.body.details[0].pointer]).toEqual([400, "/password"]);
    const same = await person.change(person.email);
    expect([same.status, same.body.details[0].pointer]).toEqual([400, "/email"]);
    expect((await person.change("taken@example.com")).body.error).toBe("conflict");
    const provided = await somebody("provided", null);
    expect((await provided.change("else@example.com", "")).body.error).toBe("conflict");
    expect(await findPerson(person.email)).toBeDefined();
  });
});

describe("a code from an email", () => {
  test("confirms the new address once, and ends every link to the old one", async () => {
    const person = await somebody("mailed");
    const code = await codeFor(person.id, "proven@example.com");
    await insertToken({
      hash: tokenHash(newToken()) as Uint8Array<ArrayBuffer>,
      ...{ purpose: "reset_password", email: person.email, userId: person.id },
      expiresAt: new Date(Date.now() + 60_000),
    });
    expect((await person.confirm(` ${code} `)).body.status).toBe("changed");
    expect(await findPerson("proven@example.com")).toMatchObject({ id: person.id, emailVerified: expect.any(Date) });
    expect(await (await database()).prisma.oneTimeToken.count({ where: { userId: person.id } })).toBe(0);
    expect((await person.confirm(code)).status).toBe(400);
  });

  test("works for nobody else, and one that expired or is for an address in use changes nothing", async () => {
    const [person, other] = [await somebody("owner"), await somebody("other")];
    const code = await codeFor(person.id, "wanted@example.com");
    expect((await other.confirm(code)).body.details[0].pointer).toBe("/code");
    const late = await codeFor(person.id, "late@example.com", -1);
    expect((await person.confirm(late)).status).toBe(400);
    expect((await person.confirm("no code")).status).toBe(400);
    expect((await person.confirm(await codeFor(person.id, other.email))).body.error).toBe("conflict");
    expect((await person.confirm(code)).status).toBe(200);
  });
});

test("a stolen session cannot be used to guess the password: attempts are limited", async () => {
  const person = await somebody("guessed");
  const statuses = [];
  for (let attempt = 0; attempt < 12; attempt++)
    statuses.push((await person.change("x@example.com", `guess ${attempt}`)).status);
  expect(statuses.at(-1)).toBe(429);
});
