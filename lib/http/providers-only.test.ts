import { expect, test } from "vitest";
import { hashPassword } from "@/lib/auth/password";
import { handle } from "@/lib/door/handle";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { createPerson } from "@/lib/store/people/people";
import { useTestState } from "@/lib/testing/database";

useTestState({
  SMTP_URL: "smtp://127.0.0.1:9",
  SIGN_IN_PROVIDERS_ONLY: "true",
  OIDC_PROVIDERS: "acme",
  OIDC_ACME_ISSUER: "http://localhost:9",
  OIDC_ACME_CLIENT_ID: "parquetry",
  OIDC_ACME_CLIENT_SECRET: "a client secret",
});

const ORIGIN = "http://localhost:3000";
const PASSWORD = "correct tangerine harpsichord";
const EMAIL = "ada@example.com";

async function post(path: string, body: Record<string, string> | URLSearchParams) {
  const isForm = body instanceof URLSearchParams;
  const headers = { origin: ORIGIN, ...(!isForm && { "content-type": "application/json" }) };
  const init = { method: "POST", headers, body: isForm ? body : JSON.stringify(body) };
  const reply = await handle(new Request(`${ORIGIN}${path}`, init));
  return { status: reply.status, text: await reply.text(), cookies: reply.headers.getSetCookie().join() };
}

test("where only providers sign people in, no password, emailed link or sign-up does", async () => {
  const passwordHash = await hashPassword(PASSWORD);
  await createPerson({ email: EMAIL, passwordHash, emailVerified: new Date() }, ADMINISTRATOR);
  const byPassword = new URLSearchParams({ email: EMAIL, password: PASSWORD, json: "true" });
  const signIn = await post("/api/auth/callback/credentials", byPassword);
  expect([signIn.status, signIn.cookies]).toEqual([404, ""]);
  expect((await post("/api/auth/signin/email", new URLSearchParams({ email: EMAIL, json: "true" }))).status).toBe(404);
  for (const [path, body] of [
    ["/api/account/sign-up", { email: "new@example.com", password: PASSWORD }],
    ["/api/account/password-reset", { email: EMAIL }],
    ["/api/account/password", { token: "x", password: PASSWORD }],
  ] as const) {
    const { status, text } = await post(path, body);
    expect([path, status, JSON.parse(text).message]).toEqual([path, 409, expect.stringContaining("no passwords")]);
  }
});
