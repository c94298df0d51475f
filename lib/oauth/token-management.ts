import { timingSafeEqual } from "node:crypto";
import { describeConnection, revokeConnection } from "@/lib/store/people/agent-connections";
import { findClient } from "@/lib/store/people/oauth-clients";
import { type FoundToken, findToken, revokeToken } from "@/lib/store/people/oauth-tokens";
import { grantKindOf, isLive } from "./access-token";
import { basicCredentials } from "./basic-credentials";
import { type OAuthReply, oauthError, oauthReply } from "./oauth-reply";
import { isOAuthSecret, oauthHash } from "./token";
import type { PostedForm } from "./token-endpoint";

/**
 * RFC 7009. Revoking an access token ends only that token; a refresh token or a device's credential ends its entire
 * connection. Replies 200 also for tokens that are unknown or belong to another client.
 */
export async function revoke(form: PostedForm, now: Date): Promise<OAuthReply> {
  const client = await provenClient(form);
  if (!client) return unknownClient();
  const text = form.fields.get("token");
  if (!text) return oauthError("invalid_request", "token is required");
  const found = await tokenOf(text, client);
  if (found?.kind === "refresh")
    await revokeConnection({ id: found.connectionId }, { actor: "service" }, "revoked by the agent");
  if (found?.kind === "device")
    await revokeConnection({ id: found.connectionId }, { actor: "person", userId: found.userId }, "signed out there");
  if (found?.kind === "access") await revokeToken(oauthHash(text), now);
  return oauthReply(200, null);
}

/** RFC 7662, for the client that holds the token. Nobody else learns anything about it. */
export async function introspect(form: PostedForm, now: Date): Promise<OAuthReply> {
  const client = await provenClient(form);
  if (!client) return unknownClient();
  const found = await tokenOf(form.fields.get("token") ?? "", client);
  if (!found || !isLive(found, now)) return oauthReply(200, { active: false });
  return oauthReply(200, {
    active: true,
    scope: found.scopes.join(" "),
    client_id: client,
    token_type: "Bearer",
    exp: Math.floor(found.expiresAt.getTime() / 1000),
    iat: Math.floor(found.issuedAt.getTime() / 1000),
    sub: found.userId,
    aud: found.resource,
    ...(found.kind === "device" && (await holderOf(found))),
  });
}

/**
 * The person that a device's credential acts for, so that its command line can show it. Third-party programs are not
 * told: nobody consented to that.
 */
async function holderOf({ connectionId }: FoundToken): Promise<Record<string, string | null>> {
  const { email, workspaceId, workspaceName, deviceName } = await describeConnection(connectionId);
  return { username: email, workspace_id: workspaceId, workspace_name: workspaceName, device_name: deviceName };
}

const unknownClient = (): OAuthReply => oauthError("invalid_client", "client authentication failed");

async function tokenOf(text: string, client: string): Promise<FoundToken | undefined> {
  if (!grantKindOf(text) && !isOAuthSecret(text, "refresh")) return undefined;
  const found = await findToken(oauthHash(text));
  return found?.clientId === client ? found : undefined;
}

/** The id of the client that posted the form, once it has authenticated. */
export async function provenClient({ fields, authorization }: PostedForm): Promise<string | undefined> {
  const [basicId, basicSecret] = basicCredentials(authorization) ?? [];
  const id = basicId ?? fields.get("client_id");
  const secret = basicSecret ?? fields.get("client_secret");
  const client = id ? await findClient(id) : undefined;
  if (!client) return undefined;
  if (client.authMethod === "none") return secret ? undefined : client.id;
  const isProven =
    client.secretHash !== null && secret !== undefined && timingSafeEqual(client.secretHash, oauthHash(secret));
  return isProven ? client.id : undefined;
}
