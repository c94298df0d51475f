import { expect, type Page } from "@playwright/test";
import { HANDSHAKE_VERSIONS } from "@/lib/mcp/server";
import { BrowserPerson } from "./browser-person";
import { CallbackServer } from "./callback-server";
import { tableOf } from "./catalogue";
import { LIBRARIES, RealAgent } from "./real-agent";
import { test } from "./test";

let callback: CallbackServer;
test.beforeEach(async () => {
  callback = await CallbackServer.start();
});
test.afterEach(() => callback.stop());

const connector = (path = ""): string => `${test.info().project.use.baseURL}/api/mcp${path}`;
const signedUp = async (browser: Parameters<typeof BrowserPerson.arrive>[0]): Promise<Page> =>
  (await (await BrowserPerson.arrive(browser, "agent-flow")).signUp()).page;

async function disconnect(page: Page): Promise<void> {
  await page.goto("/settings/access");
  await page
    .getByRole("table", { name: "Connected agents" })
    .getByRole("button", { name: /Disconnect/ })
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Disconnect agent" }).click();
  await expect(page.getByText("No agent is connected")).toBeVisible();
}

for (const library of LIBRARIES) {
  test(`${library} reads without a person, asks for one when a tool needs it, and goes on; disconnected, it is refused and asks again`, async ({
    browser,
    request,
  }) => {
    const page = await signedUp(browser);
    const { tableId } = await tableOf(request, "palmer-penguins");
    const count = { table_id: tableId, columns: [], aggregates: [{ function: "count", as: "n" }] };
    const agent = new RealAgent(library, connector(), callback);
    await agent.connect();
    expect((await agent.call("search", { query: "penguins" })).isError).toBe(false);
    expect(agent.keeper.asked).toBeUndefined();

    const asked = await agent.expectSignIn(() => agent.call("query_table", count));
    expect([asked.searchParams.get("resource"), asked.searchParams.get("scope")]).toEqual([connector(), "datasets:read"]);
    await agent.allow(page, asked);
    expect((await agent.call("query_table", count)).structured).toMatchObject({ rows: [{ n: 344 }] });
    expect((await agent.call("connect_dataset", { slug: "palmer-penguins" })).structured).toMatchObject({ connected: true });
    expect((await agent.call("connect_dataset", { slug: "palmer-penguins" })).isError).toBe(false);
    expect((await agent.call("list_connected_datasets")).structured).toMatchObject({ datasets: [{ slug: "palmer-penguins" }] });
    for (const version of HANDSHAKE_VERSIONS) {
      await agent.connect(version);
      expect([version, (await agent.call("query_table", count)).isError]).toEqual([version, false]);
    }

    const before = agent.keeper.saved;
    agent.keeper.saved = { ...before, access_token: `svc_oat_${"x".repeat(43)}`, token_type: "Bearer" };
    expect((await agent.call("query_table", count)).isError).toBe(false);
    expect(agent.keeper.saved?.refresh_token).not.toBe(before?.refresh_token);

    await page.goto("/settings/access");
    await expect(page.getByRole("table", { name: /^Usage by key and agent/ })).toContainText("Real agent");
    await disconnect(page);
    const again = await agent.expectSignIn(() => agent.call("query_table", count));
    expect(again.pathname).toBe("/oauth/authorize");
    await agent.close();
  });

  test(`${library} at the address for accounts signs its person in before anything else, and its token is good there alone`, async ({ browser, request }) => {
    const page = await signedUp(browser);
    const agent = new RealAgent(library, connector("/account"), callback);
    const asked = await agent.expectSignIn(() => agent.connect());
    expect(asked.searchParams.get("resource")).toBe(connector("/account"));
    await agent.allow(page, asked);
    await agent.connect();
    expect((await agent.call("list_connected_datasets")).structured).toMatchObject({ datasets: [] });
    const headers = { authorization: `Bearer ${agent.keeper.saved?.access_token}` };
    const elsewhere = await request.post("/api/mcp", { headers, data: { jsonrpc: "2.0", id: 1, method: "tools/list" } });
    expect([elsewhere.status(), elsewhere.headers()["www-authenticate"]]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
    await agent.close();
  });
}

test("a consent that leaves reading out is asked for again, beside what it has", async ({ browser }) => {
  const page = await signedUp(browser);
  const agent = new RealAgent(LIBRARIES[0], connector(), callback);
  await agent.connect();
  const asked = await agent.expectSignIn(() => agent.call("list_connected_datasets"));
  asked.searchParams.set("scope", "datasets:build");
  await agent.allow(page, asked);
  const more = await agent.expectSignIn(() => agent.call("list_connected_datasets"));
  expect(more.searchParams.get("scope")?.split(" ").sort()).toEqual(["datasets:build", "datasets:read"]);
  await agent.allow(page, more);
  expect((await agent.call("list_connected_datasets")).isError).toBe(false);
  await agent.close();
});

test("a browser's session opens nothing on the connector, from the service's own pages either", async ({ browser }) => {
  const page = await signedUp(browser);
  await page.goto("/settings/access");
  const statuses = await page.evaluate(async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_connected_datasets", arguments: {} } });
    const ask = async (path: string) =>
      (await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, credentials: "include", body })).status;
    return [await ask("/api/mcp"), await ask("/api/mcp/account")];
  });
  expect(statuses).toEqual([401, 401]);
});
