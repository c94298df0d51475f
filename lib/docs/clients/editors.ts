import { shellWord } from "@/lib/describe/snippet-text";
import { text } from "@/lib/docs/doc";
import { code, config, firstUse, type Guide, NAME, opener } from "./guide";

/** Editors with agents. */
export const EDITORS: readonly Guide[] = [
  {
    id: "cursor",
    title: "Cursor",
    blocks: ({ connector }) => [
      opener("Cursor", cursorLink(connector)),
      text("By hand, for one project in `.cursor/mcp.json`, for all in `~/.cursor/mcp.json`:"),
      config(".cursor/mcp.json", { mcpServers: { [NAME]: { url: connector } } }),
      firstUse(
        "Tools that read the catalogue answer at once. When one needs you, Cursor shows **Connect** beside the " +
          "server under **Settings**, **MCP**, which opens this service in your browser.",
      ),
      text("With a use key, from the environment of the shell that starts Cursor:"),
      config(".cursor/mcp.json, with a key", {
        mcpServers: { [NAME]: { url: connector, headers: { Authorization: bearerOf("env:PARQUETRY_KEY") } } },
      }),
    ],
  },
  {
    id: "vscode",
    title: "VS Code",
    blocks: ({ connector }) => [
      opener(
        "VS Code",
        `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: NAME, type: "http", url: connector }))}`,
      ),
      text("By hand, for one project in `.vscode/mcp.json`; for all, run **MCP: Open User Configuration**:"),
      config(".vscode/mcp.json", { servers: { [NAME]: { type: "http", url: connector } } }),
      code(
        "From a terminal",
        "shellscript",
        `code --add-mcp ${shellWord(JSON.stringify({ name: NAME, type: "http", url: connector }))}`,
      ),
      firstUse(
        "VS Code asks whether you trust the server. When a tool needs you, it asks whether it may sign you in, " +
          "and opens this service in your browser.",
      ),
      text("With a use key, which VS Code asks for once and keeps in its own store:"),
      config(".vscode/mcp.json, with a key", {
        inputs: [{ type: "promptString", id: "parquetry-key", description: "Use key", password: true }],
        servers: {
          [NAME]: { type: "http", url: connector, headers: { Authorization: bearerOf("input:parquetry-key") } },
        },
      }),
      text("What goes wrong stands in its log: **MCP: List Servers**, the server, **Show Output**."),
    ],
  },
  {
    id: "windsurf",
    title: "Windsurf",
    blocks: ({ connector }) => [
      text(
        "In `~/.codeium/windsurf/mcp_config.json`, which **MCPs** in the Cascade panel opens. The field is " +
          "`serverUrl`; then refresh the list.",
      ),
      config("mcp_config.json", { mcpServers: { [NAME]: { serverUrl: connector } } }),
      firstUse(
        "Tools that read the catalogue answer at once. When one needs you, Windsurf opens this service in your " +
          "browser.",
      ),
      text("With a use key, from the environment:"),
      config("mcp_config.json, with a key", {
        mcpServers: { [NAME]: { serverUrl: connector, headers: { Authorization: bearerOf("env:PARQUETRY_KEY") } } },
      }),
    ],
  },
  {
    id: "zed",
    title: "Zed",
    blocks: ({ connector }) => [
      text("In the settings file (**zed: open settings file**):"),
      config("settings.json", { context_servers: { [NAME]: { url: connector } } }),
      firstUse(
        "Tools that read the catalogue answer at once. When one needs you, Zed opens this service in your " +
          "browser; a configured `Authorization` header keeps it from asking.",
      ),
      text("With a use key; keep that file to yourself, since it then holds the key:"),
      config("settings.json, with a key", {
        context_servers: { [NAME]: { url: connector, headers: { Authorization: "Bearer svc_use_…" } } },
      }),
    ],
  },
];

/** The header, with the key from a variable in the client's own notation. */
const bearerOf = (variable: string): string => `Bearer \${${variable}}`;

/** cursor.com/docs/mcp/install-links: the server's part of mcp.json, as base64. */
const cursorLink = (connector: string): string =>
  `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}` +
  `&config=${encodeURIComponent(Buffer.from(JSON.stringify({ url: connector })).toString("base64"))}`;
