import { createHash, randomBytes } from "node:crypto";
import { registerClient } from "@/lib/oauth/registration";
import { newOAuthSecret, oauthHash } from "@/lib/oauth/token";
import { exchange } from "@/lib/oauth/token-endpoint";
import { insertConnection } from "@/lib/store/people/agent-connections";

const REDIRECT = "http://127.0.0.1/callback";

interface Consent {
  userId: string;
  workspaceId: string;
  /** The URL that its tokens are for. */
  resource: string;
  scopes?: string[];
  name?: string;
}

/** An agent authorized by a person, with the tokens that it received; `refresh` returns new ones. */
export async function connectAgent({
  userId,
  workspaceId,
  resource,
  scopes = ["datasets:read"],
  name = "Test agent",
}: Consent) {
  const now = new Date();
  const client = String((await registerClient({ client_name: name, redirect_uris: [REDIRECT] }, now)).body?.client_id);
  const [code, verifier] = [newOAuthSecret("code"), randomBytes(32).toString("base64url")];
  const codeChallenge = createHash("sha256").update(verifier).digest("base64url");
  const kept = {
    hash: oauthHash(code),
    redirectUri: REDIRECT,
    codeChallenge,
    expiresAt: new Date(now.getTime() + 60_000),
  };
  const id = await insertConnection({ clientId: client, userId, workspaceId, scopes, resource }, kept, {
    actor: "person",
    userId,
  });
  const tokens = async (fields: Record<string, string>, at = new Date()) => {
    const { body } = await exchange(
      { fields: new Map(Object.entries({ client_id: client, ...fields })), authorization: null },
      at,
    );
    return { access: String(body?.access_token), refresh: String(body?.refresh_token) };
  };
  const first = await tokens({
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT,
  });
  return {
    id,
    client,
    ...first,
    refreshed: (refresh: string, at?: Date) => tokens({ grant_type: "refresh_token", refresh_token: refresh }, at),
  };
}
