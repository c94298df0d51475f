import type { NewClient, StoredClient } from "@/lib/store/people/oauth-clients";
import { plainLetters } from "./readable-name";
import { isRedirectUri } from "./redirect-uri";

/** Known clients, used if their document cannot be read: its content in November 2026. */
export const KNOWN_CLIENTS: Readonly<Record<string, Pick<NewClient, "name" | "uri" | "redirectUris">>> = {
  "https://claude.ai/oauth/mcp-oauth-client-metadata": {
    name: "Claude",
    uri: "https://claude.ai",
    redirectUris: ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"],
  },
  "https://claude.ai/oauth/claude-code-client-metadata": {
    name: "Claude Code",
    uri: "https://claude.ai",
    redirectUris: ["http://localhost/callback", "http://127.0.0.1/callback"],
  },
  "https://chatgpt.com/oauth/client.json": {
    name: "ChatGPT",
    uri: "https://chatgpt.com",
    redirectUris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
  },
  "https://chatgpt.com/oauth/codex/client.json": {
    name: "Codex",
    uri: "https://chatgpt.com",
    redirectUris: ["http://127.0.0.1/callback"],
  },
  "https://vscode.dev/oauth/client-metadata.json": {
    name: "Visual Studio Code",
    uri: "https://code.visualstudio.com",
    redirectUris: ["http://127.0.0.1/", "http://127.0.0.1:33418/", "https://vscode.dev/redirect"],
  },
};

/** What a person can be told about a program: the host that vouches for it, or whose name it uses without proof. */
export interface ClientStanding {
  /** The host whose document describes the program. */
  describedAt: string | null;
  /** The same host, if codes are sent only to a website that it names. */
  provenBy: string | null;
  /** The known program that a self-registered one is named like. */
  namedLike: string | null;
}

/**
 * How far a program can be trusted to be what it claims. A document proves its host and the URLs that it lists, except
 * on the person's own machine, where any other program could have used it. A self-registered program proves nothing, so
 * a known program's name is a warning, unless codes are sent to that program's own website.
 */
export function clientStanding(
  client: Pick<StoredClient, "id" | "kind" | "name">,
  redirectUri: string,
): ClientStanding {
  const goesTo = websiteOf(redirectUri);
  if (client.kind === "document") {
    const describedAt = new URL(client.id).host;
    return { describedAt, provenBy: goesTo === null ? null : describedAt, namedLike: null };
  }
  const [known] = Object.values(KNOWN_CLIENTS)
    .filter(({ name }) => isNamedLike(client.name, name))
    .sort((a, b) => b.name.length - a.name.length);
  const isOwn = known?.redirectUris.some((uri) => goesTo !== null && websiteOf(uri) === goesTo) ?? false;
  return { describedAt: null, provenBy: null, namedLike: known && !isOwn ? known.name : null };
}

/** Whether a name contains a known one, however it is spaced or written: "claude.ai", "CLAUDE CODE (2)". */
const isNamedLike = (name: string, known: string): boolean => plainLetters(name).includes(plainLetters(known));

/** The host of a website; null for a URL on the person's own machine. */
function websiteOf(address: string): string | null {
  if (!isRedirectUri(address)) return null;
  const { protocol, host } = new URL(address);
  return protocol === "https:" ? host : null;
}
