import { readFileSync } from "node:fs";
import { type Browser, expect, type Page } from "@playwright/test";
import { tableFromIPC } from "apache-arrow";
import { parquetMetadata } from "hyparquet";
import { expectAccessible, expectFitsPhone } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { watchPolicy } from "./policy-watch";
import { test } from "./test";

const FLIGHTS = "t=flights:us-flights-2001/flights";
const page = (...parts: readonly string[]): string => `/sql?${parts.join("&")}`;
const query = (sql: string): string => `q=${encodeURIComponent(sql)}`;

const reader = async (browser: Browser, options = {}) =>
  (await BrowserPerson.signedIn(browser, "sql-reader", options)).page;

const problem = (on: Page) => on.locator("#content").getByRole("alert");

const said = (on: Page) => on.getByRole("status").filter({ hasText: /row|…/ });

async function run(on: Page): Promise<void> {
  await on.getByRole("button", { name: "Run" }).click();
  await expect(on.getByRole("button", { name: "Run" })).toBeVisible({ timeout: 90_000 });
}

async function rowsOf(on: Page): Promise<string[][]> {
  const rows = on.getByRole("grid", { name: "Rows of the result" }).locator("tbody tr:not(.grid-gap)");
  return (await rows.all()).length === 0
    ? []
    : await rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? "")));
}

async function saved(on: Page, format: string): Promise<Buffer> {
  const button = on.getByRole("button", { name: format, exact: true });
  if (!(await button.isVisible())) await on.locator("summary", { hasText: "Download" }).click();
  const saving = on.waitForEvent("download");
  await button.click();
  return readFileSync(await (await saving).path());
}

test("visitors sign in first, and return to the query", async ({ page: visitor }) => {
  await visitor.goto(page(FLIGHTS, query("SELECT 1 AS one")));
  await expect(visitor).toHaveURL(/\/sign-in\?callbackUrl=%2Fsql%3F/);
  expect(new URL(visitor.url()).searchParams.get("callbackUrl")).toContain("SELECT+1+AS+one");
});

test("all flights are counted by verified bytes, and the result is kept as a grid, files and a link", async ({
  browser,
}) => {
  const on = await reader(browser);
  const held = await watchPolicy(on);
  const sql = "SELECT origin, count(*) AS flights FROM flights GROUP BY origin ORDER BY flights DESC, origin";
  await on.goto(page(FLIGHTS, query(sql)));
  expect(new URL(on.url()).searchParams.get("t")).toMatch(/^flights:us-flights-2001\/flights@[0-9a-f-]{36}$/);
  await run(on);
  await expect(said(on)).toContainText("229 rows");
  await expect(said(on)).toContainText("from verified bytes of flights");
  expect((await rowsOf(on))[0]).toEqual(["ORD", "166,341"]);
  const csv = String(await saved(on, "CSV"))
    .trimEnd()
    .split("\r\n");
  expect([csv[0], csv[1], csv.length]).toEqual(["origin,flights", "ORD,166341", 230]);
  const parquet = parquetMetadata(new Uint8Array(await saved(on, "Parquet")).buffer);
  expect(Number(parquet.num_rows)).toBe(229);
  const about = new Map(parquet.key_value_metadata?.map(({ key, value }) => [key, value]));
  expect(about.get("parquetry.query")).toBe(sql);
  expect(about.get("parquetry.sources")).toContain('"content_digest":"sha256:');
  expect(tableFromIPC(await saved(on, "Arrow")).numRows).toBe(229);
  await expect(on.getByRole("region", { name: "Cite" })).toContainText("sha256:");
  await on.getByRole("button", { name: "Share", exact: true }).click();
  const share = on.getByRole("dialog", { name: "Share this query" });
  await expect(share.getByLabel("Link to this query")).toHaveValue(/\/sql\?t=flights:us-flights-2001\/flights@/);
  await share.getByLabel("Title").fill("Flights by airport");
  await share.getByRole("button", { name: "Create short link" }).click();
  const short = await share.getByLabel("Short link", { exact: true }).inputValue();
  expect(short).toMatch(/\/v\/[0-9A-Za-z]{10}$/);
  const other = await reader(browser);
  await other.goto(short);
  await expect(other).toHaveURL(/\/sql\?t=flights:us-flights-2001\/flights@[0-9a-f-]{36}&q=/);
  await expect(other.getByRole("textbox", { name: "Query" })).toContainText("ORDER BY flights DESC");
  await on.goto("/settings/views");
  const row = on.getByRole("row", { name: /Flights by airport/ });
  await expect(row).toContainText("in SQL");
  await expect(row.getByRole("link", { name: /Tell me when it changes/ })).toHaveCount(0);
  expect(held).toEqual([]);
});

