import { createServer, type Server } from "node:http";
import { expect } from "@playwright/test";
import { LimitedService, roomySignIns } from "./limited-service";
import { newEmail, Person } from "./people";
import { portOf } from "./ports";
import { rowsOf } from "./service";
import { test } from "./test";
import { used } from "./used-secrets";

const HUB_PORT = portOf("hub");
const hubUrl = `http://localhost:${HUB_PORT}`;
const service = new LimitedService("identity provider", {
  ...roomySignIns(),
  GITHUB_CLIENT_ID: "client",
  GITHUB_CLIENT_SECRET: "secret",
  GITHUB_ENTERPRISE_URL: hubUrl,
});
const BASE = service.base;
const ACCESS_TOKEN = used("gho_not_to_be_kept_anywhere_1234567890", "GitHub's access token");

/** Who is signed in at the stand-in for GitHub's server, and what it reports about their addresses. */
const hub = { id: 1, login: "octo", emails: [] as { email: string; primary: boolean; verified: boolean }[] };
let hubServer: Server;

test.beforeAll(async () => {
  hubServer = createServer((req, res) => {
    const url = new URL(req.url ?? "/", hubUrl);
    const json = (body: unknown) =>
      res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (url.pathname === "/login/oauth/authorize") {
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      back.search = new URLSearchParams({ code: "a-code", state: url.searchParams.get("state") ?? "" }).toString();
      return res.writeHead(302, { location: back.href }).end();
    }
    if (url.pathname === "/login/oauth/access_token")
      return json({ access_token: ACCESS_TOKEN, token_type: "bearer", scope: "read:user,user:email" });
    if (url.pathname === "/api/v3/user")
      return json({ id: hub.id, login: hub.login, name: "Octo", email: hub.emails[0]?.email, avatar_url: null });
    return json(hub.emails);
  }).listen(HUB_PORT);
  await service.start();
});

test.afterAll(async () => {
  hubServer.close();
  await service.stop();
});

/** Signs in with GitHub as a browser would. Returns the final URL. */
async function signInByHub(person: Person): Promise<string> {
  const { json } = await person.call("GET", "/api/auth/csrf");
  const begun = await person.call(
    "POST",
    "/api/auth/signin/github",
    new URLSearchParams({ csrfToken: json.csrfToken, json: "true" }),
  );
  const away = new URL(begun.json.url);
  expect(away.searchParams.get("state")).toBeTruthy();
  const back = (await fetch(away, { redirect: "manual" })).headers.get("location") ?? "";
  return (await person.call("GET", back.slice(BASE.length))).headers.get("location") ?? "";
}

test("a person signs in with GitHub, is the same person the next time, and GitHub's token is not stored", async () => {
  const email = newEmail("octo");
  Object.assign(hub, { id: 101, emails: [{ email, primary: true, verified: true }] });
  const first = new Person(email, { base: BASE });
  expect(new URL(await signInByHub(first), BASE).pathname).toBe("/");
  const account = (await first.call("GET", "/api/account")).json;
  expect(account).toMatchObject({
    email,
    email_verified: true,
    has_password: false,
    identities: ["github"],
    name: "Octo",
  });
  const second = new Person(email, { base: BASE });
  hub.emails = [{ email: newEmail("renamed"), primary: true, verified: true }];
  await signInByHub(second);
  expect((await second.call("GET", "/api/account")).json.id).toBe(account.id);
  const rows = await rowsOf(
    `SELECT i::text AS line FROM "Identity" i UNION ALL SELECT u::text FROM "User" u UNION ALL SELECT s::text ` +
      `FROM "Session" s`,
  );
  expect(JSON.stringify(rows)).not.toContain(ACCESS_TOKEN);
});

test(
  "in a browser the button on the sign-in page leads there and back, though no form may lead to " + "another site",
  async ({ page }) => {
    const email = newEmail("browsing");
    Object.assign(hub, { id: 109, emails: [{ email, primary: true, verified: true }] });
    await page.goto(`${BASE}/sign-in`);
    await page.getByRole("button", { name: /GitHub/ }).click();
    await page.waitForURL(`${BASE}/settings/access`);
    expect((await (await page.request.get(`${BASE}/api/account`)).json()).email).toBe(email);
  },
);

test("an address that GitHub has not verified signs nobody in or up", async () => {
  const email = newEmail("unproved");
  Object.assign(hub, { id: 102, emails: [{ email, primary: true, verified: false }] });
  const person = new Person(email, { base: BASE });
  expect(await signInByHub(person)).toContain("error=AccessDenied");
  expect((await person.call("GET", "/api/account")).status).toBe(401);
});

test(
  "GitHub's word on an address opens no account that somebody else signed up for; whoever is signed in " + "links it",
  async () => {
    const email = newEmail("taken");
    const holder = await new Person(email, { base: BASE }).signUp();
    Object.assign(hub, { id: 103, emails: [{ email, primary: true, verified: true }] });
    const other = new Person(email, { base: BASE });
    expect(await signInByHub(other)).toContain("error=OAuthAccountNotLinked");
    expect((await other.call("GET", "/api/account")).status).toBe(401);
    await signInByHub(holder);
    expect((await holder.account()) as object).toMatchObject({ email, identities: ["github"] });
    const later = new Person(email, { base: BASE });
    await signInByHub(later);
    expect((await later.account()).id).toBe((await holder.account()).id);
  },
);

test("a session that was ended links nothing", async () => {
  const victim = await new Person(newEmail("victim"), { base: BASE }).signUp();
  const stolen = new Person("thief@example.com", { base: BASE });
  for (const pair of victim.cookie.split("; ")) stolen.keep(pair);
  await victim.call("DELETE", "/api/account/sessions");
  Object.assign(hub, { id: 104, emails: [{ email: newEmail("thief"), primary: true, verified: true }] });
  await signInByHub(stolen);
  await victim.signIn();
  expect((await victim.account()) as object).toMatchObject({ identities: [] });
});
