import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Frame, type Page } from "@playwright/test";
import type axe from "axe-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const CONTRAST = "color-contrast";

interface Scope {
  /** The state of the page, for the failure's message. */
  when?: string;
  /** Only a part of the page. */
  within?: string;
}

/**
 * Fails if axe finds anything: with all rules in the light theme, and with the contrast rules in the dark one, since a
 * theme changes nothing else.
 */
export async function expectAccessible(page: Page, { when = page.url(), within }: Scope = {}): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  expect(await violations(within, page, { runOnly: [CONTRAST] }), `${when}, dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await violations(within, page), when).toEqual([]);
}

/**
 * The same with all rules except the contrasts, which take three quarters of the time: for a further page built from
 * the same parts as another page of its kind.
 */
export async function expectAccessibleStructure(page: Page, { when = page.url(), within }: Scope = {}): Promise<void> {
  expect(await violations(within, page, { rules: { [CONTRAST]: { enabled: false } } }), when).toEqual([]);
}

/** Without lists of everything that passed, which takes a fifth of the time. */
async function violations(within: string | undefined, page: Page, options: axe.RunOptions = {}): Promise<string[]> {
  await expect(page).toHaveTitle(/./); // of a page in parts, it may arrive with the last one
  for (const frame of page.frames()) await addAxe(frame);
  return await page.evaluate(
    async ({ selector, how }) => {
      const { axe } = window as unknown as AxeWindow;
      const found = await axe.run(selector === undefined ? document : { include: [[selector]] }, how);
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    },
    { selector: within, how: { resultTypes: ["violations"], ...options } satisfies axe.RunOptions },
  );
}

interface Colour {
  r: number;
  g: number;
  b: number;
  alpha: number;
}
interface AxeWindow {
  axe: typeof axe & { commons: { color: { Color: { prototype: { parseString(text: string): Colour } } } } };
}

/** Once per document, since compiling it takes as long as a small page's check. */
async function addAxe(frame: Frame): Promise<void> {
  if (await frame.evaluate(() => "axe" in window)) return;
  await frame.evaluate(AXE);
  await frame.evaluate(() => {
    // a page has few colours, and axe parses one or more for each element: a fifth of the time of the contrasts
    const { prototype } = (window as unknown as AxeWindow).axe.commons.color.Color;
    const parse = prototype.parseString;
    const parsed = new Map<string, Colour>();
    prototype.parseString = function (this: Colour, text) {
      const known = parsed.get(text);
      if (known) return Object.assign(this, known);
      const { r, g, b, alpha } = parse.call(this, text);
      parsed.set(text, { r, g, b, alpha });
      return this;
    };
  });
}

/** Fails if a click target is smaller than a fingertip and has too little room around it. */
export async function expectRoomyTargets(page: Page): Promise<void> {
  const rule = { runOnly: ["target-size"], rules: { "target-size": { enabled: true } } };
  expect(await violations(undefined, page, rule), page.url()).toEqual([]);
}

/** The narrowest phone, which is also a desktop's page at 400 % zoom (WCAG 1.4.10). */
const PHONE_WIDTH = 320;

/** Fails if a person with a phone would have to scroll sideways. */
export async function expectFitsPhone(page: Page, when = page.url()): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: PHONE_WIDTH, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth), when).toBeLessThanOrEqual(PHONE_WIDTH);
  if (before) await page.setViewportSize(before);
}
