import type { StoredClient } from "@/lib/store/people/oauth-clients";
import { ClientDocumentError } from "./client-document";
import { isRegistered } from "./redirect-uri";
import { isSameResource } from "./same-resource";
import { readScopes, type Scope } from "./scopes";

/** What a program requests of a person, validated. */
export interface AuthorizeRequest {
  client: StoredClient;
  redirectUri: string;
  scopes: readonly Scope[];
  codeChallenge: string;
  resource: string;
  state: string | undefined;
}

/**
 * `rejected`: shown to the person, who is not redirected, because the URL may not belong to the program. `answered`:
 * sent to the program at its own URL.
 */
export type CheckedRequest =
  | { outcome: "asked"; request: AuthorizeRequest }
  | { outcome: "rejected"; message: string }
  | { outcome: "answered"; location: string };

interface Here {
  /** The service's origin, which every response names (RFC 9207). */
  issuer: string;
  /** The URLs that tokens can be issued for, one per token; the first is used if the program names none. */
  resources: readonly string[];
  resolveClient(id: string): Promise<StoredClient | undefined>;
}

const PARAMETERS = [
  "client_id",
  "redirect_uri",
  "response_type",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
] as const;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/; // base64url of a SHA-256
const STATE_MAX = 2000;

/** Validates the parameters that a program sent a person here with (RFC 6749, 4.1.1; RFC 7636; RFC 8707). */
export async function checkAuthorizeRequest(parameters: URLSearchParams, here: Here): Promise<CheckedRequest> {
  const repeated = PARAMETERS.find((name) => parameters.getAll(name).length > 1);
  if (repeated) return rejected(`${repeated} must not be repeated`);
  const client = await clientOf(parameters.get("client_id") ?? "", here);
  if (typeof client === "string") return rejected(client);
  const redirectUri = redirectOf(parameters.get("redirect_uri"), client);
  if (redirectUri === undefined)
    return rejected("redirect_uri did not match any of the client's registered redirect_uris");
  const state = parameters.get("state") ?? undefined;
  const answer = (error: string, description: string): CheckedRequest => ({
    outcome: "answered",
    location: answerAddress(
      redirectUri,
      here.issuer,
      { error, error_description: description },
      state?.slice(0, STATE_MAX),
    ),
  });
  if ((state?.length ?? 0) > STATE_MAX)
    return answer("invalid_request", `state must not exceed ${STATE_MAX} characters`);
  if (parameters.get("response_type") !== "code")
    return answer("unsupported_response_type", "response_type must be code");
  const codeChallenge = parameters.get("code_challenge") ?? "";
  if (parameters.get("code_challenge_method") !== "S256" || !CHALLENGE.test(codeChallenge))
    return answer("invalid_request", "code_challenge with code_challenge_method=S256 is required");
  const scopes = readScopes(parameters.get("scope"));
  if (!scopes) return answer("invalid_scope", "requested scope is not supported");
  const asked = parameters.get("resource");
  const resource = here.resources.find((address) => asked === null || isSameResource(asked, address));
  if (resource === undefined) return answer("invalid_target", `resource must be ${here.resources.join(" or ")}`);
  return { outcome: "asked", request: { client, redirectUri, scopes, codeChallenge, resource, state } };
}

/** A program's URL with the response. Every response names its issuer, so another server's cannot pass for ours. */
export function answerAddress(
  redirectUri: string,
  issuer: string,
  told: Readonly<Record<string, string>>,
  state: string | undefined,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(told)) url.searchParams.set(name, value);
  if (state !== undefined) url.searchParams.set("state", state);
  url.searchParams.set("iss", issuer);
  return url.href;
}

const rejected = (message: string): CheckedRequest => ({ outcome: "rejected", message });

/** The client, or the reason why there is none. */
async function clientOf(id: string, { resolveClient }: Here): Promise<StoredClient | string> {
  if (id === "") return "client_id is required";
  try {
    return (await resolveClient(id)) ?? "client_id is not registered; register the client again";
  } catch (error) {
    if (error instanceof ClientDocumentError) return error.message;
    throw error;
  }
}

function redirectOf(asked: string | null, { redirectUris }: StoredClient): string | undefined {
  if (asked === null) return redirectUris.length === 1 ? redirectUris[0] : undefined;
  return isRegistered(asked, redirectUris) ? asked : undefined;
}
