import { randomUUID } from "node:crypto";
import { z } from "zod";
import { storeClient } from "@/lib/store/people/oauth-clients";
import { type OAuthReply, oauthError, oauthReply } from "./oauth-reply";
import { programName } from "./readable-name";
import { isRedirectUri } from "./redirect-uri";
import { newOAuthSecret, oauthHash } from "./token";

const AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"] as const;
const GRANTS: ReadonlySet<string> = new Set(["authorization_code", "refresh_token"]);
/** RFC 7591, 2: fields not named here are dropped, as the RFC allows. */
export const clientMetadataSchema = z.object({
  redirect_uris: z.array(z.string()).min(1).max(20),
  client_name: z.string().max(1000).optional(),
  client_uri: z.string().max(2000).optional(),
  token_endpoint_auth_method: z.string().default("none"),
  grant_types: z.array(z.string()).max(20).default(["authorization_code", "refresh_token"]),
  response_types: z.array(z.string()).max(20).default(["code"]),
});
type Metadata = z.output<typeof clientMetadataSchema>;

/** Registers a client that nobody vouches for (RFC 7591): public unless it asks for a secret. */
export async function registerClient(body: unknown, now: Date): Promise<OAuthReply> {
  const parsed = clientMetadataSchema.safeParse(body);
  if (!parsed.success) return metadataError(parsed.error.issues);
  const fault = faultOf(parsed.data);
  if (fault) return fault;
  const { redirect_uris: redirectUris, token_endpoint_auth_method: authMethod } = parsed.data;
  const id = randomUUID();
  const name = clientName(parsed.data);
  const uri = clientUri(parsed.data);
  const secret = authMethod === "none" ? null : newOAuthSecret("client");
  await storeClient(
    {
      id,
      kind: "registered",
      name,
      uri,
      redirectUris,
      authMethod,
      secretHash: secret ? oauthHash(secret) : null,
      fetchedAt: null,
    },
    now,
  );
  return oauthReply(201, {
    client_id: id,
    client_id_issued_at: Math.floor(now.getTime() / 1000),
    ...(secret && { client_secret: secret, client_secret_expires_at: 0 }),
    client_name: name,
    ...(uri && { client_uri: uri }),
    redirect_uris: redirectUris,
    grant_types: parsed.data.grant_types.filter((grant) => GRANTS.has(grant)),
    response_types: ["code"],
    token_endpoint_auth_method: authMethod,
  });
}

/** The name that we show for the client, which need not be the one it gives itself. */
export const clientName = ({
  client_name: given = "",
  redirect_uris: [first = ""],
}: Pick<Metadata, "client_name" | "redirect_uris">): string => programName(given, first);

/** The normalised URL of the home page, if it is one that a person can be sent to. */
export function clientUri({ client_uri: uri }: Pick<Metadata, "client_uri">): string | null {
  if (!uri || !URL.canParse(uri)) return null;
  const { protocol, href } = new URL(uri);
  return protocol === "https:" ? href : null;
}

function faultOf(metadata: Metadata): OAuthReply | undefined {
  const bad = metadata.redirect_uris.find((address) => !isRedirectUri(address));
  if (bad !== undefined)
    return oauthError(
      "invalid_redirect_uri",
      "redirect_uris must use https, or http with localhost, 127.0.0.1 or [::1], and must not have a fragment",
    );
  if (!(AUTH_METHODS as readonly string[]).includes(metadata.token_endpoint_auth_method))
    return oauthError(
      "invalid_client_metadata",
      `token_endpoint_auth_method must be one of ${AUTH_METHODS.join(", ")}`,
    );
  if (!metadata.response_types.includes("code"))
    return oauthError("invalid_client_metadata", "response_types must include code");
  if (!metadata.grant_types.includes("authorization_code"))
    return oauthError("invalid_client_metadata", "grant_types must include authorization_code");
  return undefined;
}

function metadataError(issues: readonly z.core.$ZodIssue[]): OAuthReply {
  const [issue] = issues;
  const field = issue?.path.join(".") ?? "";
  const error = field.startsWith("redirect_uris") ? "invalid_redirect_uri" : "invalid_client_metadata";
  return oauthError(error, `${field || "The body"}: ${issue?.message ?? "not understood"}.`);
}
