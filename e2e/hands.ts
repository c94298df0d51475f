import { type BrowserContextOptions, expect, type Locator, type Page } from "@playwright/test";

/** How somebody operates a page. */
export interface Hands {
  name: string;
  device: BrowserContextOptions;
  /** Brings the focus to it, by the keys that lead there. */
  reach(target: Locator): Promise<void>;
  /** Activates a link, a button or a summary. */
  press(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  write(field: Locator, text: string): Promise<void>;
  /** Chooses an option of a select by its label. */
  choose(select: Locator, option: string): Promise<void>;
  /** Selects a part of a chart or a map as a range of its axes. */
  brush(chart: Locator): Promise<void>;
}

const DESKTOP = { viewport: { width: 1360, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 } };

/** More key presses than any page has tab stops. */
const STOPS_MAX = 400;

/** The finger rests before it is lifted: after a fling, the browser treats the next tap as the fling's end. */
const TOUCHES = [
  { type: "touchStart", part: 0 },
  { type: "touchMove", part: 0.1 },
  { type: "touchMove", part: 0.3 },
  { type: "touchMove", part: 0.6 },
  { type: "touchMove", part: 1 },
  { type: "touchMove", part: 1 },
  { type: "touchEnd", part: 1 },
] as const;
const TOUCH_SECONDS = 0.2;

const byMouse = {
  reach: (target: Locator) => target.focus(),
  press: (target: Locator) => target.click(),
  write: (field: Locator, text: string) => field.fill(text),
  choose: async (select: Locator, option: string) => void (await select.selectOption({ label: option })),
  brush: async (chart: Locator) => {
    const { mouse } = chart.page();
    const [from, to] = await middleOf(chart);
    await mouse.move(...from);
    await mouse.down();
    await mouse.move(...to, { steps: 5 });
    await mouse.up();
  },
};

const byFinger = {
  ...byMouse,
  press: (target: Locator) => target.tap(),
  brush: async (chart: Locator) => {
    const touch = await chart.page().context().newCDPSession(chart.page());
    const [from, to] = await middleOf(chart);
    const began = Date.now() / 1000 - TOUCHES.length * TOUCH_SECONDS;
    for (const [at, { type, part }] of TOUCHES.entries())
      await touch.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: type === "touchEnd" ? [] : [placeBetween(from, to, part)],
        timestamp: began + at * TOUCH_SECONDS,
      });
  },
};

/** Tab, arrows, Enter and letters: only what these keys reach is focused. */
const byKeys = {
  reach,
  press: async (target: Locator) => {
    await reach(target);
    await target.page().keyboard.press("Enter");
  },
  write: async (field: Locator, text: string) => {
    await reach(field);
    await field.page().keyboard.press("Control+A");
    await field.page().keyboard.type(text);
  },
  choose: async (select: Locator, option: string) => {
    await reach(select);
    // one letter: if a busy machine sends them a second apart, each begins another word, and a space opens the list
    const chosen = select.locator("option:checked");
    const options = await select.locator("option").count();
    for (let presses = 0; presses < options; presses++) {
      await select.page().keyboard.press(option.slice(0, 1)); // again: the next option with this letter
      if ((await chosen.textContent()) === option) break;
    }
    await expect(chosen).toHaveText(option);
  },
  brush: async (chart: Locator) => {
    await reach(chart);
    for (const key of ["Home", "PageDown", "Shift+PageDown", "Shift+PageDown", "Enter"])
      await chart.page().keyboard.press(key);
  },
};

/** Both devices, each by pointer and by keyboard only. */
export const HANDS: readonly Hands[] = [
  { name: "desktop, mouse", device: DESKTOP, ...byMouse },
  { name: "desktop, keyboard", device: DESKTOP, ...byKeys },
  { name: "phone, finger", device: { ...PHONE, hasTouch: true, isMobile: true }, ...byFinger },
  { name: "phone, keyboard", device: PHONE, ...byKeys },
];

async function reach(target: Locator): Promise<void> {
  const page: Page = target.page();
  await expect(target).toBeVisible();
  await expect(page.locator("[inert]").filter({ has: target })).toHaveCount(0);
  // found once, not at each stop: a search by role and name covers the entire page
  let element = await target.elementHandle();
  for (let stop = 0; stop < STOPS_MAX; stop++) {
    const state = await element?.evaluate(stateOf).catch(() => "gone");
    if (state === "focused") return;
    if (state === "elsewhere") await page.keyboard.press("Tab");
    else element = await target.elementHandle(); // rendered again
  }
  throw new Error(`No key leads to ${target}`);
}

/** Runs in the page. */
const stateOf = (element: Element): "focused" | "elsewhere" | "gone" => {
  if (!element.isConnected) return "gone";
  return element === document.activeElement ? "focused" : "elsewhere";
};

type Place = [x: number, y: number];

/** Sideways first, because a gesture that begins upwards scrolls the page. */
const placeBetween = (from: Place, to: Place, part: number) => ({
  x: from[0] + (to[0] - from[0]) * part,
  y: from[1] + (to[1] - from[1]) * part ** 2,
});

async function middleOf(chart: Locator): Promise<[Place, Place]> {
  const box = await restingBox(chart);
  const at = (part: number): Place => [box.x + box.width * part, box.y + box.height * part];
  return [at(0.2), at(0.8)];
}

/** An element's position once it is in view, accepts the pointer and has stopped moving. */
export async function restingBox(target: Locator) {
  await target.hover({ trial: true });
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target} is not rendered`);
  return box;
}
