import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import { expect, type Page } from "@playwright/test";
import { expectAccessible, expectAccessibleStructure, expectFitsPhone } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { paidPerson } from "./paid-workspace";
import { portOf } from "./ports";
import { recipeEditor, recipeField, writeRecipe } from "./recipe-field";
import { parquetry } from "./service";
import { test } from "./test";
import { used } from "./used-secrets";

/** What an office publishes: its own names, points for thousands and commas for decimals, a row that is no gauge. */
const FILE = 'Gauge;Level;Day\nA;"1.234,5";31.10.2026\nB;"2,5";30.10.2026\nSum;"1.237";31.10.2026\n';
const ADDRESS = `127.0.0.1:${portOf("source")}`;

const RECIPE = `
schema_version: service-recipe.v1
sources:
  - name: office
    kind: http
    url: http://${ADDRESS}/levels.csv
    reader: {format: csv, options: {delimiter: ";"}}
tables:
  - name: levels
    title: Levels
    from: office
    steps:
      - {step: rename, columns: {Gauge: gauge, Level: level, Day: day}}
      - {step: parse, columns: [level], as: float64, number: {decimal: ",", thousands: ["."]}}
      - {step: parse, columns: [day], as: date, date: {formats: ["%d.%m.%Y"]}}
      - {step: filter, filters: [{column: gauge, operator: neq, value: Sum}]}
    columns:
      - {name: gauge, type: string, nullable: false}
      - {name: day, type: date}
      - {name: level, type: float64, unit: cm}
    primary_key: [gauge]
    checks:
      - {check: row_count, min: 2}
      - {check: range, column: level, max: 1000, severity: warn}
publish:
  license: DL-DE-BY-2.0
  publisher: {name: Office of levels of the studio's spec}
`;

let office: Server;
test.beforeAll(async () => {
  office = createServer((_request, reply) => reply.writeHead(200, { "content-type": "text/csv" }).end(FILE));
  await new Promise<void>((resolve) => office.listen(portOf("source"), "127.0.0.1", resolve));
});
test.afterAll(() => office.close());

test("a free workspace says in one sentence what the paid plan offers", async ({ browser }) => {
  const { page } = await BrowserPerson.signedIn(browser, "studio-free");
  await page.goto("/studio");
  await expect(page.getByText("With the paid plan, you can create recipes, runs and private tables")).toBeVisible();
  await expect(page.getByRole("link", { name: "See the workspace’s plan" })).toBeVisible();
  await expectAccessible(page);
});

