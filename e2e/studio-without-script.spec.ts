import { createServer, type Server } from "node:http";
import { expect, type Page } from "@playwright/test";
import { expectFitsPhone } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { portOf } from "./ports";
import { parquetryBeside, payFor } from "./service";
import { test } from "./test";

const ADDRESS = `127.0.0.1:${portOf("scriptless")}`;

const recipe = (gauge: string) => `
schema_version: service-recipe.v1
sources:
  - {name: office, kind: http, url: "http://${ADDRESS}/${gauge}.csv", reader: {format: csv}}
tables:
  - name: levels
    title: Levels
    from: office
    steps:
      - {step: parse, columns: [level], as: int32}
    columns:
      - {name: gauge, type: string}
      - {name: level, type: int32, unit: cm}
    primary_key: [gauge]
refresh: {every: P1D}
publish: {license: CC0-1.0, publisher: {name: Office of the studio without script}}
`;

let office: Server;
test.beforeAll(async () => {
  office = createServer(({ url = "" }, reply) =>
    reply.writeHead(200, { "content-type": "text/csv" }).end(`gauge,level\nA${url.length},12\nB,7\n`),
  );
  await new Promise<void>((resolve) => office.listen(portOf("scriptless"), "127.0.0.1", resolve));
});
test.afterAll(() => office.close());

/** Reloads a run's page until it says this. Nothing on it updates automatically. */
async function reloadUntil(page: Page, words: string): Promise<void> {
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("main")).toContainText(words, { timeout: 1_000 });
  }).toPass();
}

async function registerAndApprove(page: Page, text: string): Promise<void> {
  await page.getByLabel("Recipe, as YAML or JSON").fill(text);
  await page.getByRole("button", { name: "Register and plan a run" }).click();
  await page.getByRole("button", { name: "Run a sample" }).click();
  await reloadUntil(page, "Awaits approval");
  await expectFitsPhone(page);
  await page.getByRole("link", { name: "Review and approve" }).click();
  await expect(page.getByRole("table", { name: "Sources" })).toContainText(ADDRESS);
  await expectFitsPhone(page);
  await page.getByRole("button", { name: "Approve and make current" }).click();
  await reloadUntil(page, "Sealed");
}

test("without script a person builds a dataset, pauses its schedule, rolls back, and sees what it uses", async ({
  browser,
}) => {
  const { page } = await BrowserPerson.signedIn(browser, "no-script", { javaScriptEnabled: false });
  const account = await (await page.context().request.get("/api/account")).json();
  const workspace: string = account.workspaces[0]?.id ?? "";
  await payFor(workspace);
  await page.goto("/studio");
  await expect(page.getByRole("table", { name: "Usage" })).toContainText("Runs today");
  await page.getByRole("link", { name: "New dataset" }).click();
  await page.getByLabel("Title").fill("Levels without script");
  await expectFitsPhone(page);
  await page.getByRole("button", { name: "Create and write a recipe" }).click();

  const editor = page.getByLabel("Recipe, as YAML or JSON");
  await expect(editor).toHaveValue(/service-recipe\.v1/);
  await expect(page.getByRole("button", { name: "Check only" })).toBeHidden();
  await editor.fill(recipe("first").replace("step: parse", "step: pars"));
  await page.getByRole("button", { name: "Register and plan a run" }).click();
  await expect(page.getByRole("main")).toContainText("The recipe was not registered.");
  await expect(page.getByRole("main")).toContainText('Unknown step: "pars".');
  await expectFitsPhone(page);
  await page.goBack();
  await expect(editor).toHaveValue(/step: pars,/);
  await registerAndApprove(page, recipe("first"));

  await page.goto("/studio");
  await page.getByRole("link", { name: "Levels without script" }).click();
  const schedule = page.getByRole("region", { name: "Schedule" });
  await reloadUntil(page, "Sources are read every day (time zone: UTC)."); // planned soon after the approval
  await page.getByRole("button", { name: "Pause schedule" }).click();
  await expect(schedule).toContainText("It was paused by a member");
  await page.getByRole("button", { name: "Resume schedule" }).click();
  await expect(page.getByRole("button", { name: "Pause schedule" })).toBeVisible();
  await expectFitsPhone(page);

  await page.getByRole("link", { name: "View or edit" }).click();
  await registerAndApprove(page, `${recipe("second-one")}# of another gauge\n`);
  await page.goto("/studio"); // a dataset, and a button: rolled back
  await page.getByRole("link", { name: "Levels without script" }).click();
  const releases = page.getByRole("table", { name: "Releases of Levels" });
  await expect(releases.getByRole("row").nth(1)).toContainText("Current");
  await page.getByRole("link", { name: "Roll back to this…" }).click();
  const difference = page.getByRole("region", { name: "Compared with the current release" });
  await expect(difference).toContainText("levels");
  await expectFitsPhone(page);
  await page.getByRole("button", { name: "Roll back to this version" }).click();
  const isRolledBack = () =>
    expect(releases.getByRole("row").nth(2).getByText("Current", { exact: true })).toBeVisible();
  await isRolledBack();
  await page.getByRole("link", { name: "Publish…" }).click(); // what is current, not the last run's result
  await page.getByRole("button", { name: "Publish to everyone" }).click();
  await expect(page.getByRole("link", { name: "Public page" })).toBeVisible();
  await isRolledBack();
  await changeTexts(page);
  await withdrawAndRestore(page);
  await isRolledBack();

  await page.goto("/studio");
  const usage = page.getByRole("table", { name: "Usage" });
  await expect(usage.getByRole("row", { name: /^Runs today/ })).toContainText(/[1-9]/);
  await expect(usage.getByRole("row", { name: /^Snapshots 2 files/ })).toBeVisible();
  await expect(usage.getByRole("row", { name: /^Versions 2 Parquet files/ })).toBeVisible();
  await expectFitsPhone(page);
  await page.goto("/settings/secrets");
  await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
  await expectFitsPhone(page);
  await endPlan(page, workspace);
});

