import { createServer } from "node:http";
import { expect, type Page } from "@playwright/test";
import { expectAccessible, expectFitsPhone } from "./accessibility";
import { paidPerson } from "./paid-workspace";
import { portOf } from "./ports";
import { recipeEditor, recipeField, writeRecipe } from "./recipe-field";
import { test } from "./test";

const RECIPE = `schema_version: service-recipe.v1
sources:
  - {name: office, kind: http, url: "https://example.org/levels.csv", reader: {format: csv}}
tables:
  - name: levels
    title: Levels
    from: office
    steps:
      - {step: trimm}
    columns:
      - {name: gauge, type: string}
publish:
  license: CC0-1.0
  publisher: {name: Office of the recipe editor’s spec}
`;
const FAULT_LINE = RECIPE.split("\n").findIndex((line) => line.includes("trimm")) + 1;

async function newDataset(page: Page, title: string): Promise<void> {
  await page.goto("/studio/new");
  await page.getByLabel("Title").fill(title);
  await page.getByRole("button", { name: "Create and write a recipe" }).click();
  await expect(recipeEditor(page)).toBeVisible();
}

/** Puts the cursor at the end of a line. */
async function goTo(page: Page, words: string): Promise<void> {
  await page.locator(".cm-line", { hasText: words }).click();
  await page.keyboard.press("End");
}

const choices = (page: Page) => page.getByRole("listbox", { name: "Completions" });

test("a person sees a fault at its line while writing, corrects it, completes keys, and registers", async ({
  browser,
}) => {
  const { page } = await paidPerson(browser, "editor");
  await newDataset(page, "Levels of the editor");
  await writeRecipe(page, RECIPE);

  // checked by itself: a mark at the line, and the list, without a button
  const message = 'Unknown step: "trimm". Did you mean "trim"?';
  await expect(page.getByText("1 problem", { exact: true })).toBeVisible();
  await expect(page.locator(".cm-lintRange-error")).toHaveText("{step: trimm}");
  await page.locator(".cm-lint-marker-error").hover();
  await expect(page.locator(".cm-tooltip-lint")).toHaveText(message);
  await expectAccessible(page);
  await expectFitsPhone(page);

  await recipeEditor(page).focus();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.press("F8");
  await expect(page.getByText(`Line ${FAULT_LINE}: ${message}`)).toBeVisible();
  await page.getByRole("button", { name: `Line ${FAULT_LINE}` }).click();
  await expect(recipeEditor(page)).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Backspace");
  await expect(page.getByText("No problems found.")).toBeVisible();
  await expect(page.locator(".cm-lint-marker-error")).toHaveCount(0);

  // a new step from the list, with the indentation of the one before
  await goTo(page, "step: trim");
  await page.keyboard.press("Enter");
  await page.keyboard.type("- step: li");
  await expect(choices(page).getByRole("option", { name: /^(step: )?limit$/, selected: true })).toBeVisible();
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ControlOrMeta+Space");
  await choices(page).getByRole("option", { name: "rows required" }).click();
  await page.keyboard.type("5");
  await expect(recipeField(page)).toHaveValue(/\n {6}- \{step: trim\}\n {6}- step: limit\n {8}rows: 5\n {4}columns:/);
  await page.keyboard.press("ControlOrMeta+z");
  await expect(recipeField(page)).toHaveValue(/step: limit\n +\n {4}columns:/);
  await page.keyboard.press("ControlOrMeta+y");
  await expect(recipeField(page)).toHaveValue(/rows: 5\n/);

  await page.locator(".cm-line", { hasText: "license" }).locator("span", { hasText: "license" }).first().hover();
  await expect(page.locator(".cm-tooltip-hover")).toContainText("An SPDX identifier, or free text.");

  await page.getByRole("button", { name: "Register", exact: true }).click();
  await expect(page.getByRole("link", { name: "Revision 1" })).toBeVisible();
  await expect(recipeField(page)).toHaveValue(/\{step: limit, rows: 5\}/);
});