test("a person writes a recipe, approves its run, and a use key reads the table", async ({ browser }) => {
  const { page, workspace } = await paidPerson(browser, "studio");
  await page.goto("/studio");
  await page.getByRole("link", { name: "New dataset" }).click();
  await page.getByLabel("Title").fill("Levels of the studio");
  await page.getByLabel("Source URL").fill(`http://${ADDRESS}/levels.csv`);
  await page.getByRole("button", { name: "Create and write a recipe" }).click();
  await expect(page.getByRole("table", { name: "Columns found" })).toContainText("Gauge");
  const editor = recipeField(page);
  await expect(editor).toHaveValue(/url: http:.*levels\.csv[\s\S]*delimiter: ;[\s\S]*name: Gauge/);
  await expectAccessible(page);
  await expectFitsPhone(page);
  await writeRecipe(page, RECIPE.replace("step: filter", "step: filtre"));
  await page.getByRole("button", { name: "Check only" }).click();
  await expect(page.getByText("/tables/0/steps/3/step")).toBeVisible();
  await expect(page.getByText('Did you mean "filter"?')).toBeVisible();
  const line = RECIPE.split("\n").findIndex((text) => text.includes("step: filter")) + 1;
  await page.getByRole("button", { name: `Line ${line}` }).click();
  await expect(recipeEditor(page)).toBeFocused();
  await expectAccessible(page);
  await expectFitsPhone(page);

  await writeRecipe(page, RECIPE);
  await page.getByRole("button", { name: "Register and plan a run" }).click();
  await page.getByRole("button", { name: "Run a sample" }).click();
  await page.getByRole("link", { name: "Review and approve" }).click();
  await expect(page.getByRole("table", { name: "Sources" })).toContainText(ADDRESS);
  await expect(page.getByRole("table", { name: "Sources" })).toContainText("New");
  await expect(page.getByRole("table", { name: "Checks" })).toContainText("Passed");
  await expect(page.getByRole("list", { name: "Values that failed" })).toHaveText("gauge Alevel 1234.5");
  await expect(page.getByRole("table", { name: "Rows before and after steps" })).toContainText(
    "4. filter in levelsLeaves out 1 of 3 rows, which the condition excludes32",
  );
  await expectAccessible(page);
  await expectFitsPhone(page);

  await exploreRows(page, "Sample: 2 rows, 3 columns");
  await page.getByRole("link", { name: "Review and approve" }).click();
  await page.getByRole("button", { name: "Approve and make current" }).click();
  await expect(page.getByRole("main")).toContainText("Sealed, 2 rows");
  await expect(page.getByRole("region", { name: "Rows of levels" })).toContainText("1,234.5");
  await expectAccessibleStructure(page);
  await expectFitsPhone(page);

  const rows = await exploreRows(page, "Sealed: 2 rows, 3 columns");
  const stranger = await paidPerson(browser, "studio-stranger");
  expect((await stranger.page.goto(rows))?.status()).toBe(404);
  await stranger.page.close();

  await page.getByRole("link", { name: "Levels of the studio" }).click();
  await expect(page.getByRole("table", { name: "Releases of Levels" })).toContainText("Current");
  await expectAccessibleStructure(page);
  await expectFitsPhone(page);
  expect(await rowsByKey(page, workspace)).toEqual([{ gauge: "A" }, { gauge: "B" }]);

  await page.getByRole("link", { name: "View or edit" }).click();
  await expect(page.getByRole("link", { name: "Revision 1" })).toBeVisible();
  await expect(editor).toHaveValue(/^schema_version: service-recipe\.v1\nsources:\n {2}- name: office/);
  await page.getByRole("button", { name: "Hide the recipe from readers" }).click();
  await page.getByRole("button", { name: "Show the recipe to readers" }).click();
  await expect(page.getByRole("button", { name: "Hide the recipe from readers" })).toBeVisible();
  await page.getByRole("button", { name: "Always ask a person" }).click();
  await expect(page.getByText("A person approves every new recipe of this dataset.")).toBeVisible();
  await expectAccessibleStructure(page);
  await expectFitsPhone(page);
  await page.getByRole("link", { name: "Levels of the studio" }).click();

  await page.getByRole("link", { name: "Publish…" }).click();
  await expect(page.getByRole("main")).toContainText("Current: levels (2 rows).");
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.getByRole("button", { name: "Publish to everyone" }).click();
  await page.getByRole("link", { name: "Public page" }).click();
  const origin = page.getByRole("region", { name: "How it was built" });
  await expect(origin.getByRole("table", { name: "Sources" })).toContainText("levels.csv");
  await expect(origin.getByRole("table", { name: "Checks" })).toContainText("Passed");
  await expect(origin.getByRole("link", { name: "view as JSON" })).toBeVisible();
  await expectAccessibleStructure(page);
  await expectFitsPhone(page);
});

