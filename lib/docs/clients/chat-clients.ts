import { text } from "@/lib/docs/doc";
import { code, firstUse, type Guide, NAME, steps } from "./guide";

const SEEN_FROM =
  "Requests come from the provider’s servers, not from your computer: the URL must be public and use `https` on " +
  "port 443.";

/** Clients that run on their provider's servers. */
export const CHAT_CLIENTS: readonly Guide[] = [
  {
    id: "claude",
    title: "Claude",
    blocks: ({ base, connector }) => [
      text(
        "On the web and in the desktop app. On Team and Enterprise plans, an owner first adds it for the organisation.",
      ),
      steps(
        "Open **Customize**, **Connectors** (in older versions **Settings**, **Connectors**).",
        "Press **+**, then **Add custom connector**.",
        "Enter a name, paste the URL, and press **Add**.",
        "Press **Connect**: Claude opens this service in your browser. Sign in, choose the workspace and approve.",
        "Enable it in a conversation.",
      ),
      code("Connector URL, with sign-in", "text", `${base}/api/mcp/account`),
      text(
        "Without an account, use the other URL. Claude may then assume that the connector needs no sign-in, in which " +
          "case only the tools that read the catalogue work.",
      ),
      code("Connector URL, without sign-in", "text", connector),
      text(
        SEEN_FROM,
        "This includes the desktop app: `claude_desktop_config.json` is only for programs on your computer and " +
          "does not accept URLs.",
      ),
    ],
  },
  {
    id: "chatgpt",
    title: "ChatGPT",
    blocks: ({ connector }) => [
      text("On the web, if your plan and workspace allow custom servers."),
      steps(
        "Open [Plugins](https://chatgpt.com/plugins). (Older versions: **Settings**, **Apps**, **Advanced " +
          "settings**, **Developer mode**, then **Create app**.)",
        "Press **+**, then **Add custom MCP server**.",
        "Enter a name, and paste the URL as **Server URL**.",
        "For authentication, choose **OAuth or no authentication**.",
        "Read the warning, press **I understand and want to continue**, then **Create as a plugin**.",
      ),
      code("Connector URL", "text", connector),
      firstUse(
        "Tools that read the catalogue work immediately. When one requires sign-in, ChatGPT shows a button that " +
          "leads here: sign in, choose the workspace and approve.",
      ),
      text(SEEN_FROM),
    ],
  },
  {
    id: "goose",
    title: "Goose",
    blocks: ({ connector }) => [
      gooseOpener(connector),
      text(
        "Manually: `goose configure`, **Add Extension**, **Remote Extension (Streamable HTTP)**, and paste the " +
          "URL. For one session:",
      ),
      code("Goose, for one session", "shellscript", `goose session --with-streamable-http-extension ${connector}`),
      firstUse(
        "Tools that read the catalogue work immediately. When one requires sign-in, Goose opens this service in your " +
          "browser.",
      ),
      text(
        "With a use key, in a header in Goose’s configuration file. Protect that file, because it contains the key:",
      ),
      code(
        "~/.config/goose/config.yaml, with a key",
        "text",
        "extensions:",
        `  ${NAME}:`,
        "    name: Parquetry",
        "    type: streamable_http",
        `    uri: ${connector}`,
        "    headers:",
        "      Authorization: Bearer svc_use_…",
        "    enabled: true",
        "    timeout: 300",
      ),
    ],
  },
];

function gooseOpener(connector: string) {
  const asked = {
    url: connector,
    type: "streamable_http",
    id: NAME,
    name: "Parquetry",
    description: "Open datasets: search, query, cite",
    timeout: "300",
  };
  const query = Object.entries(asked).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return {
    kind: "links" as const,
    links: [
      {
        href: `goose://extension?${query.join("&")}`,
        title: "Add to Goose",
        text: "Opens Goose Desktop, which asks for confirmation before adding the extension.",
      },
    ],
  };
}
