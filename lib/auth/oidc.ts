import type { Profile } from "next-auth";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { env } from "@/lib/kernel/env";
import { type OidcProvider, oidcVariable } from "@/lib/kernel/oidc-settings";
import { withoutEnd } from "@/lib/kernel/trim-signs";
import type { GrantEnd, ProviderGrant } from "@/lib/store/people/provider-memberships";

/** What a provider says about a person: the claims of the ID token, and those that only the user info has. */
export interface OidcClaims {
  sub: string;
  name?: unknown;
  email?: unknown;
  email_verified?: unknown;
  picture?: unknown;
  [claim: string]: unknown;
}

type Request = NonNullable<Extract<OAuthConfig<OidcClaims>["token"], { request?: unknown }>["request"]>;
type UserinfoRequest = NonNullable<Extract<OAuthConfig<OidcClaims>["userinfo"], { request?: unknown }>["request"]>;

/** The OpenID Connect provider with this id. */
export const oidcProvider = (id: string): OidcProvider | undefined =>
  env().oidcProviders.find((each) => each.id === id);

/**
 * next-auth's provider for an OpenID Connect one. openid-client checks the ID token: signature by the provider's keys
 * and algorithm, issuer, audience, nonce, expiry and time of issue, with ten seconds of tolerance; and the state and
 * the code verifier of this browser. Added here: that the provider is the one in the settings.
 */
export function oidcAuthProvider(provider: OidcProvider): OAuthConfig<OidcClaims> {
  const { id, label, issuer, clientId, clientSecret, scopes, algorithm } = provider;
  return {
    ...{ id, clientId, clientSecret, name: label, type: "oauth" },
    wellKnown: `${withoutEnd(issuer, "/")}/.well-known/openid-configuration`,
    client: { id_token_signed_response_alg: algorithm },
    idToken: true,
    checks: ["pkce", "state", "nonce"],
    authorization: { params: { scope: scopes } },
    token: { request: (call) => exchange(call, provider) },
    userinfo: { request: claimsOf },
    profile: (claims) => profileOf(claims, provider),
  };
}

const exchange = async (
  { client, params, checks, provider: { callbackUrl } }: Parameters<Request>[0],
  { id, issuer }: OidcProvider,
) => {
  // the document at the issuer's URL may name any issuer, and the ID token is compared with that
  if (client.issuer.metadata.issuer !== issuer)
    throw new Error(`unexpected issuer ${client.issuer.metadata.issuer}: ${oidcVariable(id, "ISSUER")} is ${issuer}`);
  return { tokens: await client.callback(callbackUrl, params, checks) };
};

/** The claims of the ID token. The user info, which must be about the same subject, only adds to them. */
const claimsOf: UserinfoRequest = async ({ client, tokens }) => {
  const { userinfo_endpoint: endpoint } = client.issuer.metadata;
  const more = endpoint ? await client.userinfo(tokens as Parameters<typeof client.userinfo>[0]) : {};
  const own = (tokens as unknown as { claims(): Profile & OidcClaims }).claims();
  // an address and whether it was verified belong together
  const verified = own.email === undefined ? {} : { email_verified: own.email_verified };
  return { ...more, ...own, ...verified } as Profile;
};

const profileOf = ({ sub, name, email, email_verified: verified, picture }: OidcClaims, provider: OidcProvider) => ({
  id: sub,
  name: typeof name === "string" ? name : null,
  email: typeof email === "string" && (verified === true || provider.emailsVerified) ? email : "",
  image: typeof picture === "string" ? picture : null,
});

/**
 * What a person's groups give them, at most one role in each workspace, and why everything else that the provider gave
 * ends. A claim that is absent, or that refers elsewhere because the groups are too many for a token, gives nothing.
 */
export function grantsOf(claims: OidcClaims, provider: OidcProvider): { grants: ProviderGrant[]; end: GrantEnd } {
  const claim = claims[provider.groupsClaim];
  const groups = new Set([claim ?? []].flat().filter((group) => typeof group === "string"));
  const grants = new Map<string, ProviderGrant>();
  for (const grant of provider.groups) {
    if (!groups.has(grant.group) || grants.get(grant.workspaceId)?.role === "owner") continue;
    if (grant.role === "owner" || !grants.has(grant.workspaceId)) grants.set(grant.workspaceId, grant);
  }
  return { grants: [...grants.values()], end: claim === undefined ? absence(claims, provider) : "group ended" };
}

/** OpenID Connect, 5.6.2: `_claim_names` lists claims that have to be read elsewhere. */
function absence({ _claim_names: elsewhere }: OidcClaims, { groupsClaim }: OidcProvider): GrantEnd {
  const isElsewhere = typeof elsewhere === "object" && elsewhere !== null && Object.hasOwn(elsewhere, groupsClaim);
  return isElsewhere ? "groups claim elsewhere" : "groups claim absent";
}
