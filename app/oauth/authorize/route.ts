import { requestContext } from "@/lib/http/context";
import { isReachedUnasked } from "@/lib/oauth/redirect-uri";
import { readAgentRequest } from "@/lib/operations/account/agent-consent";

/**
 * Where programs send people. What cannot be asked goes back at once to a program on their machine; the rest is the
 * person's to decide.
 */
export async function GET(request: Request): Promise<Response> {
  const ctx = requestContext(request);
  const { search } = new URL(request.url);
  const checked = await readAgentRequest(search, ctx);
  const location =
    checked.outcome === "answered" && isReachedUnasked(checked.location) ? checked.location : `/oauth/consent${search}`;
  return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
}