/** The promoted table, as a program with a use key of the workspace reads it. */
async function rowsByKey(page: Page, workspace: string): Promise<unknown> {
  const slug = new URL(page.url()).pathname.split("/").at(-1);
  const made = await page.evaluate(
    async ({ base, dataset }) => {
      const json = { "content-type": "application/json" };
      const key = await fetch(`/api/account/workspaces/${base}/keys`, {
        method: "POST",
        headers: json,
        body: JSON.stringify({ name: "studio" }),
      });
      const own = await fetch(`/api/v2/build/workspaces/${base}/datasets/${dataset}`);
      return [await key.text(), await own.text()];
    },
    { base: workspace, dataset: slug },
  );
  const [{ key }, { tables }] = made.map((text) => JSON.parse(text));
  const reply = await fetch(`http://localhost:${process.env.PORT ?? 4173}/api/v2/public/tables/${tables[0].id}/query`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": used(key, "use key") },
    body: JSON.stringify({ columns: ["gauge"], order_by: [{ column: "gauge" }] }),
  });
  return (await reply.json()).rows;
}

/** Explores the rows of a run from its page, and returns to it. The address of the explorer. */
async function exploreRows(page: Page, made: string): Promise<string> {
  await page.getByRole("link", { name: "Explore all rows" }).click();
  await expect(page.getByRole("main")).toContainText(made);
  const url = page.url();
  const rows = page.locator(".answer-facts [role=status]").first();
  await expect(rows).toHaveText(/^(?:Showing )?[Aa]ll 2 rows/);
  await expectAccessible(page);
  await page.getByRole("searchbox", { name: "Find in rows" }).fill("b");
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 of 2 rows match", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "About gauge" }).click();
  await page.getByRole("dialog", { name: "gauge" }).getByRole("button", { name: "Group by" }).click();
  await expect(rows).toHaveText(/the only group/);
  // nothing of it is published, so there is nothing to cite, share, download or read with a key
  for (const name of ["Share", "Embed", "Download", "API key"])
    await expect(page.getByRole("button", { name, exact: true })).toHaveCount(0);
  await expectFitsPhone(page);
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Run", exact: true }).click();
  return url;
}

test("when the plan has ended, the studio shows what was built and offers nothing that would be refused", async ({
  browser,
}) => {
  const { page, workspace } = await paidPerson(browser, "lapsed");
  await page.goto("/studio");
  const statuses = await page.evaluate(
    async ({ base, recipe }) => {
      const post = (path: string, body: object) =>
        fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
      const created = await post(base, { title: "Levels of a lapsed plan", slug: "levels-lapsed" });
      return [created.status, (await post(`${base}/levels-lapsed/recipe`, { recipe })).status];
    },
    { base: `/api/v2/build/workspaces/${workspace}/datasets`, recipe: RECIPE },
  );
  expect(statuses).toEqual([201, 201]);
  parquetry("workspace", "plan", workspace, "paid", "--subscription", "canceled");
  const main = page.getByRole("main");
  await page.goto("/studio/levels-lapsed/recipe");
  await expect(main).toContainText("The studio is read-only");
  await expect(main.locator("code", { hasText: "name: office" })).toBeVisible();
  await expect(main.getByRole("link", { name: "Revision 1" })).toBeVisible();
  await expectAccessible(page);
  await expectFitsPhone(page);
  for (const path of ["/studio", "/studio/levels-lapsed", "/studio/levels-lapsed/recipe"]) {
    await page.goto(path);
    await expect(main).toContainText("The studio is read-only");
    await expect(main.locator("form, textarea")).toHaveCount(0);
  }
  for (const path of ["/studio/new", "/studio/new/uploads"]) {
    await page.goto(path);
    await expect(main).toContainText("Building requires a paid plan");
    await expect(main.locator("form")).toHaveCount(0);
  }
});

