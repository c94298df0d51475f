import { expect, type Page } from "@playwright/test";
import { PAGES } from "./page-list";
import { test } from "./test";

const SCRIPT_KB_MAX = 150;

/** Compressed kilobytes of all scripts that the page has loaded once it is idle. */
async function scriptKb(page: Page, path: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const scripts = new Set<string>();
  let bytes = 0;
  session.on("Network.responseReceived", ({ requestId, type }) => void (type === "Script" && scripts.add(requestId)));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  await page.goto(path, { waitUntil: "networkidle" });
  return bytes / 1000;
}

for (const { name, path } of PAGES.filter(({ isReading }) => isReading)) {
  test(`${name}: a reader loads less than ${SCRIPT_KB_MAX} kB of script`, async ({ page }) => {
    const loaded = await scriptKb(page, path);
    expect(loaded).toBeGreaterThan(50); // otherwise nothing was counted
    expect(loaded).toBeLessThan(SCRIPT_KB_MAX);
  });
}
