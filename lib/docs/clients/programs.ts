import { list, samples, text } from "@/lib/docs/doc";
import { PYTHON, TYPESCRIPT } from "@/lib/docs/samples/connect";
import { code, firstUse, type Guide } from "./guide";

/** Your own programs, and clients that are not listed. */
export const PROGRAMS: readonly Guide[] = [
  {
    id: "typescript",
    title: "TypeScript",
    blocks: () => [
      text("With the official MCP library for TypeScript and JavaScript:"),
      samples("The connector from TypeScript", TYPESCRIPT),
      firstUse(
        "Without a key it can read the catalogue. A program that acts for people passes an `authProvider` to the " +
          "transport, and the library handles sign-in.",
      ),
    ],
  },
  {
    id: "python",
    title: "Python",
    blocks: () => [
      text("With the official MCP library:"),
      samples("The connector from Python", PYTHON),
      firstUse(
        "Without a key it can read the catalogue. To use a key, pass the library’s HTTP transport a client that " +
          "sends it as `Authorization: Bearer`.",
      ),
    ],
  },
  {
    id: "other",
    title: "Another client",
    blocks: ({ base, connector }) => [
      text("Any Model Context Protocol client that supports Streamable HTTP. It needs some of these settings:"),
      code("URL", "text", connector),
      list(
        "**Transport**: Streamable HTTP, often just “HTTP”. Not SSE, and not stdio.",
        "**Authentication**: OAuth with automatic discovery. Leave client ID and secret empty.",
        `**Client that signs in only when connecting**: use \`${base}/api/mcp/account\` instead of the URL above.`,
        "**Client that cannot sign in**: a header with its own [use key](/settings/access):",
      ),
      code("Header", "text", "Authorization: Bearer svc_use_…"),
      firstUse(
        "A key in a header is read-only: it can query tables, including its workspace’s private ones, and list " +
          "connected datasets.",
      ),
    ],
  },
];
