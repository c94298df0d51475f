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
      text("Manually, in `.cursor/mcp.json` for one project or `~/.cursor/mcp.json` for all:"),
      config(".cursor/mcp.json", { mcpServers: { [NAME]: { url: connector } } }),
      firstUse(
        "Tools that read the catalogue work immediately. When one requires sign-in, Cursor shows **Connect** next to " +
          "the server under **Settings**, **MCP**, which opens this service in your browser.",
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
      text("Manually, in `.vscode/mcp.json` for one project; for all, run **MCP: Open User Configuration**:"),
      config(".vscode/mcp.json", { servers: { [NAME]: { type: "http", url: connector } } }),
      code(
        "From a terminal",
        "shellscript",
        `code --add-mcp ${shellWord(JSON.stringify({ name: NAME, type: "http", url: connector }))}`,
      ),
      firstUse(
        "VS Code asks whether you trust the server. When a tool requires sign-in, it asks for permission and opens " +
          "this service in your browser.",
      ),
      text("With a use key, which VS Code asks for once and keeps in its secret storage:"),
      config(".vscode/mcp.json, with a key", {
        inputs: [{ type: "promptString", id: "parquetry-key", description: "Use key", password: true }],
        servers: {
          [NAME]: { type: "http", url: connector, headers: { Authorization: bearerOf("input:parquetry-key") } },
        },
      }),
      text("Errors are in its log: **MCP: List Servers**, the server, **Show Output**."),
    ],
  },
  {
    id: "windsurf",
    title: "Windsurf",
    blocks: ({ connector }) => [
      text(
        "In `~/.codeium/windsurf/mcp_config.json`, which **MCPs** in the Cascade panel opens. The field is called " +
          "`serverUrl`. Refresh the list afterwards.",
      ),
      config("mcp_config.json", { mcpServers: { [NAME]: { serverUrl: connector } } }),
      firstUse(
        "Tools that read the catalogue work immediately. When one requires sign-in, Windsurf opens this service in " +
          "your browser.",
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
        "Tools that read the catalogue work immediately. When one requires sign-in, Zed opens this service in your " +
          "browser, unless an `Authorization` header is configured.",
      ),
      text("With a use key. Protect that file, because it contains the key:"),
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
