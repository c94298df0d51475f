import { createHash, randomBytes } from "node:crypto";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { CallbackServer } from "./callback-server";
import { held } from "./held-requests";
import { test } from "./test";
import { used } from "./used-secrets";

/** A program on the person's machine, with its own callback URL. */
class Program {
  readonly verifier = randomBytes(32).toString("base64url");
  clientId = "";

  private constructor(
    private readonly server: CallbackServer,
    private readonly request: APIRequestContext,
  ) {}

  static async start(request: APIRequestContext): Promise<Program> {
    return new Program(await CallbackServer.start(), request);
  }

  get callback(): string {
    return this.server.address;
  }

  get answers(): readonly URL[] {
    return this.server.answers;
  }

  async register(name = "Test agent"): Promise<void> {
    const reply = await this.request.post("/api/oauth/register", {
      data: { client_name: name, redirect_uris: ["http://127.0.0.1/callback"] },
    });
    expect(reply.status()).toBe(201);
    this.clientId = (await reply.json()).client_id;
  }

  /** The URL to which it sends the person. */
  asking(change: Record<string, string> = {}): string {
    const parameters = {
      client_id: this.clientId,
      redirect_uri: this.callback,
      response_type: "code",
      scope: "datasets:read",
      state: "state-of-the-program",
      code_challenge: createHash("sha256").update(this.verifier).digest("base64url"),
      code_challenge_method: "S256",
      ...change,
    };
    return `/oauth/authorize?${new URLSearchParams(parameters)}`;
  }

  async exchange(fields: Record<string, string>) {
    const reply = await this.request.post("/api/oauth/token", { form: { client_id: this.clientId, ...fields } });
    const body = (await reply.json()) as Record<string, string>;
    for (const name of ["access_token", "refresh_token"]) used(body[name] ?? "", `an agent's ${name}`);
    return { status: reply.status(), headers: reply.headers(), body };
  }

  async isActive(token: string): Promise<boolean> {
    const reply = await this.request.post("/api/oauth/introspect", { form: { client_id: this.clientId, token } });
    return (await reply.json()).active;
  }

  answer(): Promise<URLSearchParams> {
    return this.server.answer();
  }

  stop(): void {
    this.server.stop();
  }
}

let program: Program;
test.beforeEach(async ({ request }) => {
  program = await Program.start(request);
  await program.register();
});
test.afterEach(() => program.stop());

const allow = (page: Page) => page.getByRole("button", { name: "Allow", exact: true }).click();