test("tables of two datasets are joined", async ({ browser }) => {
  const on = await reader(browser);
  const sql =
    'SELECT "Date", CO2, count(*) AS quakes FROM quakes JOIN co2 ON date_trunc(\'month\', time) = "Date" ' +
    "GROUP BY ALL ORDER BY ALL";
  await on.goto(page("t=quakes:earthquakes-2018/events", "t=co2:mauna-loa-co2/monthly", query(sql)));
  await run(on);
  expect(await rowsOf(on)).toEqual([
    ["2018-01-01", "408.05", "198"],
    ["2018-02-01", "408.34", "1,509"],
  ]);
  await expect(said(on)).toContainText("from verified bytes of");
  await expect(on.getByRole("region", { name: "Cite" }).getByRole("listitem")).toHaveCount(2);
});

test("a wrong byte is refused, and nothing is read of the file", async ({ browser }) => {
  const on = await reader(browser);
  await on.route(/\/current\?version_id=/, async (route) => {
    const reply = await route.fetch();
    const body = Buffer.from(await reply.body());
    body[body.length >> 1] = (body[body.length >> 1] ?? 0) ^ 1;
    await route.fulfill({ response: reply, body });
  });
  await on.goto(page("t=penguins:palmer-penguins/penguins", query("FROM penguins")));
  await run(on);
  await expect(problem(on)).toContainText("Nothing was read from them.");
  expect(await rowsOf(on)).toEqual([]);
});

test("faults are said where they are, and a query is stopped", async ({ browser }) => {
  const on = await reader(browser);
  await on.goto(page("t=penguins:palmer-penguins/penguins", query("SELECT nothing\nFROM penguins")));
  await run(on);
  await expect(problem(on)).toContainText('Referenced column "nothing" not found');
  await on.goto(page(query("SELECT count(*) FROM range(100000000000) a, range(100000) b")));
  await on.getByRole("button", { name: "Run" }).click();
  await on.getByRole("button", { name: "Stop" }).click();
  await expect(on.getByRole("button", { name: "Run" })).toBeVisible();
});

test("a table is found by words, added and removed, and unknown ones are said", async ({ browser }) => {
  const on = await reader(browser);
  await on.goto(page("t=none:no-such-data/none"));
  await expect(on.getByText("There is no table no-such-data/none that you may read.")).toBeVisible();
  await on.getByLabel("Add a table").fill("penguins");
  await on.getByRole("button", { name: "Find" }).click();
  await on.getByRole("button", { name: /344 rows/ }).click();
  await expect(on).toHaveURL(/palmer-penguins/);
  await on.getByRole("button", { name: "Remove penguins" }).click();
  await expect(on).not.toHaveURL(/palmer-penguins/);
});

test("a view of the explorer opens as a query", async ({ browser }) => {
  const on = await reader(browser);
  await on.goto("/datasets/palmer-penguins/penguins?filter=Species:eq:Gentoo&group=Sex&agg=count::n");
  await on.getByText("DuckDB", { exact: true }).click();
  await on.getByRole("link", { name: "Open in SQL", exact: true }).click();
  await run(on);
  await expect(said(on)).toContainText("4 rows");
  expect((await rowsOf(on)).map((row) => row.join(" ")).sort()).toEqual([". 1", "FEMALE 58", "MALE 61", "null 4"]);
});

test("the page is accessible, by keyboard too, and fits a phone", async ({ browser }) => {
  const on = await reader(browser);
  await on.goto(page("t=penguins:palmer-penguins/penguins", query('FROM penguins SELECT Species, "Body Mass (g)"')));
  await run(on);
  await expectAccessible(on);
  await on.getByRole("button", { name: "Chart" }).click();
  await expect(on.locator("figure.chart")).toBeVisible();
  await expectAccessible(on);
  await expectFitsPhone(on);
  await on.locator(".cm-content").focus();
  await on.keyboard.press("ControlOrMeta+Enter");
  await expect(said(on)).toContainText("344 rows");
});
