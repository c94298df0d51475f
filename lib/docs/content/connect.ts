import { GUIDES } from "@/lib/docs/clients/client-guides";
import { code } from "@/lib/docs/clients/guide";
import { type Block, type DocContent, h2, list, note, samples, text } from "@/lib/docs/doc";
import { DISCOVERY, HANDSHAKE, REFUSAL, WITH_KEY } from "@/lib/docs/samples/connect";
import { messageRows } from "./client-messages";

export const connect: DocContent = ({ place: { base }, settings }) => {
  const at = { base, connector: `${base}/api/mcp` };
  return [
    text(
      "The connector lets an agent find datasets, read what it needs and cite it. It is one address, which you " +
        "give to the program that your agent runs in:",
    ),
    code("The connector’s address", "text", at.connector),
    list(
      "**Without an account** an agent searches, reads descriptions and looks at rows.",
      "**Signed in** it also runs queries and sees what your workspace has connected. The program opens this " +
        "service in your browser: you sign in, choose the workspace, and allow it. [Settings, " +
        "Access](/settings/access) lists what is connected, and disconnects it.",
      ...(settings.CONNECTOR_ACCEPT_USE_KEYS
        ? [
            "**With a use key** instead, where a program cannot sign in: made at [Settings, " +
              "Access](/settings/access), sent as `Authorization: Bearer svc_use_…`. It reads, and changes " +
              "nothing. Keep it in the environment as `PARQUETRY_KEY`, not in a prompt or a shared file.",
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
    h2("test", "Test the connection"),
    text(
      "The test does what a client does, step by step, and says what is wrong and what to do first. A key or " +
        "token that you paste stays in this page’s memory and goes to the connector alone. With a sign-in it " +
        "connects itself as a client does, after asking you, and disconnects itself at the end.",
    ),
    { kind: "connection test" },
    h2("terminal", "From a terminal"),
    text("The same checks from wherever the client runs, with `curl`:"),
    samples("Handshake", HANDSHAKE),
    samples("Discovery", DISCOVERY),
    samples("Refusal", REFUSAL),
    samples("With a key", WITH_KEY),
    h2("messages", "What your client says"),
    {
      kind: "table",
      label: "Messages of clients",
      head: ["It says", "It means, and what to do"],
      rows: messageRows(at.connector),
    },
  ];
};

/** Clients that run elsewhere reach public addresses alone. */
function reachNote(base: string): Block[] {
  const { protocol, hostname } = new URL(base);
  const isLocal = hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
  if (isLocal)
    return [
      note(`This service’s address is \`${base}\`: programs on the same computer reach it, Claude and ChatGPT do not.`),
    ];
  return protocol === "https:"
    ? []
    : [
        note(
          `This service’s address is \`${base}\`, without TLS: Claude and ChatGPT ask for \`https\`, and so ` +
            "does signing in from most programs.",
        ),
      ];
}
