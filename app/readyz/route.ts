import { isReady } from "@/lib/operations/check-readiness";

export const dynamic = "force-dynamic";

/** 200 when the database and the query engine answer, else 503: what a load balancer asks. */
export async function GET(): Promise<Response> {
  const ready = await isReady();
  const headers = { "cache-control": "no-store", ...(ready ? {} : { "retry-after": "5" }) };
  return Response.json({ status: ready ? "ready" : "unavailable" }, { status: ready ? 200 : 503, headers });
}
