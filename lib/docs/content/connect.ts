import { GUIDES } from "@/lib/docs/clients/client-guides";
import { code } from "@/lib/docs/clients/guide";
import { type Block, type DocContent, h2, list, note, samples, text } from "@/lib/docs/doc";
import { DISCOVERY, HANDSHAKE, REJECTION, WITH_KEY } from "@/lib/docs/samples/connect";
import { messageRows } from "./client-messages";

export const connect: DocContent = ({ place: { base }, settings }) => {
  const at = { base, connector: `${base}/api/mcp` };
  return [
    text(
      "The connector is an MCP server that lets an agent find, read and cite datasets. Add its URL to the " +
        "program that runs your agent:",
    ),
    code("Connector URL", "text", at.connector),
    list(
      "**Without an account**, an agent can search, read descriptions and sample rows.",
      "**Signed in**, it can also run queries and see the datasets connected to your workspace. The program " +
        "opens this service in your browser: sign in, choose the workspace and approve. [Settings, " +
        "Access](/settings/access) lists connected apps and disconnects them.",
      ...(settings.CONNECTOR_ACCEPT_USE_KEYS
        ? [
            "**With a use key**, for programs that cannot sign in: create one at [Settings, " +
              "Access](/settings/access) and send it as `Authorization: Bearer svc_use_…`. It is read-only. Keep " +
              "it in the environment variable `PARQUETRY_KEY`, not in a prompt or a shared file.",
          ]
        : []),
    ),
    ...reachNote(base),
    h2("clients", "Add it to your client"),
    {
      kind: "tabs",
      label: "Clients",
      parameter: "client",
      tabs: GUIDES.map(({ id, title, blocks }) => ({ id, title, blocks: blocks(at) })),
    },
    h2("charts", "Charts and tables in the conversation"),
    text(
      "Clients that support [MCP Apps](https://modelcontextprotocol.io/extensions/apps/overview) " +
        "(`io.modelcontextprotocol/ui`) show you results of `query_table`, `list_versions` and `compare_versions` as " +
        "a chart or a table, with the citation (version and digest) and a link that opens the same query in the " +
        "explorer. There is nothing to set up. The app only draws what the agent received: it reads nothing from the " +
        "network, and its link asks the client to open your browser. In other clients the agent answers in text, as " +
        "before.",
    ),
    list(
      "**A chart** is drawn for groups, and for rows over time or at places, if the result is complete or a top " +
        "list. A partial result is always a table.",
      "**Every digit** of wide numbers is kept in tables, and in the explorer’s URL.",
      "**Light or dark mode** follows the client.",
    ),
    h2("test", "Test the connection"),
    text(
      "Runs a complete client session step by step and explains the first problem. A key or token that you " +
        "paste stays in this page’s memory and is sent to the connector only. With sign-in, the test asks for " +
        "your approval, connects like a client, and disconnects at the end.",
    ),
    { kind: "connection test" },
    h2("terminal", "From a terminal"),
    text("The same checks with `curl`, from wherever the client runs:"),
    samples("Handshake", HANDSHAKE),
    samples("Discovery", DISCOVERY),
    samples("Rejection", REJECTION),
    samples("With a key", WITH_KEY),
    h2("messages", "Client error messages"),
    {
      kind: "table",
      label: "Client error messages",
      head: ["Message", "Meaning and remedy"],
      rows: messageRows(at.connector),
    },
  ];
};

/** Clients that run elsewhere can only reach public URLs. */
function reachNote(base: string): Block[] {
  const { protocol, hostname } = new URL(base);
  const isLocal = hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
  if (isLocal)
    return [
      note(`This service’s URL is \`${base}\`: programs on the same computer can reach it, Claude and ChatGPT cannot.`),
    ];
  return protocol === "https:"
    ? []
    : [
        note(
          `This service’s URL is \`${base}\`, without TLS: Claude and ChatGPT require \`https\`, as does ` +
            "sign-in from most programs.",
        ),
      ];
}
