import type {
  McpUiHostContext,
  McpUiInitializeRequest,
  McpUiInitializeResult,
  McpUiOpenLinkRequest,
  McpUiOpenLinkResult,
  McpUiSizeChangedNotification,
  McpUiToolResultNotification,
} from "@modelcontextprotocol/ext-apps";

export type ToolResult = McpUiToolResultNotification["params"];

/** How the app reacts to its host's messages. */
interface Heard {
  result(result: ToolResult): void;
  cancelled(): void;
  context(context: McpUiHostContext): void;
  /** The host is now ready. */
  ready(): void;
}

export interface Host {
  /** Opens a URL in the person's browser; false if the host does not. */
  open(url: string): Promise<boolean>;
  /** Reports the height that the app needs. */
  resize(height: number): void;
}

interface Message {
  id?: string | number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

const PROTOCOL_VERSION = "2026-01-26";
const NO_SUCH_METHOD = -32_601;

/**
 * Communicates with the page around the app (MCP Apps, 2026-01-26) by JSON-RPC over `postMessage`. The official
 * package's class does the same in 650 kB, which every host would have to load.
 */
export function connectHost(heard: Heard): Host {
  const waiting = new Map<string | number, (message: Message) => void>();
  const send = (message: object) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const ask = (request: McpUiInitializeRequest | McpUiOpenLinkRequest) =>
    new Promise<Message>((resolve) => {
      const id = waiting.size + 1;
      waiting.set(id, resolve);
      send({ id, ...request });
    });
  window.addEventListener("message", ({ source, data }: MessageEvent<Message | undefined>) => {
    if (source !== window.parent || typeof data !== "object" || data === null) return;
    if (data.method !== undefined) hear(data, heard, send);
    else if (data.id !== undefined) waiting.get(data.id)?.(data);
  });
  void ask({
    method: "ui/initialize",
    params: { appInfo: { name: "parquetry", version: "1" }, appCapabilities: {}, protocolVersion: PROTOCOL_VERSION },
  }).then(({ result }) => {
    if (result) heard.context((result as McpUiInitializeResult).hostContext);
    send({ method: "ui/notifications/initialized", params: {} });
    heard.ready();
  });
  return {
    async open(url) {
      const { result } = await ask({ method: "ui/open-link", params: { url } });
      return result !== undefined && (result as McpUiOpenLinkResult).isError !== true;
    },
    resize(height) {
      const changed: McpUiSizeChangedNotification = { method: "ui/notifications/size-changed", params: { height } };
      send(changed);
    },
  };
}

/** Requests are answered and notifications acted on; unknown notifications are ignored. */
function hear({ id, method, params }: Message, heard: Heard, send: (message: object) => void): void {
  if (id !== undefined) {
    const isKnown = method === "ping" || method === "ui/resource-teardown";
    send(isKnown ? { id, result: {} } : { id, error: { code: NO_SUCH_METHOD, message: "Method not found" } });
  } else if (method === "ui/notifications/tool-result") heard.result(params as ToolResult);
  else if (method === "ui/notifications/tool-cancelled") heard.cancelled();
  else if (method === "ui/notifications/host-context-changed") heard.context(params as McpUiHostContext);
}
