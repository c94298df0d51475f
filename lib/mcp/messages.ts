import { parseJsonBody } from "@/lib/engine/grammar/body";
import { readBytes } from "@/lib/http/read-input";
import { fail } from "@/lib/kernel/errors";
import { plainNumbers } from "./exact-numbers";
import { isMessage, messageFault } from "./message-faults";

/** Maximum number of messages per request. */
const MESSAGES_MAX = 20;

/** The versions that support batches; a request that names none uses the first. */
const LISTING: ReadonlySet<string> = new Set(["2025-03-26", "2024-11-05"]);

export interface Messages {
  /** The body for the protocol library, with plain numbers. */
  body: unknown;
  /** Its messages, their numbers with their own digits. */
  exact: readonly Record<string, unknown>[];
  /** The id of a single message, for an error reply; null if there is none. */
  id: string | number | null;
}

/** The messages of a request's body. Fails with request_too_large, invalid_json, invalid_request or invalid_value. */
export async function readMessages(request: Request): Promise<Messages> {
  const parsed = parseJsonBody(decode(await readBytes(request)));
  const listed = Array.isArray(parsed);
  const messages = listed ? parsed : [parsed];
  if (messages.length === 0 || messages.length > MESSAGES_MAX || !messages.every(isMessage)) {
    throw fail("invalid_request", {
      message:
        `The body must be a JSON-RPC message, or a batch of 1 to ${MESSAGES_MAX} messages (protocol version ` +
        `2025-03-26 only).`,
    });
  }
  if (listed) checkList(messages, request.headers.get("mcp-protocol-version"));
  const body = messages.map(libraryMessage);
  return { body: listed ? body : body[0], exact: messages, id: listed ? null : replyId(messages[0]?.id) };
}

function checkList(messages: readonly Record<string, unknown>[], version: string | null): void {
  if (version !== null && !LISTING.has(version))
    throw fail("invalid_request", {
      message: `Protocol version ${version.slice(0, 20)} does not support batches. Send one message per request.`,
    });
  const ids = messages.filter(({ id }) => id !== undefined).map(({ id }) => idKey(id));
  if (new Set(ids).size < ids.length)
    throw fail("invalid_request", {
      message: "Two messages of the batch have the same id. Give each message a unique id.",
    });
}

/**
 * Arguments that are not an object are withheld from the library, because the tool itself tells a model what is wrong
 * with them.
 */
function libraryMessage(message: Record<string, unknown>): unknown {
  const { method, params } = message;
  if (method !== "tools/call" || !isMessage(params) || isMessage(params.arguments)) return plainNumbers(message);
  const { arguments: _, ...rest } = params;
  return plainNumbers({ ...message, params: rest });
}

/** Rejects messages that could not be answered, before anything is called. */
export function checkMessages({ exact }: Messages): void {
  for (const message of exact) {
    const fault = messageFault(message);
    if (fault) throw fault;
  }
}

/** Distinguishes ids, including the number 1 from the string "1". */
export const idKey = (id: unknown): string => JSON.stringify(plainNumbers(id)) ?? "";

/** An id in a form that a reply may repeat. */
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
export function calledTool({
  method,
  params,
}: Readonly<Record<string, unknown>>): { name: unknown; args: unknown; traceparent: unknown } | undefined {
  if (method !== "tools/call" || !isMessage(params)) return undefined;
  const { name, arguments: args, _meta: meta } = params;
  return { name, args, traceparent: isMessage(meta) ? meta.traceparent : undefined };
}
