// Takes screenshots of the pages of e2e/page-list.ts at desktop and phone size and in the dark: those shown in the
// README into docs/screenshots, or all of them into SCREENSHOTS_DIR.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { BrowserPerson } from "./browser-person";
import { type ListedPage, PAGES } from "./page-list";
import { test } from "./test";

const ROOT = resolve(import.meta.dirname, "..");
const FOLDER = resolve(process.env.SCREENSHOTS_DIR ?? join(ROOT, "docs", "screenshots"));
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const HEIGHT_MAX = 2600;
const LOOKS = [
  { look: "desktop", width: 1280, height: 900, colorScheme: "light" },
  { look: "phone", width: 360, height: 780, colorScheme: "light" },
  { look: "dark", width: 1280, height: 900, colorScheme: "dark" },
] as const;

let person: BrowserPerson | undefined;

test.beforeAll(() => void mkdirSync(FOLDER, { recursive: true }));

const wanted = (file: string) => process.env.SCREENSHOTS_DIR !== undefined || README.includes(`/${file})`);

for (const listed of PAGES) {
  const looks = LOOKS.map((look) => ({ ...look, file: `${listed.name}-${look.look}.webp` })).filter(({ file }) =>
    wanted(file),
  );
  if (looks.length === 0) continue;
  test(`${listed.name}`, async ({ browser }) => {
    const page = await pageOf(listed, browser);
    for (const { file, width, height, colorScheme } of looks) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.goto(listed.path);
      await page.waitForLoadState("networkidle");
      writeFileSync(join(FOLDER, file), await picture(page, width));
    }
    if (listed.reader === "anyone") await page.context().close();
  });
}

async function pageOf({ reader }: ListedPage, browser: Browser): Promise<Page> {
  if (reader === "anyone") return (await browser.newContext()).newPage();
  person ??= await settledPerson(browser);
  return person.page;
}

/** Somebody with a key and a source credential, so that their pages show what they are for. */
async function settledPerson(browser: Browser): Promise<BrowserPerson> {
  const settled = await (await BrowserPerson.arrive(browser, "screenshots")).signUp(
    "/sign-up?callbackUrl=%2Fsettings%2Faccess",
  );
  const { page } = settled;
  await page.getByLabel("Name").fill("laptop");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("region", { name: /Copy this key now/ }).waitFor();
  await page.goto("/settings/secrets");
  await page.getByRole("button", { name: "Add a secret" }).click();
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("weather");
  await page.getByRole("dialog").getByLabel("Kind").selectOption({ label: "Bearer token" });
  await page.getByRole("dialog").getByLabel("Token", { exact: true }).fill("an-example-that-opens-nothing");
  await page.getByRole("button", { name: "Store secret" }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  return settled;
}

/** The page from its top, as WebP, which keeps the repository small. */
async function picture(page: Page, width: number): Promise<Buffer> {
  const full = await page.evaluate(() => document.documentElement.scrollHeight);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", {
    format: "webp",
    quality: 80,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height: Math.min(full, HEIGHT_MAX), scale: 1 },
  });
  await session.detach();
  return Buffer.from(data, "base64");
}
