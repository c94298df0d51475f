import { list, samples, text } from "@/lib/docs/doc";
import { PYTHON, TYPESCRIPT } from "@/lib/docs/samples/connect";
import { code, firstUse, type Guide } from "./guide";

/** Programs of one's own, and clients that are not named. */
export const PROGRAMS: readonly Guide[] = [
  {
    id: "typescript",
    title: "TypeScript",
    blocks: () => [
      text("With the protocol’s own library, in TypeScript or JavaScript:"),
      samples("The connector from TypeScript", TYPESCRIPT),
      firstUse(
        "Without a key it reads the catalogue. A program that acts for people passes the transport an " +
          "`authProvider`, and the library does the rest of signing in.",
      ),
    ],
  },
  {
    id: "python",
    title: "Python",
    blocks: () => [
      text("With the protocol’s own library:"),
      samples("The connector from Python", PYTHON),
      firstUse(
        "It reads the catalogue. With a use key give the library’s HTTP transport a client of yours that sends " +
          "`Authorization: Bearer` and the key.",
      ),
    ],
  },
  {
    id: "other",
    title: "Another client",
    blocks: ({ base, connector }) => [
      text("Any client of the Model Context Protocol that speaks Streamable HTTP. It asks for some of these:"),
      code("Address", "text", connector),
      list(
        "**Transport**: Streamable HTTP, often just “HTTP”. Not SSE, and not stdio.",
        "**Authentication**: OAuth, with everything found by itself: no client id or secret is to be filled in.",
        `**Client that signs in only at the start**: \`${base}/api/mcp/account\` in place of the address above.`,
        "**Client that cannot sign in**: a header, with a [use key](/settings/access) made for it alone:",
      ),
      code("Header", "text", "Authorization: Bearer svc_use_…"),
      firstUse(
        "With a header the key reads: queries, private tables of its workspace, what is connected. It changes nothing.",
      ),
    ],
  },
];
