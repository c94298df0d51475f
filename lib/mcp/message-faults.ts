import { isLosslessNumber } from "lossless-json";
import { type Failure, fail } from "@/lib/kernel/errors";
import { plainNumbers } from "./exact-numbers";

type Json = Readonly<Record<string, unknown>>;

/** Whether a value is an object, as every message is. */
export const isMessage = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isLosslessNumber(value);

/** What is wrong with a JSON-RPC message before anything is called, for the author of the client. */
export function messageFault(message: Json): Failure | undefined {
  const shape = shapeFault(message);
  if (shape !== undefined) return fail("invalid_request", { message: shape });
  const params = paramsFault(message);
  return params === undefined ? undefined : fail("invalid_value", { message: params });
}

function shapeFault({ jsonrpc, id, method, params, ...rest }: Json): string | undefined {
  if (jsonrpc !== "2.0") return 'Every message must have "jsonrpc": "2.0".';
  if (id !== undefined && !isId(plainNumbers(id)))
    return "id must be a string or an integer. A message without id is a notification and gets no response.";
  // a reply to a request that was never sent
  if (method === undefined && ("result" in rest || "error" in rest)) return undefined;
  if (typeof method !== "string") return 'method must be a string, such as "tools/list".';
  if (params !== undefined && !isMessage(params)) return "params must be an object.";
  return isMessage(params) && params._meta !== undefined && !isMessage(params._meta)
    ? "params._meta must be an object."
    : undefined;
}

const isId = (id: unknown): boolean => typeof id === "string" || Number.isSafeInteger(id);

/** Lists with a single page, for which no cursor is ever issued. */
const WHOLE_LISTS: ReadonlySet<string> = new Set([
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "skills/list",
]);

function paramsFault({ method, params = {} }: Json): string | undefined {
  const input = params as Json;
  if (typeof method === "string" && WHOLE_LISTS.has(method) && input.cursor !== undefined)
    return "Unknown cursor: this list has one page. Leave cursor out.";
  if (method === "tools/call" && typeof input.name !== "string")
    return "params.name must be the name of a tool. List the tools with tools/list.";
  if (method === "resources/read" && typeof input.uri !== "string")
    return "params.uri must be the URI of a resource. List the resources with resources/list.";
  if (method === "initialize" && !isHandshake(input))
    return "initialize requires protocolVersion, capabilities {} and clientInfo {name, version}.";
  return undefined;
}

/** Protocol versions without a handshake are named in _meta; for them this method does not exist. */
function isHandshake({ protocolVersion, capabilities, clientInfo, _meta }: Json): boolean {
  if (isMessage(_meta) && "io.modelcontextprotocol/protocolVersion" in _meta) return true;
  if (typeof protocolVersion !== "string" || !isMessage(capabilities) || !isMessage(clientInfo)) return false;
  return typeof clientInfo.name === "string" && typeof clientInfo.version === "string";
}
