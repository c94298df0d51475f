import { readFileSync } from "node:fs";
import { type APIRequestContext, expect } from "@playwright/test";
import { expectAccessible } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { test } from "./test";

const DATASET = "/datasets/mauna-loa-co2";

test("a visitor who wants a table as CSV signs up and gets the file that they came for", async ({ browser }) => {
  const person = await BrowserPerson.arrive(browser, "whole-file");
  const { page } = person;
  await page.goto(DATASET);
  await page.getByRole("link", { name: "Download", exact: true }).click();
  await expect(page).toHaveURL(/\/sign-up\?callbackUrl=/);
  const wanted = new URL(page.url()).searchParams.get("callbackUrl") ?? "";
  await person.signUp(`/sign-up?callbackUrl=${encodeURIComponent(wanted)}`);
  await expect(page).toHaveURL(new RegExp(`${wanted}$`));
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "CSV", exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^mauna-loa-co2-.*\.csv$/);
  const lines = readFileSync(await download.path(), "utf8").split("\r\n");
  const { table, columns } = await (await page.request.get(await schemaOf(page.request))).json();
  expect(lines).toHaveLength(table.rows + 2); // a header, and nothing after the last line's end
  expect(lines[0]).toBe(columns.map(({ name }: { name: string }) => name).join(","));
});

test("an address with a format starts the file by itself, without script too", async ({ browser }) => {
  const { page } = await BrowserPerson.signedIn(browser, "whole-file", { javaScriptEnabled: false });
  await page.goto(DATASET);
  const href = (await page.getByRole("link", { name: "Download", exact: true }).getAttribute("href")) ?? "";
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.goto(`${href}?format=parquet`).catch(() => undefined), // the navigation becomes the file
  ]);
  expect(download.suggestedFilename()).toMatch(/\.parquet$/);
  expect(
    readFileSync(await download.path())
      .subarray(0, 4)
      .toString(),
  ).toBe("PAR1");
});

async function schemaOf(request: APIRequestContext): Promise<string> {
  const { tables } = await (await request.get("/api/v2/public/datasets/mauna-loa-co2")).json();
  return tables[0].schema_url;
}
