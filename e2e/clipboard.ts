import type { Page } from "@playwright/test";

/** The content of the clipboard, obtained by pasting: pages of the service may not read the clipboard themselves. */
export async function clipboardOf(page: Page): Promise<string> {
  const field = await page.evaluateHandle(() => document.body.appendChild(document.createElement("textarea")));
  await field.asElement()?.focus();
  await page.keyboard.press("Control+V");
  const text = await page.evaluate((area) => area.value, field);
  await page.evaluate((area) => area.remove(), field);
  return text;
}
