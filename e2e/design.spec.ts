import { expect, type Page } from "@playwright/test";
import { expectAccessible, expectFitsPhone } from "./accessibility";
import { test } from "./test";

const THEMES = ["Light", "Dark"] as const;
/**
 * Another machine smooths the edges of letters slightly differently. A moved, missing or recoloured element differs by
 * more than this.
 */
const TOLERANCE = { maxDiffPixelRatio: 0.02, animations: "disabled", caret: "hide" } as const;

async function openDesign(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.goto("/design");
  await page.evaluate(() => document.fonts.ready);
}

for (const theme of THEMES) {
  test(`${theme.toLowerCase()}: all components look unchanged`, async ({ page }) => {
    await openDesign(page);
    const specimens = page.getByRole("region", { name: theme, exact: true }).locator("> section");
    const titles = await specimens.locator("> h3").allTextContents();
    expect(titles.length).toBeGreaterThan(9);
    for (const [at, title] of titles.entries()) {
      const name = title.toLowerCase().replace(/[^a-z]+/g, "-");
      await expect.soft(specimens.nth(at)).toHaveScreenshot(`design-${name}-${theme.toLowerCase()}.png`, TOLERANCE);
    }
  });
}

test("axe finds nothing, whichever theme the system asks for, and a phone needs no sideways scrolling", async ({
  page,
}) => {
  await openDesign(page);
  await expectAccessible(page); // it shows everything in both themes, whichever the system asks for
  await expectFitsPhone(page);
});

test("a part of a page keeps its own theme, also in what opens over the page", async ({ page }) => {
  await openDesign(page);
  const groundOf = (selector: string) =>
    page.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await groundOf("[data-theme=light].design-theme")).toBe("rgb(255, 255, 255)");
  expect(await groundOf("[data-theme=dark].design-theme")).toBe("rgb(14, 20, 18)");
  await page.getByRole("region", { name: "Dark", exact: true }).getByRole("button", { name: "Ask a question" }).click();
  expect(await groundOf("dialog[open]")).toBe("rgb(14, 20, 18)");
});

test(
  "by keyboard: a dialog takes the focus and gives it back; a toast is read out, stays while it has the focus, " +
    "and is dismissed",
  async ({ page }) => {
    await openDesign(page);
    const light = page.getByRole("region", { name: "Light", exact: true });
    const ask = light.getByRole("button", { name: "Ask a question" });
    await ask.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: /^Revoke/ })).toBeVisible();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("dialog") !== null)).toBe(true);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(ask).toBeFocused();
    await light.getByRole("button", { name: "Show an error message" }).press("Enter");
    const toast = page.locator(".toaster");
    await expect(toast).toContainText("Copying failed");
    await expect(toast).toHaveRole("status");
    await toast.getByRole("button", { name: "Dismiss" }).press("Enter");
    await expect(toast).toBeEmpty();
  },
);
