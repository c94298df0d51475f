import type { Browser, Page } from "@playwright/test";

export interface Scrolled {
  rows: number;
  /**
   * Durations of all tasks on the page's main thread, in milliseconds of processor time, which other load on the
   * machine does not affect.
   */
  tasks: number[];
  /** Tasks that took at least 50 ms of wall-clock time. */
  longTasks: number[];
}

const SCREEN_PX = 3300; // 100 rows a frame

/** Opens a table's explorer, enters the key and scrolls that many rows, one screen at a time. */
export async function scrollExplorer(browser: Browser, address: string, key: string, rows: number): Promise<Scrolled> {
  const page = await browser.newPage();
  await page.goto(address);
  await enterKey(page, key);
  const byClock = await page.evaluate(scrollFar, { rows, screenPx: SCREEN_PX });
  await page.reload();
  return { ...byClock, tasks: await tasksOf(browser, page, key, rows) };
}

async function enterKey(page: Page, key: string): Promise<void> {
  await page.getByRole("button", { name: "API key" }).click();
  await page.getByRole("textbox", { name: "API key" }).fill(key);
  await page.getByRole("button", { name: "Use key" }).click();
  await page.getByRole("button", { name: "Your API key" }).waitFor();
}

/** The same again under the browser's trace, which adds wall-clock time. */
async function tasksOf(browser: Browser, page: Page, key: string, rows: number): Promise<number[]> {
  await enterKey(page, key);
  await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline"] });
  await page.evaluate(scrollFar, { rows, screenPx: SCREEN_PX });
  return mainTasks(await browser.stopTracing());
}

/**
 * Runs in the page, so it must not define functions: the compiler's helper that keeps their names does not exist there.
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
  /** Processor time in microseconds. */
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
