import type { Browser, Page } from "@playwright/test";

export interface Scrolled {
  rows: number;
  /**
   * Lengths of all tasks of the page's main thread, in milliseconds of the processor: what else the machine does has no
   * part in them.
   */
  tasks: number[];
  /** Tasks that took 50 ms and more by the clock. */
  longTasks: number[];
}

const SCREEN_PX = 3300; // 100 rows a frame

/** Opens a table's explorer, enters the key and scrolls by the screenful through so many rows. */
export async function scrollExplorer(browser: Browser, address: string, key: string, rows: number): Promise<Scrolled> {
  const page = await browser.newPage();
  await page.goto(address);
  await page.getByRole("button", { name: "Use key" }).click();
  await page.getByRole("textbox", { name: "Use key" }).fill(key);
  await page.getByRole("button", { name: "Use it" }).click();
  const byClock = await page.evaluate(scrollFar, { rows, screenPx: SCREEN_PX });
  await page.reload();
  return { ...byClock, tasks: await tasksOf(browser, page, key, rows) };
}

/** The same once more under the browser's own trace, which costs time by the clock. */
async function tasksOf(browser: Browser, page: Page, key: string, rows: number): Promise<number[]> {
  await page.getByRole("button", { name: "Use key" }).click();
  await page.getByRole("textbox", { name: "Use key" }).fill(key);
  await page.getByRole("button", { name: "Use it" }).click();
  await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline"] });
  await page.evaluate(scrollFar, { rows, screenPx: SCREEN_PX });
  return mainTasks(await browser.stopTracing());
}

/**
 * Runs in the page, so it holds no function of its own: names of such are kept by means that the page does not have.
 */
async function scrollFar({
  rows,
  screenPx,
}: {
  rows: number;
  screenPx: number;
}): Promise<{ rows: number; longTasks: number[] }> {
  const longTasks: number[] = [];
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    entryTypes: ["longtask"],
  });
  const grid = document.querySelector<HTMLElement>(".result-grid");
  const until = performance.now() + 120_000;
  while (grid && grid.scrollTop / 33 < rows && performance.now() < until) {
    grid.scrollTop += screenPx;
    await new Promise(requestAnimationFrame);
  }
  return { rows: Math.floor((grid?.scrollTop ?? 0) / 33), longTasks };
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ph: string;
  /** Microseconds of the processor. */
  tdur?: number;
  args: { name?: string };
}

function mainTasks(trace: Buffer): number[] {
  const { traceEvents: events } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const place = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`;
  const mains = new Set(
    events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(place),
  );
  return events.flatMap((event) =>
    mains.has(place(event)) && event.ph === "X" && /RunTask$/.test(event.name) ? [(event.tdur ?? 0) / 1000] : [],
  );
}
