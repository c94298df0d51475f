import { isLosslessNumber } from "lossless-json";
import { type Failure, fail } from "@/lib/errors";
import { plainNumbers } from "./exact-numbers";

type Json = Readonly<Record<string, unknown>>;

/** Whether a value is an object, as every message is. */
export const isMessage = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isLosslessNumber(value);

/** What is wrong with a message of JSON-RPC before anything is called, in words for whoever wrote the client. */
export function messageFault(message: Json): Failure | undefined {
  const shape = shapeFault(message);
  if (shape !== undefined) return fail("invalid_request", { message: shape });
  const params = paramsFault(message);
  return params === undefined ? undefined : fail("invalid_value", { message: params });
}

function shapeFault({ jsonrpc, id, method, params, ...rest }: Json): string | undefined {
  if (jsonrpc !== "2.0") return 'Every message says "jsonrpc": "2.0".';
  if (id !== undefined && !isId(plainNumbers(id)))
    return "id is a text or a whole number; a message without one is a notification and gets no reply.";
  // a reply to what was never asked
  if (method === undefined && ("result" in rest || "error" in rest)) return undefined;
  if (typeof method !== "string") return "method is a text that names what is asked, such as tools/list.";
  if (params !== undefined && !isMessage(params)) return "params is an object.";
  return isMessage(params) && params._meta !== undefined && !isMessage(params._meta)
    ? "params._meta is an object."
    : undefined;
}

const isId = (id: unknown): boolean => typeof id === "string" || Number.isSafeInteger(id);

function paramsFault({ method, params = {} }: Json): string | undefined {
  const given = params as Json;
  if (method === "tools/call" && typeof given.name !== "string")
    return "params.name is the name of a tool: tools/list tells which there are.";
  if (method === "resources/read" && typeof given.uri !== "string")
    return "params.uri is the address of a resource: resources/list tells which there are.";
  if (method === "initialize" && !isHandshake(given))
    return "initialize takes protocolVersion, capabilities {} and clientInfo {name, version}.";
  return undefined;
}

/** Versions without a handshake name themselves in _meta: to them it is a method that is not there. */
function isHandshake({ protocolVersion, capabilities, clientInfo, _meta }: Json): boolean {
  if (isMessage(_meta) && "io.modelcontextprotocol/protocolVersion" in _meta) return true;
  if (typeof protocolVersion !== "string" || !isMessage(capabilities) || !isMessage(clientInfo)) return false;
  return typeof clientInfo.name === "string" && typeof clientInfo.version === "string";
}
