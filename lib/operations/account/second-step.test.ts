import { expect, test } from "vitest";
import { handle } from "@/lib/door/handle";
import { ADMINISTRATOR, listAudit } from "@/lib/store/audit";
import { addPasskey as store, listPasskeys as stored } from "@/lib/store/people/passkeys";
import { ensurePerson } from "@/lib/store/people/people";
import { database } from "@/lib/store/postgres/database";
import { Authenticator } from "@/lib/testing/authenticator";
import { useTestState } from "@/lib/testing/database";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { getAccount } from "./own-account";
import { beginPasskey, listPasskeys, makeRecoveryCodes, removePasskey } from "./passkeys";
import { beginSecondStep, finishSecondStep, useRecoveryCode } from "./second-step";

useTestState({ LIMIT_SIGN_IN_ADDRESS_MINUTE: "1000" });

/** Somebody with a passkey, who has given a password in this browser. */
async function person() {
  const email = `${crypto.randomUUID()}@example.com`;
  const { userId } = await ensurePerson(email, ADMINISTRATOR);
  const authenticator = new Authenticator();
  const { credentialId, publicKey } = authenticator;
  const passkey = { credentialId, publicKey, userId, name: "phone", counter: 0n, transports: [] };
  await store(passkey, { codes: [], most: 20 }, ADMINISTRATOR);
  return { userId, email, authenticator, ...(await browser(userId)) };
}

const browser = async (userId: string) => ({ headers: { cookie: await sessionCookie(userId) } });

type Headers = Record<string, string>;

const challenge = async (headers: Headers): Promise<string> =>
  (await call(beginSecondStep, {}, headers)).body.options.challenge;

const finish = async (headers: Headers, response: unknown) =>
  (await call(finishSecondStep, {}, headers, { response })).status;

const accountStatus = async (headers: Headers) => (await call(getAccount, {}, headers)).status;

test("a session grants nothing until a passkey confirms it, and is then signed in", async () => {
  const { headers, authenticator, userId } = await person();
  expect(await accountStatus(headers)).toBe(401);
  expect((await call(listPasskeys, {}, headers)).status).toBe(401);
  expect((await call(beginPasskey, {}, headers)).status).toBe(401);
  const session = await handle(new Request("http://localhost:3000/api/auth/session", { headers }));
  expect(await session.json()).toEqual({});
  expect(await finish(headers, authenticator.answer(await challenge(headers)))).toBe(200);
  expect(await accountStatus(headers)).toBe(200);
  const [event] = await listAudit({ userId, limit: 1 });
  expect(event).toMatchObject({ action: "session.confirmed", details: { passkey: "phone" } });
});

test("a challenge is answered once, within five minutes, in its own session and from our own pages", async () => {
  const { headers, authenticator, userId } = await person();
  const other = (await browser(userId)).headers;
  const first = await challenge(headers);
  expect(await finish(headers, authenticator.answer(first, { origin: "https://evil.example" }))).toBe(409);
  expect(await finish(headers, authenticator.answer(first))).toBe(409);
  const second = await challenge(headers);
  await challenge(other);
  expect(await finish(other, authenticator.answer(second))).toBe(409);
  const { pool } = await database();
  await pool.query(`UPDATE "Session" SET "challengeUntil" = now() - interval '1 second' WHERE "userId" = $1`, [userId]);
  expect(await finish(headers, authenticator.answer(second))).toBe(409);
  expect([await accountStatus(headers), await accountStatus(other)]).toEqual([401, 401]);
});

test("another person's passkey, a forged signature and a copy's counter confirm nothing", async () => {
  const { headers, authenticator } = await person();
  const stranger = await person();
  expect(await finish(headers, stranger.authenticator.answer(await challenge(headers)))).toBe(409);
  const forged = stranger.authenticator.answer(await challenge(headers));
  expect(await finish(headers, { ...forged, ...idOf(authenticator) })).toBe(409);
  authenticator.counter = 7;
  expect(await finish(headers, authenticator.answer(await challenge(headers)))).toBe(200);
  for (const counter of [7, 6, 0]) {
    authenticator.counter = counter;
    expect(await finish(headers, authenticator.answer(await challenge(headers)))).toBe(409);
  }
});

