import { parseJsonBody } from "@/lib/engine/body";
import { fail } from "@/lib/errors";
import { readBytes } from "@/lib/http/read-input";
import { plainNumbers } from "./exact-numbers";

/** Messages that one request may carry; only 2025-03-26 knows more than one. */
const MESSAGES_MAX = 20;

export interface Messages {
  /** The body as it stands, with plain numbers. */
  body: unknown;
  /** Its messages, their numbers with their own digits. */
  exact: readonly Record<string, unknown>[];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** The messages of a request's body. Refuses with request_too_large, invalid_json or invalid_request. */
export async function readMessages(request: Request): Promise<Messages> {
  const text = decode(await readBytes(request));
  const parsed = parseJsonBody(text);
  const messages = Array.isArray(parsed) ? parsed : [parsed];
  if (messages.length === 0 || messages.length > MESSAGES_MAX || !messages.every(isObject)) {
    throw fail("invalid_request", { message: `The body is a JSON-RPC message, or a list of 1 to ${MESSAGES_MAX} of them.` });
  }
  return { body: plainNumbers(parsed), exact: messages };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw fail("invalid_json", { message: "The body is not UTF-8." });
  }
}

/** The tool that a message calls; undefined for other messages. */
export function calledTool({ method, params }: Readonly<Record<string, unknown>>): { name: unknown; args: unknown } | undefined {
  return method === "tools/call" && isObject(params) ? { name: params.name, args: params.arguments } : undefined;
}
