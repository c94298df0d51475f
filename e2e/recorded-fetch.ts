import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { noteCookies, noteFields, noteFound, runFolder } from "./used-secrets";

export interface Exchange {
  method: string;
  url: string;
  /** Headers as the caller sent them, names in lower case. */
  requestHeaders: Readonly<Record<string, string>>;
  requestBody: string;
  status: number;
  setCookies: readonly string[];
  /** Called only if the body matters: for errors, and for accounts. */
  text(): Promise<string>;
}

/** Whether a URL concerns accounts, whose requests and replies contain secrets. */
export const isPersonal = (url: string): boolean => /\/api\/(?:account|auth)\b/.test(url);

/** Records the secrets in an exchange, and keeps the body of an error. */
export async function record(exchange: Exchange): Promise<void> {
  const { method, url, requestHeaders, requestBody, status, setCookies } = exchange;
  const { pathname } = new URL(url, "http://localhost");
  const what = `of ${method} ${pathname}`;
  noteFound([requestHeaders["x-api-key"], requestHeaders.authorization].join(" "), what);
  noteCookies(requestHeaders.cookie ?? "", what);
  for (const line of setCookies) noteCookies(line.split(";")[0] ?? "", what);
  if (isPersonal(pathname)) noteFields(requestBody, what);
  if (status < 400 && !isPersonal(pathname)) return;
  const body = await exchange.text().catch(() => "");
  if (status < 400) noteFound(body, what);
  else
    appendFileSync(join(runFolder(), "error-bodies.jsonl"), `${JSON.stringify({ method, pathname, status, body })}\n`);
}

const plainFetch = globalThis.fetch;

/** `fetch` for all tests of this process, with every exchange recorded. */
globalThis.fetch = async (input, init) => {
  const reply = await plainFetch(input, init);
  const isText = typeof init?.body === "string" || init?.body instanceof URLSearchParams;
  await record({
    method: init?.method ?? (input instanceof Request ? input.method : "GET"),
    url: input instanceof Request ? input.url : String(input),
    requestHeaders: Object.fromEntries(new Headers(init?.headers)),
    requestBody: isText ? String(init?.body) : "",
    status: reply.status,
    setCookies: reply.headers.getSetCookie(),
    text: () => reply.clone().text(),
  }).catch(() => undefined);
  return reply;
};
