import { NextRequest } from "next/server";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { hashPassword } from "@/lib/auth/password";
import { changePassword } from "@/lib/operations/account/own-account";
import { requestPasswordReset } from "@/lib/operations/account/prove-address";
import { signUp } from "@/lib/operations/account/sign-up";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { finishBackground } from "@/lib/store/background";
import { createPerson, findPerson } from "@/lib/store/people/people";
import { useTestState } from "@/lib/testing/database";
import { serve } from "@/lib/testing/serve";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { authRoute } from "./auth-route";
import { ADDRESS_HEADER, listenerMark, MARK_HEADER } from "./listener-mark";

useTestState({
  SMTP_URL: "smtp://127.0.0.1:9",
  LIMIT_SIGN_UP_ADDRESS_MINUTE: "100",
  LIMIT_SIGN_IN_ADDRESS_MINUTE: "100",
}); // emails are not delivered

const ORIGIN = "http://localhost:3000";
const PASSWORD = "correct tangerine harpsichord";

// no minute ends in the meantime
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-21T12:00:30Z") }));
afterAll(async () => {
  await finishBackground();
  vi.useRealTimers();
});

const headersFrom = (address: string) => ({ origin: ORIGIN, [MARK_HEADER]: listenerMark(), [ADDRESS_HEADER]: address });

async function auth(
  method: string,
  action: string,
  form?: Record<string, string>,
  address = "203.0.113.1",
): Promise<{ status: number; text: string; headers: Headers }> {
  const body = form && new URLSearchParams({ json: "true", ...form });
  const request = new NextRequest(`${ORIGIN}/api/auth/${action}`, {
    method,
    headers: headersFrom(address),
    ...(body && { body }),
  });
  const reply = await authRoute(request, action);
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
}

const signIn = (email: string, password: string, address?: string) =>
  auth("POST", "callback/credentials", { email, password }, address);

async function post(
  operation: typeof signUp | typeof requestPasswordReset,
  body: object,
  address: string,
): Promise<Response> {
  const headers = { ...headersFrom(address), "content-type": "application/json" };
  const reply = await serve({ POST: operation }).POST(
    new Request(`${ORIGIN}/x`, { method: "POST", headers, body: JSON.stringify(body) }),
    {
      params: Promise.resolve({}),
    },
  );
  await finishBackground().catch(() => undefined);
  return reply;
}

test("signing up with another's address does not reveal whether it has an account", async () => {
  await post(signUp, { email: "had@example.com", password: "their own tangerine 7" }, "203.0.113.2");
  for (const email of ["had@example.com", "had-none@example.com"])
    await post(signUp, { email, password: PASSWORD }, "203.0.113.3");
  expect(await findPerson("had-none@example.com")).toMatchObject({ emailVerified: null });
  const [had, hadNone] = [await signIn("had@example.com", PASSWORD), await signIn("had-none@example.com", PASSWORD)];
  expect([hadNone.status, hadNone.text]).toEqual([had.status, had.text]);
  expect(hadNone.text).toContain("CredentialsSignin");
  expect(hadNone.headers.getSetCookie().join()).not.toContain("session=ey");
});

test("the remaining quota reveals nothing about an account", async () => {
  await post(signUp, { email: "known@example.com", password: PASSWORD }, "203.0.113.4");
  const left = async (email: string, address: string) => {
    const replies = [
      await post(signUp, { email, password: PASSWORD }, address),
      await post(requestPasswordReset, { email: "own@example.com" }, address),
    ];
    return replies.map(({ status, headers }) => [status, headers.get("ratelimit")?.replace(/;t=\d+/g, "")]);
  };
  expect(await left("known@example.com", "203.0.113.5")).toEqual(await left("unknown@example.com", "203.0.113.6"));
  const attempts = async (email: string, address: string) =>
    (await signIn(email, "wrong", address)).headers.get("ratelimit")?.replace(/;t=\d+/g, "");
  await attempts("known@example.com", "203.0.113.7"); // its owner, say
  expect(await attempts("known@example.com", "203.0.113.8")).toBe(await attempts("unknown@example.com", "203.0.113.9"));
});

test("strangers who exhaust an account's attempts do not prevent its owner from changing the password", async () => {
  const person = await createPerson(
    { email: "besieged@example.com", passwordHash: await hashPassword(PASSWORD), emailVerified: new Date() },
    ADMINISTRATOR,
  );
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, (_, at) => signIn("besieged@example.com", "wrong", `203.0.113.${100 + at}`)),
  );
  expect(outcomes.map(({ status }) => status)).toContain(429);
  const change = (current: string) =>
    call(changePassword, {}, { cookie }, { current_password: current, password: "another tangerine harpsichord" }).then(
      ({ status }) => status,
    );
  const cookie = await sessionCookie(person?.id ?? "");
  expect(await change(PASSWORD)).toBe(200);
  const guesses = await Promise.all(Array.from({ length: 12 }, () => change("a guess with a stolen session")));
  expect(new Set(guesses)).toEqual(new Set([400, 429]));
});

test.each(["a\u0000b@example.com", "no address", `${"x".repeat(5000)}@example.com`])(
  "an invalid email address is rejected like a wrong password",
  async (email) => {
    const wrong = await signIn("nobody@example.com", PASSWORD);
    expect(await signIn(email, PASSWORD)).toMatchObject({ status: wrong.status, text: wrong.text });
  },
);

test.each([
  ["GET", "callback/github", 404, null],
  ["POST", "signin/google", 404, null],
  ["GET", "providers", 404, null],
  ["POST", "_log", 404, null],
  ["PUT", "session", 405, "GET"],
  ["GET", "signout", 405, "POST"],
  ["DELETE", "callback/credentials", 405, "POST"],
])("%s %s is rejected with %i in the envelope", async (method, action, status, allow) => {
  const reply = await auth(method, action, method === "POST" ? {} : undefined);
  expect([reply.status, reply.headers.get("allow")]).toEqual([status, allow]);
  expect(JSON.parse(reply.text)).toMatchObject({
    schema_version: "service-error.v1",
    error: status === 404 ? "not_found" : "method_not_allowed",
  });
});

test.each(["x", "javascript:alert(1)", "//evil.example", "http://[", "\ud800", "/settings"])(
  "the callbackUrl %j is never an internal error, in a parameter or a cookie",
  async (callbackUrl) => {
    for (const action of ["csrf", "session", "signin", "error", "verify-request"])
      for (const isCookie of [false, true]) {
        const query = isCookie ? "" : `?${new URLSearchParams({ callbackUrl })}`;
        const cookie = `parquetry-callback=${encodeURIComponent(callbackUrl.toWellFormed())}`;
        const headers = { ...headersFrom("203.0.113.9"), ...(isCookie && { cookie }) };
        const { status, headers: told } = await authRoute(
          new NextRequest(`${ORIGIN}/api/auth/${action}${query}`, { headers }),
          action,
        );
        expect([action, isCookie, status < 400]).toEqual([action, isCookie, true]);
        expect(told.get("location") ?? ORIGIN).toMatch(/^(?:http:\/\/localhost:3000|\/)(?!.*evil)/);
      }
  },
);

test("U+0000 in a parameter is rejected in the envelope", async () => {
  const reply = await authRoute(
    new NextRequest(`${ORIGIN}/api/auth/session?x=%00`, { headers: headersFrom("203.0.113.9") }),
    "session",
  );
  expect([reply.status, await reply.json()]).toEqual([
    400,
    expect.objectContaining({ error: "invalid_value", details: [expect.objectContaining({ pointer: "/x" })] }),
  ]);
});
