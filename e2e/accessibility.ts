import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const CONTRAST = "color-contrast";

interface Scope {
  /** The state of the page, for the failure's message. */
  when?: string;
  /** A part of the page alone. */
  within?: string;
}

/** Fails where axe finds something: by all rules in light, by the contrasts, which alone a theme changes, in dark. */
export async function expectAccessible(page: Page, { when = page.url(), within }: Scope = {}): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  expect(await violations(within, page, { runOnly: [CONTRAST] }), `${when}, dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await violations(within, page), when).toEqual([]);
}

/**
 * The same by all rules but the contrasts, which take three quarters of the time: for a further page made of what
 * another page of its kind is made of.
 */
export async function expectAccessibleStructure(page: Page, { when = page.url(), within }: Scope = {}): Promise<void> {
  expect(await violations(within, page, { rules: { [CONTRAST]: { enabled: false } } }), when).toEqual([]);
}

/** Within this page alone, and without lists of all that passed: a fifth of the time. */
async function violations(within: string | undefined, page: Page, options: object = {}): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"], ...options });
  const found = await (within === undefined ? axe : axe.include(within)).analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** Fails where something to click is smaller than a fingertip, with too little room around it. */
export async function expectRoomyTargets(page: Page): Promise<void> {
  const rule = { runOnly: ["target-size"], rules: { "target-size": { enabled: true } } };
  expect(await violations(undefined, page, rule), page.url()).toEqual([]);
}

/** The narrowest phone, and a desktop's page at 400 % (WCAG 1.4.10). */
const PHONE_WIDTH = 320;

/** Fails where a person with a phone would have to scroll sideways. */
export async function expectFitsPhone(page: Page, when = page.url()): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: PHONE_WIDTH, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth), when).toBeLessThanOrEqual(PHONE_WIDTH);
  if (before) await page.setViewportSize(before);
}
