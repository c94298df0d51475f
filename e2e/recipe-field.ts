import { expect, type Page } from "@playwright/test";

/** The recipe's editor, once it has taken the place of the form's field. */
export const recipeEditor = (page: Page) => page.locator(".cm-content");

/** The form's field, which has the text with and without the editor. */
export const recipeField = (page: Page) => page.locator("textarea[name=recipe]");

/** Writes a whole recipe in the editor, as somebody who pastes it. */
export async function writeRecipe(page: Page, text: string): Promise<void> {
  await recipeEditor(page).focus();
  await page.keyboard.press("ControlOrMeta+A");
  await recipeEditor(page).evaluate((editor, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
  await expect(recipeField(page)).toHaveValue(text);
}
