import type { Envelope, EnvelopeDetail } from "@/lib/http/envelope";
import type { ErrorCode } from "@/lib/kernel/errors";
import { waitText } from "./wait-text";

/** Why a call failed: a message for the person, and one for each invalid field. */
export interface Problem {
  code: string;
  message: string;
  fields: Readonly<Record<string, string>>;
  /** Each fault by its exact place, which may be deep inside a field. */
  faults?: readonly { pointer: string; message: string }[];
}

export type Answer<Data> = { data: Data; problem?: undefined } | { data?: undefined; problem: Problem };

export const UNREACHABLE: Problem = {
  code: "unreachable",
  message: "The service could not be reached. Check your connection and try again.",
  fields: {},
};

const NO_SESSION: ReadonlySet<string> = new Set(["key_missing", "key_revoked", "key_expired"]);

/** Calls the account API from a page of this site. If the session has ended, goes to the sign-in page and back. */
export async function callApi<Data = unknown>(method: string, path: string, body?: unknown): Promise<Answer<Data>> {
  const headers = body === undefined ? undefined : { "content-type": "application/json" };
  try {
    const reply = await fetch(path, { method, ...(headers && { headers, body: JSON.stringify(body) }) });
    if (reply.ok) return { data: (await reply.json()) as Data };
    const rejection = (await reply.json()) as Envelope;
    if (reply.status === 401 && NO_SESSION.has(rejection.error)) return await signInFirst(rejection.error);
    return { problem: problemOf(rejection, reply.headers) };
  } catch {
    return { problem: UNREACHABLE };
  }
}

/** Never settles, because the browser is leaving the page and nothing on it should continue. */
function signInFirst(code: string): Promise<never> {
  const { pathname, search } = window.location;
  window.location.assign(
    `/sign-in?error=${code === "key_expired" ? "SessionOver" : "SessionEnded"}` +
      `&callbackUrl=${encodeURIComponent(pathname + search)}`,
  );
  return new Promise(() => undefined);
}

/** A value of a list belongs to the list's field. */
const fieldOf = ({ pointer }: Detail): string => pointer.split("/")[1] ?? "";

type Detail = Pick<EnvelopeDetail, "pointer" | "message" | "did_you_mean">;
type Rejection = Pick<Envelope, "error" | "message"> & { details?: readonly Detail[] };

/** The message without the name of its field, and with a suggestion. */
const atField = ({ pointer, message, did_you_mean }: Detail): string => {
  const named = `${pointer.replace(/^\//, "")}: `;
  const words = message.startsWith(named) ? message.slice(named.length) : message;
  return did_you_mean === undefined ? words : `${words} Did you mean ${JSON.stringify(did_you_mean)}?`;
};

/** An error as text, with the time to wait if waiting helps. */
export function problemOf({ error, message, details = [] }: Rejection, headers: Headers): Problem {
  const fields = Object.fromEntries(details.toReversed().map((fault) => [fieldOf(fault), atField(fault)]));
  const wait = Number(headers.get("retry-after"));
  return {
    code: error,
    message:
      wait > 0
        ? `${WAITING[error] ?? "The service is temporarily unavailable."} Try again in ${waitText(wait)}.`
        : message,
    fields,
    faults: details.map((fault) => ({ pointer: fault.pointer, message: atField(fault) })),
  };
}

const WAITING: Readonly<Partial<Record<ErrorCode, string>>> = {
  rate_limited: "Too many attempts.",
  daily_quota_exhausted: "Too many attempts today.",
};
