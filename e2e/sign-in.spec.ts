import { expect } from "@playwright/test";
import { BrowserPerson, newPassword } from "./browser-person";
import { LimitedService, roomySignIns } from "./limited-service";
import { newEmail, Person } from "./people";
import { portOf } from "./ports";
import { startService } from "./service";
import { test } from "./test";

const limited = new LimitedService("sign-in", { ...roomySignIns(), LIMIT_SIGN_IN_ACCOUNT_MINUTE: "10" });
const SECURE_PORT = portOf("secure");
const SECURE_BASE = "https://parquetry.example";
const SESSION = "parquetry-session";

/** The reply to somebody who kept a copy of a session's cookie. */
const accountWith = (session: string | undefined, base: string | undefined): Promise<Response> =>
  fetch(`${base}/api/account`, { headers: { cookie: `${SESSION}=${session}` } });

test(
  "a person signs up in an empty browser, is signed in at once, and pages that caches keep show it without " +
    "knowing who",
  async ({ browser }) => {
    const ada = await BrowserPerson.arrive(browser, "ada");
    const { page } = ada;
    await page.goto("/");
    await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
    await expect(page.getByRole("banner").getByRole("link", { name: "Settings" })).toBeHidden();
    await ada.signUp();
    await expect(page).toHaveURL(/\/settings\/access$/);
    const home = await page.goto("/");
    expect(home?.headers()["cache-control"]).toContain("s-maxage");
    await expect(page.getByRole("banner").getByRole("link", { name: "Settings" })).toBeVisible();
    await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeHidden();
    await page.goto("/sign-in");
    await expect(page).toHaveURL(/\/settings\/access$/);
  },
);

test("a weak password is rejected with the reason at its field, which has the focus", async ({ browser }) => {
  const person = await BrowserPerson.arrive(browser, "weak", { password: "password123" });
  await person.page.goto("/sign-up");
  await person.page.getByLabel("Email").fill(person.email);
  await person.passwordField.fill(person.password);
  await person.page.getByRole("button", { name: "Sign up" }).click();
  await expect(person.passwordField).toHaveAccessibleDescription(/easy to guess/);
  await expect(person.passwordField).toBeFocused();
  await expect(person.passwordField).toHaveAttribute("aria-invalid", "true");
});

test("a wrong password reads the same whether or not there is such an account", async ({ browser }) => {
  const known = await BrowserPerson.arrive(browser, "known");
  await known.signUp();
  const [here, nobody] = [await known.elsewhere(browser), await BrowserPerson.arrive(browser, "nobody")];
  const words = [];
  for (const person of [here, nobody]) {
    const [reply] = await Promise.all([
      person.page.waitForResponse(/callback\/credentials/),
      person.trySignIn(newPassword()),
    ]);
    await expect(person.problem).toBeVisible();
    await expect(person.passwordField).toBeFocused();
    words.push({
      said: await person.problem.textContent(),
      status: reply.status(),
      body: await reply.text(),
      cookies: (await person.context.cookies()).map(({ name }) => name).sort(),
    });
  }
  expect(words[0]).toEqual(words[1]);
  expect(words[0]?.said).toBe("Wrong email address or password.");
});

test.describe("rate limits of attempts", () => {
  test.beforeAll(() => limited.start());
  test.afterAll(() => limited.stop());

  test("too many attempts: the page says how long to wait, with script and without", async ({ browser }) => {
    const email = newEmail("hasty");
    for (const javaScriptEnabled of [true, false]) {
      const person = await BrowserPerson.arrive(browser, "hasty", { base: limited.base, email, javaScriptEnabled });
      // A minute may end between the attempts and the page's own. In that case they start over.
      await expect(async () => {
        for (let attempt = 0; attempt < 10; attempt++) {
          await new Person(email, { base: limited.base }).trySignIn(newPassword());
        }
        await person.trySignIn(newPassword());
        const text = await person.problem.textContent();
        expect(text).toMatch(/^Too many attempts\. Try again in \d+ (seconds?|minutes?)\.$/);
      }).toPass();
    }
  });
});

test("every sign-in starts a new session, and the previous cookie is worthless", async ({ browser, baseURL }) => {
  const person = await BrowserPerson.signedIn(browser, "rotating");
  const before = await person.cookie(SESSION);
  await person.context.clearCookies({ name: "parquetry-signed-in" });
  const form = { email: person.email, password: person.password, json: "true" };
  const reply = await person.context.request.post("/api/auth/callback/credentials", {
    form,
    headers: { origin: baseURL ?? "" },
  });
  expect(reply.status()).toBe(200);
  const after = await person.cookie(SESSION);
  expect(after?.value).not.toBe(before?.value);
  expect(await person.accountStatus()).toBe(200);
  const rejected = await accountWith(before?.value, baseURL);
  expect([rejected.status, (await rejected.json()).error]).toEqual([401, "key_revoked"]);
});