test("a person connects an agent, sees it among the connected ones, and disconnects it", async ({
  browser,
  baseURL,
}) => {
  const person = await BrowserPerson.signedIn(browser, "agents");
  const { page } = person;
  await page.goto(program.asking());
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Connect Test agent?");
  await expect(page.getByRole("main")).toContainText("127.0.0.1");
  await expect(page.getByRole("main")).toContainText("datasets:read");
  await expectAccessible(page);
  await allow(page);
  const answer = await program.answer();
  expect(Object.fromEntries(answer)).toMatchObject({ state: "state-of-the-program", iss: baseURL });
  const proof = { code_verifier: program.verifier, redirect_uri: program.callback };
  const { status, headers, body } = await program.exchange({
    grant_type: "authorization_code",
    code: answer.get("code") ?? "",
    ...proof,
  });
  expect([status, headers["cache-control"], body.token_type, body.scope]).toEqual([
    200,
    "no-store",
    "Bearer",
    "datasets:read",
  ]);
  const refreshed = await program.exchange({ grant_type: "refresh_token", refresh_token: body.refresh_token ?? "" });
  expect(await program.isActive(refreshed.body.access_token ?? "")).toBe(true);

  await page.goto("/settings/access");
  const limits = page.getByRole("region", { name: "Limits" });
  await expect(limits.getByRole("listitem").filter({ hasText: "Test agent" })).toContainText("Queries today 0 of");
  // it has none to take
  await expect(limits.getByRole("meter", { name: /^Downloads today, Test agent/ })).toHaveCount(0);
  const agents = page.getByRole("table", { name: "Connected agents" });
  await expect(agents.getByRole("row", { name: /Test agent/ })).toContainText("Query public datasets");
  await agents.getByRole("button", { name: /Disconnect/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disconnect agent" }).click();
  await expect(page.getByText("No connected agents")).toBeVisible();
  expect(await program.isActive(refreshed.body.access_token ?? "")).toBe(false);
  expect(
    (await program.exchange({ grant_type: "refresh_token", refresh_token: refreshed.body.refresh_token ?? "" })).body
      .error,
  ).toBe("invalid_grant");
});

test("a person who allows it before the page is interactive has allowed it", async ({ browser }) => {
  const { page } = await BrowserPerson.signedIn(browser, "agents-early");
  const scripts = await held(page, "**/_next/static/**/*.js");
  await page.goto(program.asking(), { waitUntil: "commit" });
  await allow(page);
  await scripts.asked;
  await scripts.release();
  expect((await program.answer()).get("code")).not.toBe(null);
});

test("a person who is not signed in signs in first and returns to the request", async ({ browser }) => {
  const person = await BrowserPerson.signedIn(browser, "agents");
  const later = await person.elsewhere(browser);
  await later.page.goto(program.asking());
  await expect(later.page).toHaveURL(/\/sign-in\?callbackUrl=/);
  await later.page.getByLabel("Email").fill(later.email);
  await later.passwordField.fill(later.password);
  await later.page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(later.page.getByRole("heading", { level: 1 })).toHaveText("Connect Test agent?");
});

test("if a person does not allow it, the program is told so", async ({ browser }) => {
  const { page } = await BrowserPerson.signedIn(browser, "agents");
  await page.goto(program.asking());
  await page.getByRole("button", { name: "Deny" }).click();
  const answer = await program.answer();
  expect([answer.get("error"), answer.get("state"), answer.get("code")]).toEqual([
    "access_denied",
    "state-of-the-program",
    null,
  ]);
});

test("a request with another redirect URL, or an unknown program, redirects the person nowhere", async ({
  browser,
}) => {
  const { page } = await BrowserPerson.signedIn(browser, "agents");
  for (const change of [
    { redirect_uri: `${program.callback}x` },
    { redirect_uri: "https://evil.example/" },
    { client_id: "nobody" },
  ]) {
    await page.goto(program.asking(change));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("This app cannot be connected");
    await expect(page).toHaveURL(/\/oauth\/consent/);
  }
  expect(program.answers).toEqual([]);
});

test("a program that sends no code challenge is answered immediately, with 302 and the issuer", async ({
  request,
  baseURL,
}) => {
  const reply = await request.get(program.asking({ code_challenge_method: "plain" }), { maxRedirects: 0 });
  expect(reply.status()).toBe(302);
  const location = new URL(reply.headers().location ?? "");
  expect([
    location.origin + location.pathname,
    location.searchParams.get("error"),
    location.searchParams.get("iss"),
  ]).toEqual([program.callback, "invalid_request", baseURL]);
});

test(
  "who opens the question of such a request is sent on with 302 too, never with a status that repeats " + "a post",
  async ({ browser, baseURL }) => {
    const { page } = await BrowserPerson.signedIn(browser, "agents");
    const query = program.asking({ code_challenge_method: "plain" }).split("?")[1] ?? "";
    const first = await page.context().request.get(`${baseURL}/oauth/consent?${query}`, { maxRedirects: 0 });
    const next = new URL(first.headers().location ?? "", baseURL);
    expect([next.origin, next.pathname]).toEqual([baseURL, "/oauth/authorize"]);
    const last = await page.context().request.get(next.href, { maxRedirects: 0 });
    expect([last.status(), last.headers().location?.split("?")[0]]).toEqual([302, program.callback]);
  },
);

test("another site's page cannot answer for a person, and the consent page cannot be framed", async ({
  browser,
  baseURL,
}) => {
  const { page } = await BrowserPerson.signedIn(browser, "agents");
  const query = program.asking().split("?")[1] ?? "";
  const { workspaces } = await (await page.context().request.get(`${baseURL}/api/account`)).json();
  const data = { request: query, decision: "allow", workspace_id: workspaces[0].id };
  for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }, {}] as Record<
    string,
    string
  >[]) {
    const reply = await page.context().request.post(`${baseURL}/api/account/agent-consent`, { data, headers });
    expect([reply.status(), (await reply.json()).error]).toEqual([403, "forbidden_origin"]);
  }
  const shown = await page.goto(`/oauth/consent?${query}`);
  expect(shown?.headers()["x-frame-options"]).toBe("DENY");
  expect(shown?.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
});

test("nobody can connect to another person's workspace", async ({ browser, baseURL }) => {
  const { page } = await BrowserPerson.signedIn(browser, "agents");
  const other = await BrowserPerson.signedIn(browser, "others");
  const { workspaces } = await (await other.page.context().request.get(`${baseURL}/api/account`)).json();
  const data = { request: program.asking().split("?")[1] ?? "", decision: "allow", workspace_id: workspaces[0].id };
  const reply = await page
    .context()
    .request.post(`${baseURL}/api/account/agent-consent`, { data, headers: { origin: baseURL ?? "" } });
  expect([reply.status(), (await reply.json()).error]).toEqual([404, "not_found"]);
});

test("the metadata documents name the endpoints, and these reply with OAuth's own errors", async ({
  request,
  baseURL,
}) => {
  const server = await (await request.get("/.well-known/oauth-authorization-server")).json();
  const resource = await (await request.get("/.well-known/oauth-protected-resource/api/mcp")).json();
  expect(server).toMatchObject({
    issuer: baseURL,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  });
  expect(resource).toMatchObject({ resource: `${baseURL}/api/mcp`, authorization_servers: [baseURL] });
  for (const name of ["token_endpoint", "revocation_endpoint", "introspection_endpoint"]) {
    const reply = await request.post(server[name], {
      form: { client_id: "nobody", grant_type: "refresh_token", refresh_token: "x", token: "x" },
    });
    expect([name, reply.status(), (await reply.json()).error]).toEqual([name, 401, "invalid_client"]);
    expect((await request.get(server[name])).status()).toBe(405);
  }
  const bad = await request.post(server.registration_endpoint, { data: { redirect_uris: ["javascript:alert(1)"] } });
  expect([bad.status(), (await bad.json()).error]).toEqual([400, "invalid_redirect_uri"]);
});
