import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible, expectAccessibleStructure, expectFitsPhone } from "./accessibility";
import { tableOf } from "./catalogue";
import { test } from "./test";

const SLUG = "mime-types";
const HISTORY = `/datasets/${SLUG}/versions`;

interface Version {
  version_id: string;
  rows: number;
  content_digest: string;
}

async function versionsOf(
  request: APIRequestContext,
  slug = SLUG,
  table?: string,
): Promise<{ tableId: string; versions: Version[] }> {
  const { tableId } = await tableOf(request, slug, table);
  return { tableId, ...(await (await request.get(`/api/v2/public/tables/${tableId}/versions`)).json()) };
}

async function compared(request: APIRequestContext, from: number, to: number) {
  const { tableId, versions } = await versionsOf(request);
  const search = new URLSearchParams({ from: versions[from]?.version_id ?? "", to: versions[to]?.version_id ?? "" });
  const reply = await request.get(`/api/v2/public/tables/${tableId}/versions/compare?${search}`);
  expect(reply.status()).toBe(200);
  return { comparison: await reply.json(), address: `${HISTORY}?table=types&${search}` };
}

const figure = (page: Page, name: string) =>
  page
    .getByRole("list", { name: "Rows", exact: true })
    .getByRole("listitem")
    .filter({ hasText: new RegExp(`[0-9] ${name}$`) });

test(
  "the newest two releases of the media types differ as the API says, by primary key, and the page " + "shows it",
  async ({ page, request }) => {
    const { comparison, address } = await compared(request, 1, 0);
    const { rows, from, to } = comparison;
    expect(rows).toMatchObject({ compared_by: "primary_key", key: ["mime_type"] });
    expect([rows.unchanged + rows.changed + rows.removed, rows.unchanged + rows.changed + rows.added]).toEqual([
      from.rows,
      to.rows,
    ]);
    await page.goto(HISTORY);
    await page.getByRole("row").nth(1).getByRole("link", { name: "What changed" }).click();
    await expect(page).toHaveURL(new RegExp(`${address.replaceAll("?", "\\?")}#comparison$`));
    for (const name of ["added", "removed", "changed", "unchanged"])
      await expect(figure(page, name)).toContainText(rows[name].toLocaleString("en-US"));
    const [changed] = rows.examples.changed;
    const cells = page.getByRole("table", { name: "Changed cells" });
    await expect(cells).toContainText(changed.key.mime_type);
    await expect(cells.locator("del, ins").first()).toBeVisible();
    await expect(page.getByRole("region", { name: "Examples of added rows" })).toContainText(
      rows.examples.added[0].mime_type,
    );
  },
);

test("two chosen versions, without JavaScript, at a URL that can be shared", async ({ browser, request }) => {
  const { versions } = await versionsOf(request);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(HISTORY);
  const form = page.getByRole("form", { name: "Compare versions of Media types" });
  await form.getByLabel("Compare").selectOption(versions.at(-1)?.version_id ?? "");
  await form.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByRole("heading", { level: 2, name: /1\.45\.0.* compared with 1\.54\.0/ })).toBeVisible();
  const shared = page.url();
  await page.goto(shared);
  await expect(figure(page, "added")).toBeVisible();
  await expect(form.getByLabel("Compare")).toHaveValue(versions.at(-1)?.version_id ?? "");
  await page.getByRole("link", { name: "Swap versions" }).click();
  await expect(page.getByRole("heading", { level: 2, name: /1\.54\.0.* compared with 1\.45\.0/ })).toBeVisible();
  await context.close();
});

test("by keyboard only: from the list to what a version changed", async ({ page }) => {
  await page.goto(HISTORY);
  const link = page.getByRole("link", { name: /What changed/ }).first();
  for (let step = 0; step < 60 && !(await link.evaluate((element) => element === document.activeElement)); step += 1)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(figure(page, "unchanged")).toBeVisible();
});

test(
  "a table without a key is counted by whole rows; versions that are no such thing are told, and the history " +
    "still stands",
  async ({ page, request }) => {
    const { versions } = await versionsOf(request, "language-subtags");
    await page.goto(
      `/datasets/language-subtags/versions?table=subtags&from=${versions[1]?.version_id}&to=${versions[0]?.version_id}`,
    );
    await expect(page.getByText(/entire rows were compared/)).toBeVisible();
    await expect(figure(page, "changed")).toHaveCount(0);
    await page.goto(`${HISTORY}?table=types&from=nonsense&to=${versions[0]?.version_id}`);
    await expect(page.getByText("These versions could not be compared")).toBeVisible();
    await expect(page.getByRole("region", { name: "Versions of Media types" })).toContainText("First version");
  },
);

test("axe finds nothing and nothing scrolls sideways on a phone", async ({ page, request }) => {
  const { address } = await compared(request, 3, 0);
  await page.goto(address);
  await expectAccessible(page);
  await expectFitsPhone(page);
  for (const path of [HISTORY, "/datasets/browser-compatibility/versions", `${HISTORY}?table=types&from=x&to=y`]) {
    await page.goto(path);
    await expectAccessibleStructure(page);
    await expectFitsPhone(page);
  }
});