test("the keyboard is not trapped in the editor, which has a name and says how to leave it", async ({ browser }) => {
  const { page } = await paidPerson(browser, "editor-keys");
  await newDataset(page, "Levels of the keyboard");
  const editor = page.getByRole("textbox", { name: "Recipe, as YAML or JSON" });
  await editor.focus();
  await expect(editor).toHaveAccessibleDescription(/Tab indents; to leave the editor with it, press Escape first/);
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.press("Tab");
  await expect(recipeField(page)).toHaveValue(/^ {2}schema_version/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(page.getByText("Rows before and after each step")).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(editor).toBeFocused();

  // searching within, and back
  await page.keyboard.press("ControlOrMeta+f");
  await expect(page.getByRole("textbox", { name: "Find" })).toBeFocused();
  await page.keyboard.type("publisher");
  await expect(page.locator(".cm-searchMatch").first()).toHaveText("publisher");
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.keyboard.press("Escape");
  await expect(editor).toBeFocused();

  // what is typed over several lines replaces them, and nothing offends the page's policy
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("a: [");
  await expect(recipeField(page)).toHaveValue("a: []");
  await expect(page.locator(".cm-lint-marker-error")).toHaveCount(1);
});

test("a draft comes back into the editor, until it is discarded", async ({ browser }) => {
  const { page } = await paidPerson(browser, "editor-draft");
  await newDataset(page, "Levels of a draft");
  const first = await recipeField(page).inputValue();
  await writeRecipe(page, RECIPE);
  await page.reload();
  await expect(page.getByText("This is your draft")).toBeVisible();
  await expect(recipeEditor(page)).toContainText("Office of the recipe editor’s spec");
  await page.getByRole("button", { name: "Discard draft" }).click();
  await expect(recipeField(page)).toHaveValue(first);
  await expect(recipeEditor(page)).not.toContainText("Office of the recipe editor’s spec");
});

const FILE = "Gauge;Level\nA;1,5\nB;2,5\nSum;4\n";
const ADDRESS = `127.0.0.1:${portOf("editor")}`;
const STEPS = `schema_version: service-recipe.v1
sources:
  - {name: office, kind: http, url: "http://${ADDRESS}/levels.csv", reader: {format: csv, options: {delimiter: ";"}}}
tables:
  - name: levels
    title: Levels
    from: office
    steps:
      - {step: rename, columns: {Gauge: gauge}}
      - {step: parse, columns: [Level], as: float64, number: {decimal: ","}}
      - {step: filter, filters: [{column: gauge, operator: neq, value: Sum}]}
    columns:
      - {name: gauge, type: string}
      - {name: Level, type: float64}
publish:
  license: CC0-1.0
  publisher: {name: Office of the steps’ spec}
`;

test("a person sees the rows before and after a step, and whether they are those of the text", async ({ browser }) => {
  const office = createServer((_request, reply) => reply.writeHead(200, { "content-type": "text/csv" }).end(FILE));
  await new Promise<void>((resolve) => office.listen(portOf("editor"), "127.0.0.1", resolve));
  const { page } = await paidPerson(browser, "editor-steps");
  await newDataset(page, "Levels step by step");
  const recipe = page.url();
  await writeRecipe(page, STEPS);
  await page.getByText("Rows before and after each step").click();
  await expect(page.getByText("No sample has kept rows. Run a sample of the recipe first.")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Register and plan a run" }).click();
  await page.getByRole("button", { name: "Run a sample" }).click();
  await expect(page.getByRole("link", { name: "Review and approve" })).toBeVisible();
  office.close();
  await page.goto(recipe);
  await page.getByText("Rows before and after each step").click();
  const [before, after] = ["before", "after"].map((side) =>
    page.getByRole("region", { name: `Rows ${side} the step` }),
  );
  if (!before || !after) throw new Error("two sides");

  await goTo(page, "step: parse");
  await expect(page.getByLabel("Step", { exact: true })).toHaveValue("1 levels");
  await expect(before.getByRole("row").nth(1)).toHaveText("A1,5");
  await expect(after.getByRole("row").nth(1)).toHaveText("A1.5");
  await expect(after.locator("mark")).toHaveText(["1.5", "2.5", "4.0"]);
  await expect(after.getByRole("columnheader").nth(1)).toHaveText("Levelfloat64, new type");
  await expect(page.getByText("Changes of this step are marked.")).toBeVisible();
  await expectAccessible(page);
  await expectFitsPhone(page);

  await page.getByLabel("Step", { exact: true }).selectOption("levels: 3. filter");
  await expect(before.getByRole("row", { name: /^Sum \(left out\)/ })).toBeVisible();
  await expect(after.getByRole("row")).toHaveCount(3);
  await expect(page.getByText("After 2 rows")).toBeVisible();

  await page.getByLabel("Step", { exact: true }).selectOption("levels: 1. rename");
  await expect(after.getByRole("columnheader").first()).toContainText("new");
  await goTo(page, "step: rename");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("s");
  await expect(page.getByText("What leads to these rows has been changed since")).toBeVisible();
});
