import { text } from "@/lib/docs/doc";
import { code, config, firstUse, type Guide, NAME } from "./guide";

/** Agents that run in a terminal. */
export const TERMINALS: readonly Guide[] = [
  {
    id: "claude-code",
    title: "Claude Code",
    blocks: ({ connector }) => [
      code("For all your projects", "shellscript", `claude mcp add --transport http --scope user ${NAME} ${connector}`),
      text("For everyone who works on a project, in its `.mcp.json`:"),
      config(".mcp.json", { mcpServers: { [NAME]: { type: "http", url: connector } } }),
      firstUse(
        `Tools that read the catalogue work immediately. When one requires sign-in, type \`/mcp\`, choose ${NAME} ` +
          "and **Authenticate**, which opens this service in your browser.",
      ),
      text(
        "With a use key, in a project’s `.mcp.json`. Claude Code reads the variable when it starts, so the file " +
          "contains only the variable’s name:",
      ),
      config(".mcp.json, with a key from the environment", {
        mcpServers: {
          [NAME]: { type: "http", url: connector, headers: { Authorization: `Bearer \${PARQUETRY_KEY}` } },
        },
      }),
      text("`claude mcp list` shows whether it is connected."),
    ],
  },
  {
    id: "codex",
    title: "Codex",
    blocks: ({ connector }) => [
      code("Add it", "shellscript", `codex mcp add ${NAME} --url ${connector}`),
      firstUse(
        "Tools that read the catalogue work immediately. For the others, sign in, which opens this service in your " +
          "browser:",
      ),
      code("Sign in", "shellscript", `codex mcp login ${NAME}`),
      text("With a use key, read from an environment variable when Codex starts:"),
      code(
        "With a key from the environment",
        "shellscript",
        `codex mcp add ${NAME} --url ${connector} --bearer-token-env-var PARQUETRY_KEY`,
      ),
      text("Both commands write `~/.codex/config.toml`, which the editor extension also reads:"),
      code(
        "~/.codex/config.toml",
        "text",
        `[mcp_servers.${NAME}]`,
        `url = "${connector}"`,
        'bearer_token_env_var = "PARQUETRY_KEY"  # only with a key',
      ),
    ],
  },
  {
    id: "gemini",
    title: "Gemini CLI",
    blocks: ({ connector }) => [
      code("Add it", "shellscript", `gemini mcp add --transport http --scope user ${NAME} ${connector}`),
      text("This writes `~/.gemini/settings.json`:"),
      config("~/.gemini/settings.json", { mcpServers: { [NAME]: { url: connector, type: "http" } } }),
      firstUse(
        `Tools that read the catalogue work immediately. When one requires sign-in, type \`/mcp auth ${NAME}\`, ` +
          "which opens this service in your browser.",
      ),
      text(
        "With a use key, in the same file. Gemini CLI reads the variable when it starts, so the file contains only " +
          "the variable’s name:",
      ),
      config("~/.gemini/settings.json, with a key from the environment", {
        mcpServers: { [NAME]: { url: connector, type: "http", headers: { Authorization: "Bearer $PARQUETRY_KEY" } } },
      }),
      text("`gemini mcp list` shows whether it is connected. It works only in trusted folders."),
    ],
  },
  {
    id: "inspector",
    title: "MCP Inspector",
    blocks: ({ connector }) => [
      text("The official tool for inspecting a server. On the command line:"),
      code(
        "List the tools",
        "shellscript",
        `npx @modelcontextprotocol/inspector --cli ${connector} --transport http --method tools/list`,
      ),
      code(
        "Call one",
        "shellscript",
        `npx @modelcontextprotocol/inspector --cli ${connector} --transport http \\`,
        "  --method tools/call --tool-name search --tool-arg query=co2",
      ),
      code(
        "With a key",
        "shellscript",
        `npx @modelcontextprotocol/inspector --cli ${connector} --transport http \\`,
        `  --header "Authorization: Bearer $PARQUETRY_KEY" --method tools/call --tool-name list_connected_datasets`,
      ),
      firstUse(
        "In its web interface, choose **Streamable HTTP**, enter the URL, and connect through its proxy. Direct " +
          "calls come from a page of another origin and are rejected unless the administrator adds it to " +
          "`CONNECTOR_ALLOWED_ORIGINS`.",
      ),
    ],
  },
];
