import { AppBridge, type McpUiTheme, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

type Bridge = InstanceType<typeof AppBridge>;
export type ToolResult = Parameters<Bridge["sendToolResult"]>[0];

/** What a test can make the host do with an app, and what it sees of the app. */
export interface AppHost {
  /** Shows an app's page and gives it a result once it is ready. */
  start(html: string, theme: McpUiTheme, result: ToolResult): Promise<void>;
  result(result: ToolResult): Promise<void>;
  theme(theme: McpUiTheme): void;
  /** Sets whether the host opens URLs from now on, or reports that it does not. */
  opens(isAllowed: boolean): void;
  opened: string[];
}

const frame = document.querySelector("iframe") as HTMLIFrameElement;
let bridge: Bridge;
let isAllowed = true;

const host: AppHost = {
  opened: [],
  async start(html, theme, result) {
    const hostContext = { theme };
    bridge = new AppBridge(null, { name: "test host", version: "1" }, { openLinks: {} }, { hostContext });
    bridge.oninitialized = () => void bridge.sendToolResult(result);
    bridge.onsizechange = ({ height }) => {
      frame.style.height = `${height}px`;
    };
    bridge.onopenlink = async ({ url }) => {
      if (isAllowed) host.opened.push(url);
      return { isError: !isAllowed };
    };
    await bridge.connect(new PostMessageTransport(frame.contentWindow as Window, frame.contentWindow as Window));
    frame.srcdoc = html;
  },
  result: (result) => bridge.sendToolResult(result),
  theme: (theme) => void bridge.sendHostContextChange({ theme }),
  opens(now) {
    isAllowed = now;
  },
};

Object.assign(window, { host });
