import type { Page } from "@playwright/test";

/** What the browser blocked, and what it reports about scripts. */
export async function watchPolicy(page: Page): Promise<string[]> {
  const held: string[] = [];
  await page.exposeFunction("held", (what: string) => held.push(what));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) => {
      (globalThis as unknown as { held(what: string): void }).held(`${effectiveDirective} ${blockedURI} ${sample}`);
    });
  });
  page.on("pageerror", (error) => held.push(error.message));
  page.on("console", (message) => {
    if (/Content.Security.Policy|Permissions.Policy|hydrat/i.test(message.text())) held.push(message.text());
  });
  return held;
}
