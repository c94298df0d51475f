import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { personOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { takeRegistration } from "@/lib/access/quotas";
import { fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { answerAddress, type CheckedRequest, checkAuthorizeRequest } from "@/lib/oauth/authorize-request";
import { ClientDocumentError, fetchClientDocument } from "@/lib/oauth/client-document";
import { resolveClient } from "@/lib/oauth/clients";
import { CODE_SECONDS } from "@/lib/oauth/lifetimes";
import { oauthAddresses } from "@/lib/oauth/server-metadata";
import { newOAuthSecret, oauthHash } from "@/lib/oauth/token";
import { operation } from "@/lib/operations/operation";
import { insertConnection } from "@/lib/store/people/agent-connections";
import { touchClient } from "@/lib/store/people/oauth-clients";

const decisionSchema = z.strictObject({
  request: z.string().max(8000).describe("The query string of the client's request to /oauth/authorize."),
  decision: z.enum(["allow", "deny"]),
  workspace_id: z.string().optional().describe("The workspace the client gets access to; required with allow."),
});

const answerSchema = z.strictObject({
  schema_version: z.literal("service-agent-consent.v1"),
  location: z.string().describe("The redirect URI of the client; send the browser there."),
});

/** The authorization request of a program, from the query string with which it sent the person here. */
export function readAgentRequest(query: string, ctx: Context): Promise<CheckedRequest> {
  const { issuer, resources } = oauthAddresses(ctx.baseUrl);
  return checkAuthorizeRequest(new URLSearchParams(query), {
    issuer,
    resources,
    resolveClient: (id) => resolveClient(id, ctx.now(), fetchFor(ctx)),
  });
}

/**
 * Fetches documents for any caller, signed in or not: counted against their address, so that the service cannot be used
 * to attack other sites.
 */
const fetchFor = (ctx: Context) => async (id: string, now: Date) => {
  await takeRegistration(ctx).catch(() => {
    throw new ClientDocumentError("Too many consent requests from your network. Try again in a minute.");
  });
  return fetchClientDocument(id, now);
};

/**
 * POST a person's answer to a program's authorization request. The request is parsed again: nothing that the page
 * contained is trusted.
 */
export const decideAgentRequest = operation({
  name: "decide_agent_request",
  summary: "Allow or deny an OAuth authorization request",
  description:
    "Takes the query string of /oauth/authorize and the person's decision. Allowing creates a connection to one of " +
    "the person's workspaces and a single-use authorization code that expires after a minute. The response holds " +
    "the URL to redirect the browser to.",
  access: "account",
  quota: "account",
  http: { method: "POST", path: "/api/account/agent-consent" },
  input: { body: decisionSchema },
  output: answerSchema,
  errors: ["invalid_value", "not_found"],
  async run({ body }, ctx) {
    const checked = await readAgentRequest(body.request, ctx);
    if (checked.outcome === "rejected") throw fail("invalid_value", { message: checked.message });
    if (checked.outcome === "answered") return answer(checked.location);
    const { request } = checked;
    const redirectWith = (params: Record<string, string>) =>
      answer(answerAddress(request.redirectUri, oauthAddresses(ctx.baseUrl).issuer, params, request.state));
    if (body.decision === "deny")
      return redirectWith({ error: "access_denied", error_description: "The person denied the request." });
    if (!isUuid(body.workspace_id ?? "")) throw fail("not_found");
    const code = newOAuthSecret("code");
    const { redirectUri, codeChallenge, client, scopes, resource } = request;
    const { userId } = personOf(ctx);
    await insertConnection(
      { clientId: client.id, userId, workspaceId: body.workspace_id ?? "", scopes: [...scopes], resource },
      {
        hash: oauthHash(code),
        redirectUri,
        codeChallenge,
        expiresAt: new Date(ctx.now().getTime() + CODE_SECONDS * 1000),
      },
      authorOf(ctx),
    );
    await touchClient(client.id, ctx.now());
    return redirectWith({ code });
  },
});

const answer = (location: string) => ({ schema_version: "service-agent-consent.v1" as const, location });
