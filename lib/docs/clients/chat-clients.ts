import { text } from "@/lib/docs/doc";
import { code, firstUse, type Guide, NAME, steps } from "./guide";

const SEEN_FROM =
  "Requests come from the provider’s servers, not from your computer: the address must be a public `https` " +
  "one, on port 443.";

/** Clients that run with their provider. */
export const CHAT_CLIENTS: readonly Guide[] = [
  {
    id: "claude",
    title: "Claude",
    blocks: ({ base, connector }) => [
      text(
        "On the web and in the desktop app. On Team and Enterprise plans an owner adds it for the organisation first.",
      ),
      steps(
        "Open **Customize**, **Connectors** (in older versions **Settings**, **Connectors**).",
        "Press **+**, then **Add custom connector**.",
        "Give it a name, paste the address, and press **Add**.",
        "Press **Connect** where it is offered, and turn it on in a conversation.",
      ),
      code("Connector URL", "text", connector),
      firstUse(
        "Tools that read the catalogue answer at once. For the others Claude opens this service in your " +
          "browser: sign in, choose the workspace, allow.",
        `To be asked when you connect and not later, paste \`${base}/api/mcp/account\` instead.`,
      ),
      text(
        SEEN_FROM,
        "That holds for the desktop app too; `claude_desktop_config.json` is for programs on your computer and " +
          "takes no such address.",
      ),
    ],
  },
  {
    id: "chatgpt",
    title: "ChatGPT",
    blocks: ({ connector }) => [
      text("On the web, where your plan and workspace allow custom servers."),
      steps(
        "Open [Plugins](https://chatgpt.com/plugins). (Older versions: **Settings**, **Apps**, **Advanced " +
          "settings**, **Developer mode**, then **Create app**.)",
        "Press **+**, then **Add custom MCP server**.",
        "Give it a name, and paste the address as **Server URL**.",
        "As authentication choose **OAuth or no authentication**.",
        "Read the warning, press **I understand and want to continue**, then **Create as a plugin**.",
      ),
      code("Connector URL", "text", connector),
      firstUse(
        "Tools that read the catalogue answer at once. When one needs you, ChatGPT shows a button that leads " +
          "here: sign in, choose the workspace, allow.",
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
        "By hand: `goose configure`, **Add Extension**, **Remote Extension (Streamable HTTP)**, and paste the " +
          "address. For one session:",
      ),
      code("Goose, for one session", "shellscript", `goose session --with-streamable-http-extension ${connector}`),
      firstUse(
        "Tools that read the catalogue answer at once. When one needs you, Goose opens this service in your browser.",
      ),
      text("With a use key, a header in Goose’s own file; keep that file to yourself, since it then holds the key:"),
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
        text: "Opens Goose Desktop, which asks before it adds the extension.",
      },
    ],
  };
}
