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
  /** The id of a message that came alone, for a reply that refuses it; null where there is none. */
  id: string | number | null;
}

/** Whether a value is an object, as every message is. */
export const isMessage = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** The messages of a request's body. Refuses with request_too_large, invalid_json or invalid_request. */
export async function readMessages(request: Request): Promise<Messages> {
  const text = decode(await readBytes(request));
  const parsed = parseJsonBody(text);
  const messages = Array.isArray(parsed) ? parsed : [parsed];
  if (messages.length === 0 || messages.length > MESSAGES_MAX || !messages.every(isMessage)) {
    throw fail("invalid_request", { message: `The body is a JSON-RPC message, or a list of 1 to ${MESSAGES_MAX} of them.` });
  }
  const ids = messages.filter(({ id }) => id !== undefined).map(({ id }) => idKey(id));
  if (new Set(ids).size < ids.length) throw fail("invalid_request", { message: "Two messages of the list have the same id: give each its own." });
  return { body: plainNumbers(parsed), exact: messages, id: Array.isArray(parsed) ? null : replyId(messages[0]?.id) };
}

/** Tells ids apart, the number 1 from the text "1" too. */
export const idKey = (id: unknown): string => JSON.stringify(plainNumbers(id)) ?? "";

/** An id as a reply may repeat it. */
export function replyId(id: unknown): string | number | null {
  const plain = plainNumbers(id);
  return typeof plain === "string" || typeof plain === "number" ? plain : null;
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
  return method === "tools/call" && isMessage(params) ? { name: params.name, args: params.arguments } : undefined;
}
