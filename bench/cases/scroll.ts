import type { Page } from "@playwright/test";

export interface Scrolled {
  rows: number;
  /** Lengths of the main thread's tasks of 50 ms and more, in milliseconds. */
  longTasks: number[];
}

/** Opens a table's explorer, enters the key and scrolls by the screenful through so many rows. */
export async function scrollExplorer(page: Page, address: string, key: string, rows: number): Promise<Scrolled> {
  await page.goto(address);
  await page.getByRole("button", { name: "Use key" }).click();
  await page.getByRole("textbox", { name: "Use key" }).fill(key);
  await page.getByRole("button", { name: "Use it" }).click();
  return page.evaluate(scrollFar, rows);
}

/** Runs in the page. */
async function scrollFar(rows: number): Promise<Scrolled> {
  const longTasks: number[] = [];
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ["longtask"] });
  const grid = document.querySelector<HTMLElement>(".result-grid");
  const until = performance.now() + 120_000;
  const passed = () => Math.floor((grid?.scrollTop ?? 0) / 33);
  while (grid && passed() < rows && performance.now() < until) {
    grid.scrollTop += 3300;
    await new Promise(requestAnimationFrame);
  }
  return { rows: passed(), longTasks };
}
