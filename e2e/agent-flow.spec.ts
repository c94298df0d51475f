import { expect, type Page } from "@playwright/test";
import { DIRECT_VERSION, HANDSHAKE_VERSIONS } from "@/lib/mcp/protocol-versions";
import { BrowserPerson } from "./browser-person";
import { CallbackServer } from "./callback-server";
import { tableOf } from "./catalogue";
import { everyTool } from "./every-tool";
import { LIBRARIES, PROGRAMS, RealAgent } from "./real-agent";
import { readerKey, rowsOf } from "./service";
import { test } from "./test";

let callback: CallbackServer;
test.beforeEach(async () => {
  callback = await CallbackServer.start();
});
test.afterEach(() => callback.stop());

const connector = (path = ""): string => `${test.info().project.use.baseURL}/api/mcp${path}`;
const signedUp = async (browser: Parameters<typeof BrowserPerson.arrive>[0]): Promise<Page> =>
  (await BrowserPerson.signedIn(browser, "agent-flow")).page;

async function disconnect(page: Page): Promise<void> {
  await page.goto("/settings/access");
  await page
    .getByRole("table", { name: "Connected agents" })
    .getByRole("button", { name: /Disconnect/ })
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Disconnect agent" }).click();
  await expect(page.getByText("No connected agents")).toBeVisible();
}

/** Makes all tokens of these kinds expire. No other test has a live agent at the time. */
const expire = (...kinds: string[]) =>
  rowsOf(
    `UPDATE "OAuthToken" SET "expiresAt" = now() - interval '1 minute' WHERE kind::text = ` +
      "ANY(string_to_array($1, ','))",
    [kinds.join(",")],
  );

for (const { library, version } of PROGRAMS) {
  const program = version === undefined ? library : `${library} at ${version}`;

  test(
    `${program} reads without a person, asks for one when a tool needs it, and goes on; disconnected, it is ` +
      "rejected and asks again",
    async ({ browser, request }) => {
      const page = await signedUp(browser);
      const { tableId } = await tableOf(request, "palmer-penguins");
      const count = { table_id: tableId, columns: [], aggregates: [{ function: "count", as: "n" }] };
      const agent = new RealAgent(library, connector(), callback);
      await agent.connect(version);
      expect((await agent.call("search", { query: "penguins" })).isError).toBe(false);
      expect(agent.keeper.asked).toBeUndefined();

      const asked = await agent.expectSignIn(() => agent.call("query_table", count));
      expect([asked.searchParams.get("resource"), asked.searchParams.get("scope")]).toEqual([
        connector(),
        "datasets:read",
      ]);
      await agent.allow(page, asked);
      expect((await agent.call("query_table", count)).structured).toMatchObject({ rows: [[344]] });

      const before = agent.keeper.saved;
      await expire("access");
      expect((await agent.call("query_table", count)).isError).toBe(false);
      expect(agent.keeper.saved?.access_token).not.toBe(before?.access_token);
      expect(agent.keeper.saved?.refresh_token).not.toBe(before?.refresh_token);

      await page.goto("/settings/access");
      await expect(page.getByRole("table", { name: /^Usage by key, agent and device/ })).toContainText("Real agent");
      await disconnect(page);
      const again = await agent.expectSignIn(() => agent.call("query_table", count));
      expect(again.pathname).toBe("/oauth/authorize");
      await agent.close();
    },
  );

  test(`${program} is rejected at each step that its person, or an earlier step, does not allow`, async ({
    browser,
    request,
  }) => {
    const page = await signedUp(browser);
    const agent = new RealAgent(library, connector(), callback);
    await agent.connect(version);
    const attempt = () => agent.call("list_connected_datasets");
    const denied = await agent.answered(page, await agent.expectSignIn(attempt), "Deny");
    expect([denied.get("error"), denied.get("code")]).toEqual(["access_denied", null]);
    await agent.expectSignIn(attempt); // nothing was granted

    const first = await agent.allow(page, await agent.expectSignIn(attempt));
    expect((await attempt()).isError).toBe(false);
    await expect(agent.finish(first)).rejects.toThrow(/code/i); // a code that was used: its tokens end with it
    const afterReplay = await agent.expectSignIn(attempt);

    await agent.allow(page, afterReplay);
    expect((await attempt()).isError).toBe(false);
    await expire("access", "refresh");
    const afterExpiry = await agent.expectSignIn(attempt);

    await agent.allow(page, afterExpiry);
    const { revocation_endpoint } = await (await request.get("/.well-known/oauth-authorization-server")).json();
    const form = {
      token: agent.keeper.saved?.refresh_token ?? "",
      client_id: agent.keeper.information?.client_id ?? "",
    };
    expect((await request.post(revocation_endpoint, { form })).status()).toBe(200);
    const afterRevocation = await agent.expectSignIn(attempt);
    await agent.allow(page, afterRevocation);
    expect((await attempt()).isError).toBe(false);
    await agent.close();
  });

  test(`${program} asks for reading, in addition to what it has, if the consent left it out`, async ({ browser }) => {
    const page = await signedUp(browser);
    const agent = new RealAgent(library, connector(), callback);
    await agent.connect(version);
    const asked = await agent.expectSignIn(() => agent.call("list_connected_datasets"));
    asked.searchParams.set("scope", "datasets:build");
    await agent.allow(page, asked);
    if (library === LIBRARIES[1]) {
      // It refreshes when it should request consent, and gives up at the second 403. A program that drops its refresh
      // token
      // gets to request it.
      await expect(agent.call("list_connected_datasets")).rejects.toThrow("403 after trying upscoping");
      agent.forgetRefreshToken();
      await agent.connect(version);
    }
    const more = await agent.expectSignIn(() => agent.call("list_connected_datasets"));
    expect(more.searchParams.get("scope")?.split(" ").sort()).toEqual(["datasets:build", "datasets:read"]);
    await agent.allow(page, more);
    expect((await agent.call("list_connected_datasets")).isError).toBe(false);
    await agent.close();
  });

  test(
    `${program} at the address for accounts signs its person in before anything else, and its token is good ` +
      "there alone",
    async ({ browser, request }) => {
      const page = await signedUp(browser);
      const agent = new RealAgent(library, connector("/account"), callback);
      const asked = await agent.expectSignIn(() => agent.connect(version));
      expect(asked.searchParams.get("resource")).toBe(connector("/account"));
      await agent.allow(page, asked);
      await agent.connect(version);
      expect((await agent.call("list_connected_datasets")).structured).toMatchObject({ datasets: [] });
      const headers = { authorization: `Bearer ${agent.keeper.saved?.access_token}` };
      const elsewhere = await request.post("/api/mcp", {
        headers,
        data: { jsonrpc: "2.0", id: 1, method: "tools/list" },
      });
      expect([elsewhere.status(), elsewhere.headers()["www-authenticate"]]).toEqual([
        401,
        expect.stringContaining('error="invalid_token"'),
      ]);
      await agent.close();
    },
  );
}

