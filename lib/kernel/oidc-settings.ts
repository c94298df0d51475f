import { z } from "zod";
import { isUuid } from "./uuid";

const ID = /^[a-z][a-z0-9-]{0,31}$/;

/** Names that sign-in uses itself. */
const TAKEN: ReadonlySet<string> = new Set(["github", "google", "email", "credentials"]);

/** What a group of an identity provider grants. */
export interface GroupGrant {
  group: string;
  workspaceId: string;
  role: "owner" | "member";
}

const isLocal = ({ hostname }: URL): boolean => ["localhost", "127.0.0.1", "[::1]"].includes(hostname);

const issuer = z.url({ protocol: /^https?$/ }).refine((text) => {
  const url = new URL(text);
  return (url.protocol === "https:" || isLocal(url)) && url.search === "" && url.hash === "";
}, "Expected the provider's https URL, without a query string.");

const grants = z
  .string()
  .default("")
  .transform((text, ctx): readonly GroupGrant[] =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean)
      .flatMap((part) => {
        const grant = grantOf(part);
        if (grant) return [grant];
        const message = `“${part}” is not GROUP=WORKSPACE:ROLE, with a workspace's ID and the role owner or member.`;
        ctx.addIssue({ code: "custom", message });
        return [];
      }),
  );

function grantOf(part: string): GroupGrant | undefined {
  const [colon, equals] = [part.lastIndexOf(":"), part.lastIndexOf("=")];
  const [workspaceId, role] = [part.slice(equals + 1, colon), part.slice(colon + 1)];
  if (equals < 1 || !isUuid(workspaceId) || (role !== "owner" && role !== "member")) return undefined;
  try {
    return { group: decodeURIComponent(part.slice(0, equals)), workspaceId: workspaceId.toLowerCase(), role };
  } catch {
    return undefined; // a % that does not begin %25 or %2C
  }
}

/** THE settings of one OpenID Connect provider: `OIDC_<ID>_<name>`, with the ID in capitals and _ for -. */
export const OIDC_SETTINGS = z.object({
  ISSUER: issuer.describe(
    "Issuer of the provider, exactly as it is in its /.well-known/openid-configuration, such as " +
      "https://login.example.com/realms/acme.",
  ),
  CLIENT_ID: z.string().describe("Client ID that the provider has registered for this service."),
  CLIENT_SECRET: z
    .string()
    .describe(
      "Client secret. Register the redirect URI PARQUETRY_BASE_URL/api/auth/callback/ID with the provider, with the " +
        "provider's ID in place of ID.",
    ),
  LABEL: z.string().max(40).optional().describe("Name of the provider on the button. By default, its ID."),
  SCOPES: z
    .string()
    .regex(/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/, "Expected scopes separated by one space.")
    .refine((text) => text.split(" ").includes("openid"), "Expected openid among the scopes.")
    .default("openid email profile")
    .describe("Scopes to request, separated by spaces."),
  ALGORITHM: z
    .enum(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"])
    .default("RS256")
    .describe("Algorithm with which the provider signs ID tokens: RS256, PS256, ES256 or EdDSA, for example."),
  EMAILS_VERIFIED: z
    .stringbool()
    .default(false)
    .describe(
      "Whether every address that the provider states belongs to the person. By default, an address counts only with " +
        "the claim email_verified. Enable it only if people cannot choose their address there.",
    ),
  GROUPS_CLAIM: z
    .string()
    .default("groups")
    .describe("Claim of the ID token or the user info that lists the person's groups."),
  GROUPS: grants.describe(
    "What groups grant: comma-separated GROUP=WORKSPACE:ROLE, with a workspace's ID and the role owner or member. In " +
      "a group's name, write a comma as %2C and a percent sign as %25.",
  ),
});

type Given = z.output<typeof OIDC_SETTINGS>;

/** An OpenID Connect provider that is set up. */
export interface OidcProvider {
  id: string;
  label: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  algorithm: Given["ALGORITHM"];
  emailsVerified: boolean;
  groupsClaim: string;
  groups: readonly GroupGrant[];
}

const NAMES = Object.keys(OIDC_SETTINGS.shape) as (keyof Given)[];

/** The variable of a provider's setting. */
export const oidcVariable = (id: string, name: string): string =>
  `OIDC_${id.toUpperCase().replaceAll("-", "_")}_${name}`;

/**
 * The providers with these ids, and what is wrong with their settings, one line each. A misspelt setting of a provider
 * and one of a provider that is not listed are wrong too: they would have no effect.
 */
export function readOidcProviders(
  ids: readonly string[],
  variables: Readonly<Record<string, unknown>>,
): { providers: OidcProvider[]; faults: string[] } {
  const faults = ids.flatMap((id, at) => {
    if (!ID.test(id)) return [`OIDC_PROVIDERS: “${id}” is not a short ID. Use lower-case letters, digits and hyphens.`];
    if (TAKEN.has(id)) return [`OIDC_PROVIDERS: “${id}” is the ID of another sign-in method. Choose another ID.`];
    return ids.indexOf(id) < at ? [`OIDC_PROVIDERS: “${id}” is listed twice.`] : [];
  });
  if (faults.length > 0) return { providers: [], faults };
  const providers = ids.flatMap((id) => {
    const own = NAMES.map((name) => [name, variables[oidcVariable(id, name)]] as const);
    const parsed = OIDC_SETTINGS.safeParse(Object.fromEntries(own.filter(([, value]) => value !== undefined)));
    if (parsed.success) return [providerOf(id, parsed.data)];
    faults.push(...parsed.error.issues.map(({ path, message }) => `${oidcVariable(id, String(path[0]))}: ${message}`));
    return [];
  });
  return { providers, faults: [...faults, ...withoutEffect(ids, Object.keys(variables))] };
}

const providerOf = (id: string, given: Given): OidcProvider => ({
  id,
  label: given.LABEL ?? id,
  issuer: given.ISSUER,
  clientId: given.CLIENT_ID,
  clientSecret: given.CLIENT_SECRET,
  scopes: given.SCOPES,
  algorithm: given.ALGORITHM,
  emailsVerified: given.EMAILS_VERIFIED,
  groupsClaim: given.GROUPS_CLAIM,
  groups: given.GROUPS,
});

function withoutEffect(ids: readonly string[], names: readonly string[]): string[] {
  const known = new Set(ids.flatMap((id) => NAMES.map((name) => oidcVariable(id, name))));
  const listed = (name: string) => ids.some((id) => name.startsWith(oidcVariable(id, "")));
  return names
    .filter((name) => name.startsWith("OIDC_") && name !== "OIDC_PROVIDERS" && !known.has(name))
    .flatMap((name) => {
      if (listed(name)) return [`${name}: unknown setting. A provider has ${NAMES.join(", ")}.`];
      return NAMES.some((each) => name.endsWith(`_${each}`))
        ? [`${name}: has no effect, because OIDC_PROVIDERS does not list its provider.`]
        : [];
    });
}