test("another source is inspected while the recipe draft remains, until it is discarded", async ({ browser }) => {
  const { page } = await paidPerson(browser, "sources");
  await page.goto("/studio/new");
  await page.getByLabel("Title").fill("Levels of two sources");
  await page.getByLabel("Source URL").fill(`http://${ADDRESS}/levels.csv`);
  await page.getByRole("button", { name: "Create and write a recipe" }).click();
  const editor = recipeField(page);
  await expect(editor).toHaveValue(/name: Gauge/);
  await writeRecipe(page, RECIPE);
  await page.getByText("Inspect another source").click();
  await page.getByLabel("Source URL").fill(`http://${ADDRESS}/further.csv`);
  await page.getByRole("button", { name: "Inspect" }).click();
  await expect(page.getByRole("table", { name: "Columns found" })).toBeVisible();
  await expect(editor).toHaveValue(RECIPE);
  await page.getByText("As YAML, to copy into a recipe").click();
  await expect(page.locator("code", { hasText: "name: source_2" })).toBeVisible();
  await expectAccessibleStructure(page);
  await expectFitsPhone(page);
  await page.getByRole("button", { name: "Discard draft" }).click();
  await expect(editor).toHaveValue(/name: source\n[\s\S]*name: source_2\n[\s\S]*from: source_2\n/);
});

test("a file is uploaded without script, and a dataset starts from what is found in it", async ({ browser }) => {
  const { page, workspace } = await paidPerson(browser, "uploads");
  await page.goto("/studio");
  await page.getByRole("link", { name: "Uploads" }).click();
  await expectAccessible(page);
  await page.getByLabel(/^File/).setInputFiles({
    ...{ name: "levels of 2026.csv", mimeType: "text/csv", buffer: Buffer.from(FILE) },
  });
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("levels-of-2026.csv is stored")).toBeVisible();
  await expect(page.getByRole("table", { name: "Uploads" })).toContainText("never");
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.getByRole("link", { name: "New dataset" }).click();
  await page.getByLabel("Title").fill("Levels of an upload");
  await page.getByRole("button", { name: "Create and write a recipe" }).click();
  await expect(page.getByRole("table", { name: "Columns found" })).toContainText("Gauge");
  await expect(recipeField(page)).toHaveValue(/kind: upload[\s\S]*upload: levels-of-2026.csv[\s\S]*delimiter: ;/);
  await page.goto(`/studio/new?workspace=${workspace}`);
  await page.getByRole("link", { name: "levels-of-2026.csv" }).click();
  await expect(page.getByText("The source is the upload levels-of-2026.csv.")).toBeVisible();
  await page.getByLabel("Title").fill("Levels of a chosen upload");
  await expectFitsPhone(page);
  await page.getByRole("button", { name: "Create and write a recipe" }).click();
  await expect(page.getByRole("table", { name: "Columns found" })).toContainText("Gauge");
  await page.goto(`/studio/new/uploads?workspace=${workspace}`);
  await page.getByRole("button", { name: /^Delete levels-of-2026/ }).click();
  await expect(page.getByText("levels-of-2026.csv was deleted")).toBeVisible();
  await expect(page.getByText("No uploads yet")).toBeVisible();

  expect(await sendFirstPart(page, workspace)).toBe(202);
  await page.reload();
  const unfinished = page.getByRole("table", { name: "Unfinished uploads" });
  await expect(unfinished).toContainText(`10 B of ${FILE.length} B`);
  await expectAccessible(page);
  await expectFitsPhone(page);
  await unfinished.getByRole("button", { name: /^Delete/ }).click();
  await expect(page.getByText("The unfinished upload was deleted.")).toBeVisible();
  await expect(unfinished).toHaveCount(0);
});

/** Starts to upload a large file as a page does, then breaks off. Returns the status of the reply. */
function sendFirstPart(page: Page, workspace: string): Promise<number> {
  const path = `/api/v2/build/workspaces/${workspace}/uploads/levels`;
  const digest = `sha-256=:${createHash("sha256").update(FILE).digest("base64")}:`;
  const headers = { "content-range": `bytes 0-9/${FILE.length}`, "repr-digest": digest };
  const sent = { path, init: { method: "PUT", headers, body: FILE.slice(0, 10) } };
  return page.evaluate(async ({ path: to, init }) => (await fetch(to, init)).status, sent);
}
