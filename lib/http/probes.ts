import { isReady } from "@/lib/operations/check-readiness";
import type { Endpoint } from "./endpoint";

const NEVER_KEPT = { "cache-control": "no-store" };

/**
 * The probes of load balancers: whether the process is alive, and whether database, counters and query engine respond.
 */
export const PROBES: readonly { path: string; target: Endpoint }[] = [
  { path: "/healthz", target: probe(() => Response.json({ status: "ok" }, { headers: NEVER_KEPT })) },
  { path: "/readyz", target: probe(readiness) },
];

function probe(GET: () => Promise<Response> | Response): Endpoint {
  return { isPersonal: true, answers: { GET } };
}

async function readiness(): Promise<Response> {
  const isUp = await isReady();
  const headers = isUp ? NEVER_KEPT : { ...NEVER_KEPT, "retry-after": "5" };
  return Response.json({ status: isUp ? "ready" : "unavailable" }, { status: isUp ? 200 : 503, headers });
}
