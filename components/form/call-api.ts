import type { Envelope } from "@/lib/http/envelope";

/** Why a call was refused: a sentence for the person, and one for each field that is at fault. */
export interface Problem {
  code: string;
  message: string;
  fields: Readonly<Record<string, string>>;
}

export type Answer<Data> = { data: Data; problem?: undefined } | { data?: undefined; problem: Problem };

const NO_SESSION: ReadonlySet<string> = new Set(["key_missing", "key_revoked", "key_expired"]);

/** Calls the account API from a page of ours. A session that has ended leads to the sign-in page and back here. */
export async function callApi<Data = unknown>(method: string, path: string, body?: unknown): Promise<Answer<Data>> {
  const headers = body === undefined ? undefined : { "content-type": "application/json" };
  try {
    const reply = await fetch(path, { method, ...(headers && { headers, body: JSON.stringify(body) }) });
    if (reply.ok) return { data: (await reply.json()) as Data };
    const refusal = (await reply.json()) as Envelope;
    if (reply.status === 401 && NO_SESSION.has(refusal.error)) return await signInFirst(refusal.error);
    return { problem: problemOf(refusal, reply.headers.get("retry-after")) };
  } catch {
    return { problem: { code: "unreachable", message: "The service could not be reached. Check your connection and try again.", fields: {} } };
  }
}

/** Never settles: the page is left, and nothing of it should move on. */
function signInFirst(code: string): Promise<never> {
  const { pathname, search } = window.location;
  window.location.assign(`/sign-in?error=${code === "key_expired" ? "SessionOver" : "SessionEnded"}&callbackUrl=${encodeURIComponent(pathname + search)}`);
  return new Promise(() => undefined);
}

function problemOf({ error, message, details = [] }: Envelope, retryAfter: string | null): Problem {
  const fields = Object.fromEntries(details.map((fault) => [fault.pointer.replace(/^\//, ""), fault.message]));
  return { code: error, message: retryAfter ? `${message.split(". ")[0]}. Try again in ${waitText(Number(retryAfter))}.` : message, fields };
}

/** `37` → `37 seconds`, `3600` → `60 minutes`. */
export function waitText(seconds: number): string {
  const [count, unit] = seconds > 7200 ? [Math.ceil(seconds / 3600), "hour"] : seconds > 99 ? [Math.ceil(seconds / 60), "minute"] : [seconds, "second"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
