import { DIRECT_VERSION, HANDSHAKE_VERSIONS } from "@/lib/mcp/protocol-versions";
import { type Exchange, send } from "./exchange";

const CLIENT = { name: "parquetry-connection-test", version: "1" };
const JSON_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

interface Call {
  connector: string;
  bearer?: string | undefined;
}

/** Sends a protocol message to the connector. */
export function message(
  { connector, bearer }: Call,
  asked: string,
  method: string,
  params: object = {},
  headers: Readonly<Record<string, string>> = {},
) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return send({ asked, method: "POST", address: connector, headers: { ...JSON_HEADERS, ...headers }, body, bearer });
}

/** Calls a tool. */
export const callTool = (at: Call, name: string, args: object = {}): Promise<Exchange> =>
  message(at, name, "tools/call", { name, arguments: args }, { "mcp-protocol-version": HANDSHAKE_VERSIONS[0] ?? "" });

/** Performs the handshake at every version, and queries the capabilities of the one without a handshake. */
export async function handshakes(at: Call): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const protocolVersion of HANDSHAKE_VERSIONS)
    exchanges.push(
      await message(at, `initialize ${protocolVersion}`, "initialize", {
        protocolVersion,
        capabilities: {},
        clientInfo: CLIENT,
      }),
    );
  const meta = {
    "io.modelcontextprotocol/protocolVersion": DIRECT_VERSION,
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const headers = { "mcp-protocol-version": DIRECT_VERSION, "mcp-method": "server/discover" };
  return [
    ...exchanges,
    await message(at, `server/discover ${DIRECT_VERSION}`, "server/discover", { _meta: meta }, headers),
  ];
}
