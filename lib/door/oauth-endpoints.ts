import { takeDeviceLogin, takeRegistration } from "@/lib/access/quotas";
import type { Call, Endpoint } from "@/lib/http/endpoint";
import { formEndpoint, jsonEndpoint, tokenEndpoint } from "@/lib/http/oauth-endpoint";
import { authorizeDevice } from "@/lib/oauth/device-authorization";
import { isReachedUnasked } from "@/lib/oauth/redirect-uri";
import { registerClient } from "@/lib/oauth/registration";
import { exchange } from "@/lib/oauth/token-endpoint";
import { introspect, revoke } from "@/lib/oauth/token-management";
import { readAgentRequest } from "@/lib/operations/account/agent-consent";
import type { Route } from "./route-table";

/** The authorization server's endpoints. */
export const OAUTH_ENDPOINTS: readonly Route<Endpoint>[] = [
  { path: "/oauth/authorize", target: { isPersonal: true, answers: { GET: authorize } } },
  { path: "/api/oauth/token", target: tokenEndpoint((form, ctx) => exchange(form, ctx.now())) },
  { path: "/api/oauth/revoke", target: formEndpoint((form, ctx) => revoke(form, ctx.now())) },
  { path: "/api/oauth/introspect", target: formEndpoint((form, ctx) => introspect(form, ctx.now())) },
  {
    path: "/api/oauth/register",
    target: jsonEndpoint(async (body, ctx) => {
      await takeRegistration(ctx);
      return registerClient(body, ctx.now());
    }),
  },
  {
    path: "/api/oauth/device_authorization",
    target: formEndpoint(async (form, ctx) => {
      await takeDeviceLogin(ctx);
      return authorizeDevice(form, { base: ctx.baseUrl, address: ctx.address, now: ctx.now() });
    }),
  },
];

/**
 * Where programs send people. Errors that need no person are returned immediately to a program on their machine;
 * everything else is up to the person.
 */
async function authorize({ request, ctx }: Call): Promise<Response> {
  const { search } = new URL(request.url);
  const checked = await readAgentRequest(search, ctx);
  const location =
    checked.outcome === "answered" && isReachedUnasked(checked.location) ? checked.location : `/oauth/consent${search}`;
  return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
}
