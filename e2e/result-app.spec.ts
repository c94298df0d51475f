import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect } from "@playwright/test";
import { expectAccessible } from "./accessibility";
import { appHost, underPolicy } from "./app-host";
import type { AppHost, ToolResult } from "./app-host-page";
import { readerKey } from "./service";
import { test } from "./test";

declare const host: AppHost;

const APP = "ui://parquetry/result";
const COPY = "parquetry/result";
const FLIGHTS = {
  table_id: "us-flights-2001/flights",
  group_by: [{ column: "date", bucket: "month", as: "month" }],
  aggregates: [{ function: "count", as: "flights" }],
};

/** A program that shows apps. */
async function connected(): Promise<Client> {
  const extensions = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
  const client = new Client({ name: "host", version: "1" }, { capabilities: { extensions } });
  const headers = { authorization: `Bearer ${readerKey()}` };
  const { baseURL = "" } = test.info().project.use;
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseURL}/api/mcp`), { requestInit: { headers } }));
  return client;
}

/** The same result with markup as values. */
function withMarkup(result: ToolResult): ToolResult {
  const copy = JSON.parse(String(result._meta?.[COPY]));
  copy.structured.columns = [{ name: "<b>name</b>", type: "string" }];
  copy.structured.rows = [
    ["<script>document.title = 'ran'</script>"],
    ["<img src=x onerror=\"document.title='ran'\">"],
  ];
  copy.structured.status = "PARTIAL: <i>2</i> of 3 rows";
  return { ...result, _meta: { [COPY]: JSON.stringify(copy) } };
}

test("a host shows chart, citation and link of a result, values as text, and nothing uses the network", async ({
  page,
  request,
}) => {
  const client = await connected();
  const ask = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })) as ToolResult;
  const flights = await ask("query_table", FLIGHTS);
  const versions = await ask("list_versions", { table_id: "mime-types" });
  const comparison = await ask("compare_versions", { table_id: "mime-types", from: "1.52.0", to: "1.54.0" });
  const rejection = await ask("query_table", { table_id: "mime-types", columns: ["mime"] });
  const [content] = (await client.readResource({ uri: APP })).contents;
  await client.close();

  const site = await appHost();
  await page.goto(site.url);
  const asked: string[] = [];
  page.on("request", (one) => asked.push(one.url()));
  const html = underPolicy(String(content && "text" in content && content.text));
  await page.evaluate(([app, result]) => host.start(app, "dark", result), [html, flights] as const);
  const app = page.frameLocator("iframe");
  const show = (result: ToolResult) => page.evaluate((shown) => host.result(shown), result);

  await expect(app.getByRole("heading", { level: 1 })).toHaveText("us-flights-2001, Flights");
  await expect(app.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(app.getByRole("img", { name: "Line chart: flights by month" })).toBeVisible();
  await expect(app.locator(".chart-line:visible")).toHaveAttribute("d", /^M/);
  const citation = /Cite: us-flights-2001, table \S+.*, sha256:[0-9a-f]{64}, queried .*\/versions\/[0-9a-f-]{36}$/;
  await expect(app.getByText(citation)).toBeVisible();

  const link = app.getByRole("link", { name: "Open this query in the explorer" });
  await link.click();
  await expect.poll(() => page.evaluate(() => host.opened)).toHaveLength(1);
  const [address = ""] = await page.evaluate(() => host.opened);
  expect(await link.getAttribute("href")).toBe(address);
  expect(await (await request.get(address)).text()).toContain("For each month of date, the number of rows");
  await page.evaluate(() => host.opens(false));
  await link.click();
  await expect(app.getByRole("status")).toHaveText(address);
  await page.evaluate(() => host.theme("light"));
  await expect(app.locator("html")).toHaveAttribute("data-theme", "light");

  await show(withMarkup(flights));
  await expect(app.getByRole("cell").first()).toHaveText("<script>document.title = 'ran'</script>");
  await expect(app.getByRole("cell").last()).toHaveText("<img src=x onerror=\"document.title='ran'\">");
  await expect(app.getByRole("columnheader")).toHaveText("<b>name</b>");
  await expect(app.locator("img, i, td > *")).toHaveCount(0);
  expect(await app.locator("html").evaluate((root) => root.ownerDocument.title)).toBe("Result");

  await page.setViewportSize({ width: 320, height: 800 });
  await show(versions);
  await expect(app.getByRole("cell", { name: /^sha256:[0-9a-f]{64}$/ }).first()).toBeVisible();
  await show(comparison);
  await expect(app.getByRole("row", { name: "added 248" })).toBeVisible();
  expect(await app.locator("html").evaluate((root) => root.scrollWidth)).toBeLessThanOrEqual(320);
  await expect(app.getByText(/versions [0-9a-f-]{36} \(sha256:[0-9a-f]{64}\) and /)).toBeVisible();
  await show(rejection);
  await expect(app.getByText(/Unknown column "mime"/)).toBeVisible();
  expect(asked.filter((url) => url !== "about:srcdoc")).toEqual([]);
  site.close();

  await page.goto("about:blank"); // axe cannot inspect a frame without an origin, but an app may be its own host
  await page.setContent(html);
  const told = { jsonrpc: "2.0", method: "ui/notifications/tool-result", params: flights };
  await page.evaluate((message) => window.postMessage(message, "*"), told);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("us-flights-2001, Flights");
  await expectAccessible(page, { when: "the app" });
});
