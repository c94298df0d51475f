import { printable } from "@/lib/cli/printable";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import { type ChosenService, endedText, loginLine } from "./chosen-service";
import { CommandError } from "./command-error";
import { ask, type RemoteReply, unexpected } from "./remote-service";

const VERSION = "2025-11-25";

/**
 * One request of the Model Context Protocol, and its result with all digits. Fails with a message on what the person at
 * the terminal can do about it.
 */
export async function callConnector<Result>(
  { service, credential }: ChosenService,
  method: string,
  params: unknown,
): Promise<Result> {
  const reply = await ask(`${service}/api/mcp`, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": VERSION,
      ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
    },
    body: stringifyExactJson({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = (reply.json ?? {}) as { result?: Result; error?: { message?: string } };
  if (reply.status === 401) throw rejection(reply, { service, credential });
  if (result === undefined)
    throw error?.message ? new CommandError(error.message) : unexpected(reply, `Calling ${service}/api/mcp`);
  return result;
}

function rejection({ headers }: RemoteReply, { service, credential }: ChosenService): CommandError {
  const isRejected = credential !== undefined && /error="invalid_token"/.test(headers.get("www-authenticate") ?? "");
  return new CommandError(
    isRejected ? endedText(service) : `Sign-in required. Run: ${loginLine(service)}`,
    "notSignedIn",
  );
}

interface ToolReply<Result> {
  content?: { type: string; text?: string }[];
  structuredContent?: Result;
  isError?: boolean;
}

/** A tool's structured content. Fails with the tool's message. */
export async function callTool<Result>(at: ChosenService, name: string, args: object): Promise<Result> {
  const { content, structuredContent, isError } = await callConnector<ToolReply<Result>>(at, "tools/call", {
    ...{ name, arguments: args },
  });
  if (!isError && structuredContent !== undefined) return structuredContent;
  throw new CommandError(printable((content ?? []).map(({ text = "" }) => text).join("\n") || `${name} failed.`));
}
