import { stringifyExactJson } from "@/lib/formats/exact-json";
import { type ChosenService, endedText, loginLine } from "./chosen-service";
import { CommandError } from "./command-error";
import { ask, type RemoteReply, unexpected } from "./remote-service";

const VERSION = "2025-11-25";

/**
 * One request of the Model Context Protocol, and its result with all digits. Refuses with what the person at the
 * terminal can do about it.
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
  if (reply.status === 401) throw refusal(reply, { service, credential });
  if (result === undefined)
    throw error?.message ? new CommandError(error.message) : unexpected(reply, `Calling ${service}/api/mcp`);
  return result;
}

function refusal({ headers }: RemoteReply, { service, credential }: ChosenService): CommandError {
  const isRefused = credential !== undefined && /error="invalid_token"/.test(headers.get("www-authenticate") ?? "");
  return new CommandError(
    isRefused ? endedText(service) : `Sign-in required. Run: ${loginLine(service)}`,
    "notSignedIn",
  );
}
