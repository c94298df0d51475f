import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible, expectFitsPhone } from "./accessibility";
import { tableOf } from "./catalogue";
import { status } from "./explorer-page";
import { test } from "./test";

const EXPLORER = "/datasets/mime-types/types";

interface Version {
  version_id: string;
  number: number;
  label: string;
  rows: number;
}

async function olderVersion(request: APIRequestContext): Promise<Version> {
  const { tableId } = await tableOf(request, "mime-types");
  const { versions } = await (await request.get(`/api/v2/public/tables/${tableId}/versions`)).json();
  const older = versions.find(({ label }: Version) => label === "1.50.0");
  expect(older.rows).not.toBe(versions[0].rows);
  return older;
}

const count = (rows: number): string => `${rows.toLocaleString("en-US")} rows`;
const GROUPED = "&group=source&agg=count::n&sort=-n";

/** Everything on the page is of this version, and nothing of another. */
async function expectVersion(page: Page, { version_id, rows }: Version): Promise<void> {
  await expect(page.locator("header")).toContainText([count(rows)]);
  await expect(page.getByText("This is an older version")).toBeVisible();
  await expect(page.locator(".answer-facts")).toContainText(version_id.slice(0, 8));
}

test("the explorer shows one version, whether its URL names it by id, label or number", async ({ page, request }) => {
  const older = await olderVersion(request);
  for (const name of [older.version_id, older.label, String(older.number)]) {
    await page.goto(`${EXPLORER}?version=${name}`);
    await expectVersion(page, older);
    await expect(status(page)).toContainText(`of ${count(older.rows)}`);
    await page.goto(`${EXPLORER}?version=${name}${GROUPED}`);
    await expectVersion(page, older);
    const numbers = await page.locator("[data-cell$=':1']").allTextContents();
    expect(numbers.reduce((sum, text) => sum + Number(text.replaceAll(",", "")), 0)).toBe(older.rows);
  }
});

test("a time names the version that was current then, in the explorer and in frames", async ({ page, request }) => {
  const older = await olderVersion(request);
  await page.goto(`${EXPLORER}?as_of=2021-10-01&filter=source:eq:iana`);
  await expectVersion(page, older);
  await expect(page.getByText("This is an older version, 1.50.0, published on")).toBeVisible();
  expect(new URL(page.url()).searchParams.get("version")).toBe(older.version_id);
  expect(new URL(page.url()).search).not.toContain("as_of");
  await expect(page.getByText(/where source is “iana”/)).toBeVisible();
  const frame = await (await request.get("/embed/mime-types/types?limit=5&as_of=2021-10-01")).text();
  expect(frame).toContain(older.version_id);
  for (const search of ["as_of=2001-01-01", "as_of=soon", "as_of=2021-10-01&version=1.50.0"]) {
    const reply = await page.goto(`${EXPLORER}?${search}`);
    expect([400, 404], search).toContain(reply?.status());
    await expect(page.getByText("This version could not be read")).toBeVisible();
  }
});

test("frames, rows, files and comparisons read the same names", async ({ page, request }) => {
  const { version_id, label, number, rows } = await olderVersion(request);
  for (const name of [version_id, label, String(number)]) {
    const frame = await (await request.get(`/embed/mime-types/types?limit=5&version=${name}`)).text();
    expect(frame).toContain(`First 5 of ${count(rows)}`);
    expect(frame).toContain(version_id);
    await page.goto(`${EXPLORER}/rows/${rows}?version=${name}`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(`of ${rows.toLocaleString("en-US")}`);
    await page.goto(`/datasets/mime-types/versions?table=types&from=${name}&to=1.54.0`);
    await expect(page.getByRole("heading", { level: 2, name: /1\.50\.0.* compared with 1\.54\.0/ })).toBeVisible();
    await expect(page.getByLabel("Compare", { exact: true })).toHaveValue(version_id);
    const file = await request.get(`${EXPLORER}/download?version=${name}`, { maxRedirects: 0 });
    expect(file.status()).toBe(307); // to signing up, which comes back
  }
});

test("a version that does not exist is refused in words that name those that do, and no other one is shown", async ({
  page,
}) => {
  for (const path of [
    `${EXPLORER}?version=9.9.9`,
    `${EXPLORER}?version=0b9e1c1e-5d0a-4c4b-9a57-0c7f3f1f2a10`,
    `${EXPLORER}/rows/1?version=9.9.9`,
    `${EXPLORER}/download?version=9.9.9`,
    `${EXPLORER}/download?from=9.9.9&to=1.54.0`,
    "/datasets/mime-types/versions/9.9.9",
  ]) {
    const reply = await page.goto(path);
    expect([path, reply?.status()]).toEqual([path, 404]);
    await expect(page.getByText(/Unknown version: .*Existing versions: 1 to \d+, labelled 1\.54\.0, /)).toBeVisible();
    await expect(page.locator("[data-cell]")).toHaveCount(0);
  }
  const frame = await page.request.get("/embed/mime-types/types?version=9.9.9");
  expect([frame.status(), await frame.text()]).toEqual([404, expect.stringContaining("labelled 1.54.0")]);
  await page.goto(`${EXPLORER}?version=9.9.9`);
  await expectAccessible(page);
  await expectFitsPhone(page);
});
