import { parseExactJson } from "@/lib/formats/exact-json";
import { withoutEnd } from "@/lib/kernel/trim-signs";
import { CommandError } from "./command-error";

const TIMEOUT_MS = 60_000;
/** A page of rows is at most 8 MiB. */
const BYTES_MAX = 32 * 1024 * 1024;
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** A reply, its body parsed as JSON with all digits, or undefined if it is not JSON. */
export interface RemoteReply {
  status: number;
  headers: Headers;
  text: string;
  json: unknown;
}

/**
 * A service's URL as stored: without a trailing slash, and https except on this computer, because a credential is sent
 * there.
 */
export function serviceAddress(typed: string): string {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (!URL.canParse(text)) throw new CommandError(`${typed} is not the URL of a service.`);
  const { protocol, hostname, origin, pathname, username } = new URL(text);
  if (protocol !== "https:" && !(protocol === "http:" && LOOPBACK.has(hostname)))
    throw new CommandError(
      `${typed} does not use https, so the credential could be intercepted. Plain http is allowed only for your ` +
        `own computer.`,
    );
  if (username !== "") throw new CommandError("Remove the user name and password from the URL.");
  const address = `${origin}${withoutEnd(pathname, "/")}`;
  const base = address.replace(/\/api\/mcp(?:\/account)?$/, "");
  if (base !== address)
    throw new CommandError(`${address} is the URL of a service's connector. Use the URL of the service: --url ${base}`);
  return address;
}

/** Sends a request to a service and follows no redirect. Fails with the reason why there is no answer. */
export async function ask(url: string, init: RequestInit = {}, { timeoutMs = TIMEOUT_MS } = {}): Promise<RemoteReply> {
  const { origin } = new URL(url);
  let reply: Response;
  let text: string;
  try {
    const headers = { "user-agent": "parquetry-cli", ...(init.headers as Record<string, string>) };
    reply = await fetch(url, { ...init, headers, redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
    text = await textOf(reply);
  } catch (error) {
    throw new CommandError(`Cannot reach ${origin}: ${reasonOf(error)}.`, "unreachable");
  }
  const location = reply.headers.get("location");
  if (reply.status >= 300 && reply.status < 400 && location)
    throw new CommandError(`${url} redirects to ${location}. Use that URL with --url.`, "unreachable");
  if (reply.status === 503)
    throw new CommandError(`${origin} is temporarily unavailable: ${saidIn(text) ?? "try again later"}`, "unreachable");
  return { status: reply.status, headers: reply.headers, text, json: jsonOf(text) };
}

/** The complete body, unless it is larger than any that the service would send. */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > BYTES_MAX) throw new Error("its response is too large");
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Posts a form to an endpoint of the authorization server. */
export const postForm = (url: string, fields: Readonly<Record<string, string>>): Promise<RemoteReply> =>
  ask(url, { method: "POST", body: new URLSearchParams(fields) });

/** The message of an unexpected reply, for the person at the terminal. */
export function unexpected({ status, headers, text }: RemoteReply, what: string): CommandError {
  const wait = headers.get("retry-after");
  if (status === 429) return new CommandError(`${what}: too many requests. Try again in ${wait ?? "60"} seconds.`);
  return new CommandError(`${what}: ${saidIn(text) ?? `the service returned ${status}.`}`);
}

function reasonOf(error: unknown): string {
  const { name, cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === "TimeoutError") return "no response in time";
  const code = cause?.code;
  if (code === "ECONNREFUSED") return "connection refused";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "unknown host name";
  return cause?.message || code || message;
}

/** The message of an error, in the service's own form or OAuth's; of plain text, its first line. */
function saidIn(text: string): string | undefined {
  const { message, error_description: described } = (jsonOf(text) ?? {}) as {
    message?: unknown;
    error_description?: unknown;
  };
  if (typeof message === "string") return message;
  if (typeof described === "string") return described;
  const [line = ""] = text.trim().split("\n");
  return line !== "" && !line.startsWith("<") && !line.startsWith("{") ? line.slice(0, 300) : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}
