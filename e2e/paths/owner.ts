import { expect } from "@playwright/test";
import { revealed, useKeys } from "../access-page";
import { recipeEditor, recipeField, writeRecipe } from "../recipe-field";
import { payFor } from "../service";
import { noteFound } from "../used-secrets";
import type { Path, Visit } from "./visit";

const ROWS = ["A,2026-01-31,12.5", "B,2026-01-31,7.25", "C,2026-02-01,9"];
const FILE = `gauge,day,level\n${ROWS.join("\n")}\n`;

/** The recipe that the form wrote, as somebody changes it. */
async function rewrite(visit: Visit, from: string, to: string): Promise<void> {
  await expect.poll(() => recipeField(visit.page).inputValue()).toContain(from);
  visit.actions++;
  await writeRecipe(visit.page, (await recipeField(visit.page).inputValue()).replace(from, to));
  await visit.page.keyboard.press("Escape"); // after which Tab leaves the editor, as the hint below it says
}

const openStudio = async (visit: Visit): Promise<void> => {
  await visit.open("/studio");
  await visit.link(visit.note("title"));
};

const publicStatus = async (visit: Visit): Promise<number> =>
  (await fetch(new URL(`/api/v2/public/datasets/${visit.note("slug")}`, visit.page.url()))).status;

/** Approves the sample that the page shows or leads to. */
async function approve(visit: Visit): Promise<void> {
  await visit.link("Review and approve");
  await visit.button("Approve and make current");
  await visit.says("Sealed");
}