async function changeTexts(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Title" }).fill("Levels, renamed");
  await page.getByRole("textbox", { name: "Summary" }).fill("Two gauges.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Levels, renamed");
  await expect(page.getByRole("textbox", { name: "Summary" })).toHaveValue("Two gauges.");
  await page.getByRole("textbox", { name: "Title" }).fill("Levels without script");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Levels without script");
}

/** A withdrawn dataset is not found by readers, and is the same again once it is restored. */
async function withdrawAndRestore(page: Page): Promise<void> {
  const href = (await page.getByRole("link", { name: "Public page" }).getAttribute("href")) ?? "";
  const status = async () => (await fetch(new URL(href).href)).status;
  expect(await status()).toBe(200);
  await page.getByRole("link", { name: "Withdraw…", exact: true }).last().click();
  await expect(page.getByRole("main")).toContainText("Its pages, queries, downloads and citations return 404");
  await expectFitsPhone(page);
  await page.getByRole("button", { name: "Withdraw the dataset" }).click();
  await expect(page.getByText("Nobody can read it. Its versions")).toBeVisible();
  await expect.poll(status).toBe(404);
  await page.getByRole("link", { name: "Restore…" }).click();
  await page.getByRole("button", { name: "Restore to everyone" }).click();
  await expect(page.getByText("Everyone can find, query and download it.")).toBeVisible();
  await expect.poll(status).toBe(200);
}

/** In days of grace the studio says until when; after the plan has ended, it shows everything and changes nothing. */
async function endPlan(page: Page, workspace: string): Promise<void> {
  await parquetryBeside("workspace", "plan", workspace, "paid", "--subscription", "past_due");
  await page.goto("/studio");
  await expect(page.getByText("A payment failed")).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Builds and live keys work until");
  await parquetryBeside("workspace", "plan", workspace, "free", "--subscription", "canceled");
  await page.reload();
  await expect(page.getByText("The studio is read-only")).toBeVisible();
  await expect(page.getByRole("link", { name: "See the workspace’s plan" })).toBeVisible();
  await expectFitsPhone(page);
  await page.getByRole("link", { name: "Levels without script" }).click();
  await expect(page.getByText("The studio is read-only")).toBeVisible();
  await expect(page.getByRole("table", { name: "Releases of Levels" }).getByRole("row")).toHaveCount(3);
  for (const name of [/Start a run/, /Pause schedule/, /Save/])
    await expect(page.getByRole("button", { name })).toHaveCount(0);
  await expect(page.getByRole("link", { name: /…$/ })).toHaveCount(0);
  await page.getByRole("link", { name: "All runs" }).click();
  const runs = page.getByRole("table", { name: "Runs" });
  await expect(runs.getByRole("row")).toHaveCount(3);
  await runs.getByRole("link").first().click();
  await expect(page.getByRole("region", { name: "What happened" })).toBeVisible();
  await parquetryBeside("workspace", "plan", workspace, "paid");
  await page.goto("/studio");
  await expect(page.getByText("The studio is read-only")).toHaveCount(0);
}
