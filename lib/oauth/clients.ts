import { findClient, keepClient, type NewClient, type StoredClient } from "@/lib/store/oauth-clients";
import { isDocumentAddress } from "./client-document";

const FRESH_MS = 3_600_000;
const KEPT_MS = 86_400_000;

/** Known clients, for when their document cannot be read: its content in November 2026. */
const PINNED: Readonly<Record<string, Pick<NewClient, "name" | "uri" | "redirectUris">>> = {
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

type Fetch = (id: string, now: Date) => Promise<NewClient>;

/**
 * The client with this id: a registered one, or one whose id is the URL of its document. Undefined if there is none;
 * rejects with a message if its document cannot be used.
 */
export async function resolveClient(id: string, now: Date, fetch: Fetch): Promise<StoredClient | undefined> {
  const stored = await findClient(id);
  if (!isDocumentAddress(id)) return stored;
  if (stored?.fetchedAt && now.getTime() - stored.fetchedAt.getTime() < FRESH_MS) return stored;
  try {
    await keepClient(await fetch(id, now), now);
  } catch (error) {
    const known = PINNED[id];
    if (known)
      await keepClient({ id, kind: "document", authMethod: "none", secretHash: null, fetchedAt: null, ...known }, now);
    else if (!stored?.fetchedAt || now.getTime() - stored.fetchedAt.getTime() > KEPT_MS) throw error;
  }
  return findClient(id);
}
