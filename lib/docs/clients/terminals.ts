import { text } from "@/lib/docs/doc";
import { code, config, firstUse, type Guide, NAME } from "./guide";

/** Agents that run in a terminal. */
export const TERMINALS: readonly Guide[] = [
  {
    id: "claude-code",
    title: "Claude Code",
    blocks: ({ connector }) => [
      code(
        "For all projects of yours",
        "shellscript",
        `claude mcp add --transport http --scope user ${NAME} ${connector}`,
      ),
      text("For everybody who works on a project, in its `.mcp.json`:"),
      config(".mcp.json", { mcpServers: { [NAME]: { type: "http", url: connector } } }),
      firstUse(
        `Tools that read the catalogue answer at once. When one needs you, type \`/mcp\`, choose ${NAME} and ` +
          "**Authenticate**: your browser opens this service.",
      ),
      text(
        "With a use key, in a project’s `.mcp.json`. Claude Code reads the variable when it starts, so the " +
          "file holds its name alone:",
      ),
      config(".mcp.json, with a key from the environment", {
        mcpServers: {
          [NAME]: { type: "http", url: connector, headers: { Authorization: `Bearer \${PARQUETRY_KEY}` } },
        },
      }),
      text("`claude mcp list` says whether it is connected."),
    ],
  },
  {
    id: "codex",
    title: "Codex",
    blocks: ({ connector }) => [
      code("Add it", "shellscript", `codex mcp add ${NAME} --url ${connector}`),
      firstUse(
        "Tools that read the catalogue answer at once. For the others sign in, which opens this service in " +
          "your browser:",
      ),
      code("Sign in", "shellscript", `codex mcp login ${NAME}`),
      text("With a use key, whose variable Codex reads when it starts:"),
      code(
        "With a key from the environment",
        "shellscript",
        `codex mcp add ${NAME} --url ${connector} --bearer-token-env-var PARQUETRY_KEY`,
      ),
      text("Both write `~/.codex/config.toml`, which the editor extension reads too:"),
      code(
        "~/.codex/config.toml",
        "text",
        `[mcp_servers.${NAME}]`,
        `url = "${connector}"`,
        'bearer_token_env_var = "PARQUETRY_KEY"  # with a key alone',
      ),
    ],
  },
  {
    id: "gemini",
    title: "Gemini CLI",
    blocks: ({ connector }) => [
      code("Add it", "shellscript", `gemini mcp add --transport http --scope user ${NAME} ${connector}`),
      text("That writes `~/.gemini/settings.json`:"),
      config("~/.gemini/settings.json", { mcpServers: { [NAME]: { url: connector, type: "http" } } }),
      firstUse(
        `Tools that read the catalogue answer at once. When one needs you, type \`/mcp auth ${NAME}\`: your ` +
          "browser opens this service.",
      ),
      text(
        "With a use key, in the same file. Gemini CLI reads the variable when it starts, so the file holds its " +
          "name alone:",
      ),
      config("~/.gemini/settings.json, with a key from the environment", {
        mcpServers: { [NAME]: { url: connector, type: "http", headers: { Authorization: "Bearer $PARQUETRY_KEY" } } },
      }),
      text("`gemini mcp list` says whether it is connected; it looks only in folders that you trust."),
    ],
  },
  {
    id: "inspector",
    title: "MCP Inspector",
    blocks: ({ connector }) => [
      text("The protocol’s own tool for looking at a server. Without a window:"),
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
        "In its window choose **Streamable HTTP**, the address, and a connection through its proxy. Calls " +
          "straight from the window come from a page of another origin, which is refused unless the operator " +
          "names it in `CONNECTOR_ALLOWED_ORIGINS`.",
      ),
    ],
  },
];
