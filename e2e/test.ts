import {
  type APIRequestContext,
  type BrowserContext,
  test as base,
  expect,
  type Page,
  type Request,
  type TestInfo,
} from "@playwright/test";
import { AT_FAILURE } from "@/.ci/reports";
import { isPersonal, record } from "./recorded-fetch";

interface Options {
  /** For tests that break a page's policy on purpose. */
  mayBreakPolicy: boolean;
}

/** What browsers blocked because of a page's Content-Security-Policy since the test began. */
const heldBack: string[] = [];
/** How many times slower each page's processor is. Finds tests that pass only on a fast machine. */
const SLOWDOWN = Number(process.env.E2E_SLOWDOWN ?? 1);

/** How many times longer pages wait for replies: a busy machine responds late, and no test here asserts a duration. */
const PATIENCE = 20;

const recordings = new Set<Promise<void>>();
/** Browsers that a test has opened. */
const opened: BrowserContext[] = [];

/**
 * Playwright's `test`, with recorded requests and browsers (the secrets that they used, the errors that they got). It
 * fails if a page breaks its own policy.
 */
export const test = base.extend<Options & { watched: undefined }, object>({
  mayBreakPolicy: [false, { option: true }],
  browser: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser);
      browser.newContext = async (options) => {
        const context = await newContext(options);
        await context.addInitScript(waitLonger, PATIENCE);
        watch(context);
        opened.push(context);
        return context;
      };
      await use(browser);
    },
    { scope: "worker" },
  ],
  context: async ({ context }, use, info) => {
    await use(context);
    await tellPages(context, info);
  },
  request: async ({ request }, use) => {
    recordRequests(request);
    await use(request);
  },
  watched: [
    async ({ mayBreakPolicy }, use, info) => {
      heldBack.length = 0;
      await use(undefined);
      await Promise.all(recordings);
      for (const context of opened.splice(0)) {
        await tellPages(context, info);
        await context.close(); // else its pages keep sending requests
      }
      if (!mayBreakPolicy) expect(heldBack).toEqual([]);
    },
    { auto: true },
  ],
});

function watch(context: BrowserContext): void {
  recordRequests(context.request);
  if (SLOWDOWN > 1) context.on("page", (page) => void slowDown(page).catch(() => undefined));
  context.on("console", (message) => {
    if (/Content.Security.Policy/i.test(message.text())) heldBack.push(message.text());
  });
  // a reply that its page abandoned never arrives
  context.on("requestfinished", (request) => {
    const recording: Promise<void> = recordRequest(request).then(
      () => void recordings.delete(recording),
      () => void recordings.delete(recording),
    );
    recordings.add(recording);
  });
}

/** Letters of a page that the report of a failed test repeats. */
const TOLD_LETTERS = 300;

/** Prints what a browser's pages show if the test has failed, for its report. */
async function tellPages(context: BrowserContext, { status, expectedStatus }: TestInfo): Promise<void> {
  if (status === expectedStatus) return;
  for (const page of context.pages()) {
    const text = await page.locator("main").textContent({ timeout: 5_000 }).catch(String);
    const told = (text ?? "").replace(/\s+/g, " ").slice(0, TOLD_LETTERS);
    process.stdout.write(`${AT_FAILURE}${page.url()}: ${told}\n`);
  }
}

/** Runs in the page. */
function waitLonger(times: number): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (milliseconds) => timeout(milliseconds * times);
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
}

async function recordRequest(request: Request): Promise<void> {
  const response = await request.response();
  if (!response?.url().startsWith("http")) return;
  await record({
    method: request.method(),
    url: response.url(),
    requestHeaders: request.headers(),
    requestBody: request.postData() ?? "",
    status: response.status(),
    setCookies: isPersonal(response.url()) ? await response.headerValues("set-cookie") : [],
    text: () => response.text(),
  });
}

/** All of its methods use `fetch`. */
function recordRequests(request: APIRequestContext): void {
  const fetch = request.fetch.bind(request);
  request.fetch = async (target, options = {}) => {
    const reply = await fetch(target, options);
    const { data, form, headers = {} } = options;
    await record({
      method: options.method ?? "GET",
      url: reply.url(),
      requestHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      requestBody: form
        ? new URLSearchParams(form as Record<string, string>).toString()
        : Buffer.isBuffer(data)
          ? ""
          : (JSON.stringify(data) ?? ""),
      status: reply.status(),
      setCookies: reply
        .headersArray()
        .flatMap(({ name, value }) => (name.toLowerCase() === "set-cookie" ? [value] : [])),
      text: () => reply.text(),
    }).catch(() => undefined);
    return reply;
  };
}
