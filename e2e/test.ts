import { type APIRequestContext, type APIResponse, test as base } from "@playwright/test";
import { record } from "./recorded-fetch";
import { noteCookies } from "./used-secrets";

/** Playwright's `test`, whose requests and pages are recorded: what secrets they used, what errors they were answered. */
export const test = base.extend({
  request: async ({ request }, use) => {
    recordRequests(request);
    await use(request);
  },
  context: async ({ context }, use) => {
    recordRequests(context.request);
    const recordings: Promise<void>[] = [];
    context.on("response", (response) => {
      const request = response.request();
      if (/^(?:data|blob|about):/.test(response.url())) return;
      recordings.push(
        record({
          method: request.method(),
          url: response.url(),
          requestHeaders: request.headers(),
          requestBody: request.postData() ?? "",
          status: response.status(),
          setCookies: [],
          text: () => response.text(),
        }).catch(() => undefined),
      );
    });
    await use(context);
    for (const { name, value } of await context.cookies()) noteCookies(`${name}=${value}`, "of a browser");
    await Promise.race([Promise.all(recordings), new Promise((resolve) => setTimeout(resolve, 2000))]);
  },
});

/** All of its methods go through `fetch`. */
function recordRequests(request: APIRequestContext): void {
  const fetch = request.fetch.bind(request);
  request.fetch = async (target, options = {}) => {
    const reply: APIResponse = await fetch(target, options);
    const { data, form, headers = {} } = options;
    await record({
      method: options.method ?? "GET",
      url: reply.url(),
      requestHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      requestBody: form ? new URLSearchParams(form as Record<string, string>).toString() : Buffer.isBuffer(data) ? "" : (JSON.stringify(data) ?? ""),
      status: reply.status(),
      setCookies: reply.headersArray().flatMap(({ name, value }) => (name.toLowerCase() === "set-cookie" ? [value] : [])),
      text: () => reply.text(),
    }).catch(() => undefined);
    return reply;
  };
}