test(
  "the session's cookie is for this host's own pages alone: HttpOnly, SameSite=Lax, with TLS Secure " + "under __Host-",
  async ({ browser }) => {
    const person = await (await BrowserPerson.arrive(browser, "cookies")).signUp();
    expect(await person.cookie(SESSION)).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/", secure: false });
    const child = startService({ PORT: String(SECURE_PORT), PARQUETRY_BASE_URL: SECURE_BASE, ...roomySignIns() });
    try {
      const address = `http://localhost:${SECURE_PORT}`;
      await expect
        .poll(
          () =>
            fetch(`${address}/readyz`).then(
              ({ status }) => status,
              () => 0,
            ),
          { timeout: 180_000 },
        )
        .toBe(200);
      const body = new URLSearchParams({ email: person.email, password: person.password, json: "true" });
      const reply = await fetch(`${address}/api/auth/callback/credentials`, {
        method: "POST",
        body,
        headers: { origin: SECURE_BASE },
      });
      expect(reply.status).toBe(200);
      const cookies = reply.headers.getSetCookie();
      const session = cookies.find((line) => line.startsWith("__Host-parquetry-session="));
      for (const attribute of ["Path=/", "HttpOnly", "Secure", "SameSite=Lax"]) expect(session).toContain(attribute);
      expect(session).not.toMatch(/domain=/i);
      for (const line of cookies) expect(line).toMatch(/^(?:__Host-|parquetry-signed-in=).*; Secure/);
    } finally {
      child.kill("SIGTERM");
      await new Promise((resolve) => child.once("exit", resolve));
    }
  },
);

test("signing out ends the session itself, not only its cookie", async ({ browser, baseURL }) => {
  const person = await BrowserPerson.signedIn(browser, "leaving");
  const session = await person.cookie(SESSION);
  await person.page.goto("/settings/account");
  await person.page.getByRole("button", { name: "Sign out", exact: true }).first().click();
  await expect(person.page).toHaveURL(`${baseURL}/`);
  await expect(person.page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
  expect(await person.cookie(SESSION)).toBeUndefined();
  expect((await accountWith(session?.value, baseURL)).status).toBe(401);
  await person.page.goto("/settings/account");
  await expect(person.page).toHaveURL(/\/sign-in\?callbackUrl=%2Fsettings%2Faccount$/);
  await person.signIn(person.page.url());
  await expect(person.page).toHaveURL(/\/settings\/account$/);
});

/** lib/http/same-origin.test.ts covers all kinds of them. */
const ELSEWHERE = ["https://evil.example/", "/\\evil.example"];

test("whatever the URL says, signing in leads to a page of ours", async ({ browser, baseURL }) => {
  const person = await BrowserPerson.signedIn(browser, "steered");
  for (const target of ELSEWHERE) {
    await person.context.clearCookies();
    await person.signIn(`/sign-in?callbackUrl=${encodeURIComponent(target)}`);
    await expect(person.page, target).toHaveURL(`${baseURL}/`);
  }
  for (const target of ELSEWHERE) {
    await person.page.goto(`/sign-in?callbackUrl=${encodeURIComponent(target)}`);
    await expect(person.page, `${target}, signed in already`).toHaveURL(`${baseURL}/`);
  }
});

test.describe("without JavaScript", () => {
  test("a person signs in and out with forms only, and errors are shown", async ({ browser, baseURL }) => {
    const made = await BrowserPerson.signedIn(browser, "plain");
    const person = await BrowserPerson.arrive(browser, "plain", {
      email: made.email,
      password: made.password,
      javaScriptEnabled: false,
    });
    await person.trySignIn(newPassword(), "/sign-in?callbackUrl=/settings/account");
    await expect(person.problem).toHaveText("Wrong email address or password.");
    expect(person.page.url()).not.toContain(person.email);
    await person.page.getByLabel("Email").fill(person.email);
    await person.passwordField.fill(person.password);
    await person.page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(person.page).toHaveURL(/\/settings\/account$/);
    await expect(person.page.getByRole("heading", { level: 1 })).toHaveText("Account");
    await person.page.getByRole("button", { name: "Sign out", exact: true }).first().click();
    await expect(person.page).toHaveURL(`${baseURL}/`);
    expect(await person.accountStatus()).toBe(401);
  });
});

test("another site's page can sign nobody in or out", async ({ browser, baseURL: base = "" }) => {
  const person = await BrowserPerson.signedIn(browser, "targeted");
  const cookie = `${SESSION}=${(await person.cookie(SESSION))?.value}`;
  const form = new URLSearchParams({ email: person.email, password: person.password, json: "true" });
  for (const [path, body] of [
    ["callback/credentials", form],
    ["signout", new URLSearchParams()],
  ] as const) {
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      {},
    ]) {
      const reply = await fetch(`${base}/api/auth/${path}`, {
        method: "POST",
        body,
        headers: { ...headers, cookie },
        redirect: "manual",
      });
      expect([path, reply.status, (await reply.json()).error]).toEqual([path, 403, "forbidden_origin"]);
    }
  }
  expect(await person.accountStatus()).toBe(200);
});