/** Use keys at the oldest and the newest version. lib/mcp/connector.test.ts covers all versions. */
const BY_KEY: ReadonlySet<string> = new Set(["2024-11-05", DIRECT_VERSION]);

for (const library of LIBRARIES) {
  test(`${library} at every version: every tool, with a person's consent and with a use key`, async ({
    browser,
    request,
  }) => {
    const page = await signedUp(browser);
    const { tableId } = await tableOf(request, "palmer-penguins");
    const agent = new RealAgent(library, connector(), callback);
    await agent.connect();
    await agent.allow(page, await agent.expectSignIn(() => agent.call("list_connected_datasets")));
    for (const version of library === LIBRARIES[0] ? [...HANDSHAKE_VERSIONS, DIRECT_VERSION] : HANDSHAKE_VERSIONS) {
      for (const key of BY_KEY.has(version) ? [undefined, readerKey()] : [undefined]) {
        await agent.connect(version, key);
        const calls = everyTool(tableId, key === undefined);
        expect(await agent.tools()).toEqual(calls.map(({ name }) => name));
        for (const { name, args, answer } of calls) {
          await expect(async () => {
            const { isError, structured, text } = await agent.call(name, args);
            if (typeof answer === "string")
              expect([version, name, isError, text]).toEqual([version, name, true, expect.stringContaining(answer)]);
            else
              expect([version, name, isError, structured]).toEqual([
                version,
                name,
                false,
                expect.objectContaining(answer),
              ]);
          }).toPass({ timeout: 180_000 }); // that a query connects a dataset is recorded a moment later
        }
        await agent.close();
      }
    }
  });
}

test("a browser's session is not accepted by the connector, even from the service's own pages", async ({ browser }) => {
  const page = await signedUp(browser);
  await page.goto("/settings/access");
  const statuses = await page.evaluate(async () => {
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "list_connected_datasets", arguments: {} },
    });
    const ask = async (path: string) =>
      (
        await fetch(path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          credentials: "include",
          body,
        })
      ).status;
    return [await ask("/api/mcp"), await ask("/api/mcp/account")];
  });
  expect(statuses).toEqual([401, 401]);
});