const idOf = ({ credentialId }: Authenticator) => ({ id: credentialId, rawId: credentialId });

test("a recovery code confirms one sign-in of its person, however it is written", async () => {
  const { headers, authenticator, userId } = await person();
  await finish(headers, authenticator.answer(await challenge(headers)));
  const codes: string[] = (await call(makeRecoveryCodes, {}, headers)).body.recovery_codes;
  expect(new Set(codes).size).toBe(10);
  const [first = "", second = ""] = codes;
  const spent = async (who: Headers, code: string) => (await call(useRecoveryCode, {}, who, { code })).status;
  expect(await spent((await person()).headers, first)).toBe(400);
  const browsers = await Promise.all(Array.from({ length: 4 }, () => browser(userId)));
  const statuses = await Promise.all(browsers.map((each) => spent(each.headers, ` ${first.toUpperCase()} `)));
  expect(statuses.sort()).toEqual([200, 400, 400, 400]);
  const again = (await browser(userId)).headers;
  expect(await spent(again, second.replaceAll("-", ""))).toBe(200);
  expect(await accountStatus(again)).toBe(200);
  expect((await call(listPasskeys, {}, again)).body.recovery_codes_left).toBe(8);
  const { pool } = await database();
  const { rows } = await pool.query(`SELECT encode(hash, 'escape') AS line FROM "RecoveryCode"`);
  for (const code of codes) expect(JSON.stringify(rows)).not.toContain(code);
});

test("attempts are limited for each person, before they are compared", async () => {
  const { headers } = await person();
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 25; attempt++)
    statuses.push((await call(useRecoveryCode, {}, headers, { code: "0000-0000-0000" })).status);
  // a minute may have ended in between
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(5);
});

test("changes need a proof in the last ten minutes; the last passkey takes what depends on it along", async () => {
  const { headers, authenticator, userId } = await person();
  await finish(headers, authenticator.answer(await challenge(headers)));
  const waiting = (await browser(userId)).headers;
  const { pool } = await database();
  const age = `UPDATE "Session" SET "createdAt" = "createdAt" - interval '11 minutes',
    "provedAt" = "provedAt" - interval '11 minutes' WHERE "userId" = $1`;
  await pool.query(age, [userId]);
  const [{ id = "" } = {}] = await stored(userId);
  const params = { passkey_id: id };
  for (const change of [
    call(removePasskey, params, headers),
    call(beginPasskey, {}, headers),
    call(makeRecoveryCodes, {}, headers),
  ])
    expect((await change).status).toBe(409);
  authenticator.counter = 1;
  await finish(headers, authenticator.answer(await challenge(headers)));
  expect((await call(makeRecoveryCodes, {}, headers)).status).toBe(201);
  expect((await call(removePasskey, params, headers)).status).toBe(200);
  expect((await call(listPasskeys, {}, headers)).body).toMatchObject({ passkeys: [], recovery_codes_left: 0 });
  expect((await call(beginSecondStep, {}, waiting)).body.error).toBe("key_revoked");
  expect(await accountStatus((await browser(userId)).headers)).toBe(200);
});

test("people can sign out without confirming", async () => {
  const { headers } = await person();
  const form = new URLSearchParams({ callbackUrl: "/", json: "true" });
  const init = { method: "POST", headers: { ...headers, origin: "http://localhost:3000" }, body: form };
  expect((await handle(new Request("http://localhost:3000/api/auth/signout", init))).status).toBe(200);
  expect((await call(beginSecondStep, {}, headers)).body.error).toBe("key_revoked");
});