/** Somebody whose office publishes a table and answers for it. */
export const OWNER: Path = {
  person: "owner",
  isSignedIn: true,
  isChained: true,
  prepare: async (visit) => payFor((await visit.json("/api/account")).workspaces[0].id),
  tasks: [
    {
      wish: "Make a dataset of a file, without writing a recipe.",
      isSeed: true,
      steps: [
        ["open Publish", (visit) => visit.open("/publish")],
        [
          "choose the file",
          async (visit) => {
            const title = `Levels ${visit.person.email.split("@")[0]}`;
            visit.notes.set("title", title);
            visit.actions++;
            const file = { name: "levels.csv", mimeType: "text/csv", buffer: Buffer.from(FILE) };
            await visit.page.getByLabel("File").setInputFiles(file);
          },
        ],
        ["let it be read", (visit) => visit.button("Read the file")],
        ["write the title", (visit) => visit.write(visit.page.getByLabel("Title"), visit.note("title"))],
        [
          "say that a gauge is a key",
          async (visit) => {
            const key = visit.page.getByRole("table", { name: "Columns" }).getByLabel("gauge is a key");
            await visit.check(key);
          },
        ],
        ["write the licence", (visit) => visit.write(visit.page.getByLabel("Licence"), "CC0-1.0")],
        [
          "write the publisher",
          (visit) => visit.write(visit.page.getByLabel("Publisher"), `Office of ${visit.note("title")}`),
        ],
        [
          "make a sample",
          async (visit) => {
            await visit.button("Make a sample");
            await expect(visit.page.getByRole("link", { name: "Review and approve" })).toBeVisible();
          },
        ],
      ],
    },
    {
      wish: "Look at every row of the sample before anything is published.",
      isSeed: true,
      steps: [
        [
          "open the rows",
          async (visit) => {
            await visit.link("Explore all rows");
            await visit.says("Sample: 3 rows, 3 columns");
            for (const [row, line] of ROWS.entries())
              await expect(visit.cell(row, 0)).toHaveText(line.split(",")[0] ?? "");
          },
        ],
        [
          "go back to the run",
          (visit) => visit.link("Run", visit.page.getByRole("navigation", { name: "Breadcrumb" })),
        ],
      ],
    },
    {
      wish: "Approve the sample.",
      isSeed: true,
      steps: [
        [
          "review and approve it",
          async (visit) => {
            await approve(visit);
            await expect(visit.page.getByRole("region", { name: "Rows of data" })).toContainText("7.25");
          },
        ],
      ],
    },
    {
      wish: "Write what the dataset is.",
      steps: [
        [
          "open the dataset",
          async (visit) => {
            await visit.link(visit.note("title"));
            await expect(visit.page.getByRole("table", { name: /^Releases of/ })).toContainText("Current");
            visit.notes.set("slug", new URL(visit.page.url()).pathname.split("/").at(-1) ?? "");
          },
        ],
        [
          "write a summary",
          (visit) => visit.write(visit.page.getByRole("textbox", { name: "Summary" }), "Three gauges of one river."),
        ],
        [
          "save it",
          async (visit) => {
            await visit.button("Save");
            await expect(visit.page.getByText("Saved.")).toBeVisible();
          },
        ],
      ],
    },
    {
      wish: "Read the private table with a key.",
      steps: [
        ["open the access page", (visit) => visit.open("/settings/access")],
        ["name a key", (visit) => visit.write(useKeys(visit.page).getByLabel("Name"), "office")],
        [
          "create it and read",
          async (visit) => {
            await visit.button("Create key", useKeys(visit.page));
            const key = (await revealed(visit.page).locator("code").first().textContent()) ?? "";
            noteFound(key, "a key on the access page");
            expect(await publicStatus(visit)).toBe(404);
            const { workspaces } = await visit.json("/api/account");
            const own = `/api/v2/build/workspaces/${workspaces[0].id}/datasets/${visit.note("slug")}`;
            const { tables } = await visit.json(own);
            const reply = await fetch(new URL(`/api/v2/public/tables/${tables[0].id}/query`, visit.page.url()), {
              method: "POST",
              headers: { "content-type": "application/json", "x-api-key": key },
              body: JSON.stringify({ columns: ["gauge"], order_by: [{ column: "gauge" }] }),
            });
            expect((await reply.json()).rows).toEqual([{ gauge: "A" }, { gauge: "B" }, { gauge: "C" }]);
          },
        ],
      ],
    },
    {
      wish: "Publish it to everyone.",
      steps: [
        ["open the dataset in the studio", openStudio],
        ["ask to publish", (visit) => visit.link("Publish…")],
        [
          "publish it",
          async (visit) => {
            await visit.button("Publish to everyone");
            await expect(visit.page.getByRole("link", { name: "Public page" })).toBeVisible();
            expect(await publicStatus(visit)).toBe(200);
          },
        ],
        [
          "look at its page as readers see it",
          async (visit) => {
            await visit.link("Public page");
            await visit.heading(visit.note("title"));
            await visit.says("Three gauges of one river.");
          },
        ],
      ],
    },
    {
      wish: "Change the recipe, led to its fault.",
      steps: [
        ["open the dataset in the studio", openStudio],
        ["open the recipe", (visit) => visit.link("View or edit")],
        ["write a key with a slip", (visit) => rewrite(visit, "primary_key:", "primary_kye:")],
        [
          "check it",
          async (visit) => {
            await visit.button("Check only");
            await visit.says("primary_key");
          },
        ],
        [
          "go to the line",
          async (visit) => {
            await visit.button(/^Line \d+/);
            await expect(recipeEditor(visit.page)).toBeFocused();
          },
        ],
        ["fix it", (visit) => rewrite(visit, "primary_kye:", "primary_key:")],
        [
          "check it again",
          async (visit) => {
            await visit.button("Check only");
            await expect(visit.page.getByRole("button", { name: /^Line \d+/ })).toHaveCount(0);
          },
        ],
      ],
    },
    {
      wish: "Release again with a row left out.",
      steps: [
        [
          "add a filter to the recipe",
          (visit) =>
            rewrite(visit, "steps: [", "steps: [{step: filter, filters: [{column: gauge, operator: neq, value: C}]}, "),
        ],
        ["register it", (visit) => visit.button("Register and plan a run")],
        ["run a sample", (visit) => visit.button("Run a sample")],
        [
          "review and approve it",
          async (visit) => {
            await approve(visit);
            await visit.says("Sealed, 2 rows");
          },
        ],
      ],
    },
    {
      wish: "Go back to the release before.",
      steps: [
        ["open the dataset in the studio", openStudio],
        ["ask to roll back", (visit) => visit.link("Roll back to this…")],
        [
          "see the difference and do it",
          async (visit) => {
            await expect(visit.page.getByRole("region", { name: "Compared with the current release" })).toBeVisible();
            await visit.button("Roll back to this version");
            const releases = visit.page.getByRole("table", { name: /^Releases of/ });
            await expect(releases.getByRole("row").nth(2).getByText("Current", { exact: true })).toBeVisible();
            expect((await visit.table(visit.note("slug"))).rows).toBe(3);
          },
        ],
      ],
    },
    {
      wish: "See which check a run fails, and end it there.",
      steps: [
        ["open the dataset in the studio", openStudio],
        ["open the recipe", (visit) => visit.link("View or edit")],
        ["demand more rows than there are", (visit) => rewrite(visit, "min: 1}", "min: 1000}")],
        ["register it", (visit) => visit.button("Register and plan a run")],
        ["run a sample", (visit) => visit.button("Run a sample")],
        [
          "read why",
          async (visit) => {
            await expect(visit.page.getByRole("table", { name: "Checks" })).toContainText("Failed");
            await visit.says("There are at least 1000 rows: 1 failure.");
          },
        ],
        [
          "cancel the run",
          async (visit) => {
            await visit.button("Cancel the run");
            await visit.says(/Cancelled/);
          },
        ],
      ],
    },
    {
      wish: "Withdraw the dataset, and restore it.",
      steps: [
        ["open the dataset in the studio", openStudio],
        [
          "ask to withdraw it",
          (visit) => visit.press(visit.page.getByRole("link", { name: "Withdraw…", exact: true }).last()),
        ],
        [
          "withdraw it",
          async (visit) => {
            await visit.button("Withdraw the dataset");
            await expect(visit.page.getByText("Nobody can read it. Its versions")).toBeVisible();
            expect(await publicStatus(visit)).toBe(404);
          },
        ],
        ["ask to restore it", (visit) => visit.link("Restore…")],
        [
          "restore it",
          async (visit) => {
            await visit.button("Restore to everyone");
            await expect(visit.page.getByText("Everyone can find, query and download it.")).toBeVisible();
            expect(await publicStatus(visit)).toBe(200);
          },
        ],
      ],
    },
    {
      wish: "Keep a view of it for the next meeting.",
      steps: [
        ["open the table", (visit) => visit.open(`/datasets/${visit.note("slug")}`)],
        ["explore it", (visit) => visit.link("Explore the data")],
        ["press Share", (visit) => visit.button("Share")],
        [
          "name the view",
          (visit) => visit.write(visit.page.getByRole("dialog").getByRole("textbox", { name: "Title" }), "For Monday"),
        ],
        ["save it", (visit) => visit.button("Create short link", visit.page.getByRole("dialog"))],
        [
          "find it among the saved views",
          async (visit) => {
            await visit.link("All your saved views");
            await expect(visit.page.getByRole("row", { name: /For Monday/ })).toBeVisible();
          },
        ],
      ],
    },
  ],
};
