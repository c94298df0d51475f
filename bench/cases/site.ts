import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type Browser, chromium } from "@playwright/test";
import type { Bench } from "../bench";
import { line, type Outcome } from "../report";
import { say } from "../say";
import { startService } from "../service";
import { type Scrolled, scrollExplorer } from "./scroll";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
const EXPLORER = "/datasets/us-flights-2001/flights";
const PAGES = ["/", "/datasets", "/datasets/us-flights-2001", EXPLORER, "/docs"];
/** Fetched only by this case: it and its dependencies were an eighth of all files that `npm ci` writes. */
const LIGHTHOUSE = "lighthouse@12.8.2";
const REPORT_BYTES_MAX = 64 * 1024 * 1024;
const SCROLLED_ROWS = 100_000;
const TURNS = 3;

interface PageFigures {
  path: string;
  scores: Record<(typeof CATEGORIES)[number], number>;
  paintMs: number;
  shift: number;
  scriptKb: number;
}

/** Lighthouse (desktop) on the production build with the showcase catalogue: the median of three runs per page. */
export async function measureSite({ port }: Bench): Promise<Outcome> {
  const site = await startService(port + 1, {
    PARQUETRY_DATA_DIR: resolve(".data-bench-site"),
    PARQUETRY_SHOWCASE: "true",
  });
  const debugging = port + 2;
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", `--remote-debugging-port=${debugging}`],
  });
  try {
    await full(`http://localhost:${port + 1}`);
    const figures: PageFigures[] = [];
    for (const path of PAGES) figures.push(await measurePage(`http://localhost:${port + 1}`, path, debugging));
    const scrolled = await scrollExplorer(browser, `http://localhost:${port + 1}${EXPLORER}`, site.key, SCROLLED_ROWS);
    return outcome(figures, scrolled);
  } finally {
    await closeAll(browser, site);
  }
}

/** Resolves once the first start has filled the catalogue. */
async function full(base: string): Promise<void> {
  while ((await (await fetch(`${base}/status`)).text()).includes("The catalogue is being filled")) await sleep(2_000);
}

async function closeAll(browser: Browser, site: { stop(): Promise<void> }): Promise<void> {
  await browser.close();
  await site.stop();
}

async function measurePage(base: string, path: string, port: number): Promise<PageFigures> {
  await fetch(base + path);
  const turns: PageFigures[] = [];
  for (let turn = 0; turn < TURNS; turn++) turns.push(await run(base, path, port));
  const median = turns.sort((a, b) => a.scores.performance - b.scores.performance)[
    Math.floor(TURNS / 2)
  ] as PageFigures;
  say(`site: ${path}: ${CATEGORIES.map((name) => median.scores[name]).join(" / ")}`);
  return median;
}

async function run(base: string, path: string, port: number): Promise<PageFigures> {
  const { categories, audits } = await lighthouse(base + path, port);
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100);
  for (const name of CATEGORIES) for (const id of failed(name)) say(`site: ${path}: ${name}: ${id}`);
  return {
    path,
    scores: {
      performance: score("performance"),
      accessibility: score("accessibility"),
      "best-practices": score("best-practices"),
      seo: score("seo"),
    },
    paintMs: audits["largest-contentful-paint"]?.numericValue ?? Number.NaN,
    shift: audits["cumulative-layout-shift"]?.numericValue ?? Number.NaN,
    scriptKb: scriptBytes(audits["network-requests"]?.details) / 1000,
  };

  function failed(name: string): string[] {
    if (name === "performance") return [];
    const refs = categories[name]?.auditRefs ?? [];
    return refs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1).map(({ id }) => id);
  }
}

/** The fields used from Lighthouse's report. */
interface Report {
  categories: Partial<Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>>;
  audits: Partial<Record<string, { score: number | null; numericValue?: number; details?: unknown }>>;
}

/** Lighthouse's report of a page, in the browser that listens on that port. */
async function lighthouse(url: string, port: number): Promise<Report> {
  const options = [`--port=${port}`, "--preset=desktop", `--only-categories=${CATEGORIES.join(",")}`];
  const { stdout } = await promisify(execFile)(
    "npx",
    ["--yes", LIGHTHOUSE, url, ...options, "--output=json", "--quiet"],
    { maxBuffer: REPORT_BYTES_MAX },
  );
  return JSON.parse(stdout) as Report;
}

/** Compressed bytes of the scripts that the page loaded. */
function scriptBytes(details: unknown): number {
  const { items = [] } = (details ?? {}) as { items?: { resourceType?: string; transferSize?: number }[] };
  return items
    .filter(({ resourceType }) => resourceType === "Script")
    .reduce((sum, { transferSize = 0 }) => sum + transferSize, 0);
}

function outcome(pages: readonly PageFigures[], scrolled: Scrolled): Outcome {
  return {
    lines: [
      ...CATEGORIES.map((name) =>
        line(`lowest ${name} of the pages`, Math.min(...pages.map(({ scores }) => scores[name])), { least: 95 }),
      ),
      line("rows of the flights scrolled through in the explorer", scrolled.rows, { least: SCROLLED_ROWS }),
      line(
        "longest task of the browser's main thread meanwhile, processor time",
        longest(scrolled.tasks),
        { most: 50 },
        " ms",
      ),
      line("the same by the clock, where it was over 50 ms", longest(scrolled.longTasks), { most: 50 }, " ms"),
    ],
    figures: {
      head: ["page", ...CATEGORIES, "largest paint, ms", "layout shift", "script, kB compressed"],
      rows: pages.map(({ path, scores, paintMs, shift, scriptKb }) => [
        path,
        ...CATEGORIES.map((name) => String(scores[name])),
        paintMs.toFixed(0),
        shift.toFixed(3),
        scriptKb.toFixed(0),
      ]),
    },
  };
}

const longest = (tasks: readonly number[]): number => tasks.reduce((most, task) => Math.max(most, task), 0);
