import { hasStarted, recentStates } from "@/lib/operations/check-readiness";
import type { Endpoint } from "./endpoint";

const NO_STORE = { "cache-control": "no-store" };

export interface ProbeReply {
  status: 200 | 503;
  headers: Readonly<Record<string, string>>;
  body: string;
}

const reply = (status: string, retryAfter?: number): ProbeReply => ({
  status: retryAfter === undefined ? 200 : 503,
  headers: {
    ...NO_STORE,
    "content-type": "application/json",
    ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
  },
  body: JSON.stringify({ status }),
});

/**
 * The probes of platforms and load balancers: whether the process is alive, and whether it takes requests. Both are
 * known at once, so no load delays them. What all instances share, as the database and maintenance mode, does not
 * count: if it did, a load balancer would take out every instance and answer in their place, without Retry-After.
 */
export const PROBES: Readonly<Record<string, (isDraining: boolean) => ProbeReply>> = {
  "/healthz": () => reply("ok"),
  "/readyz": (isDraining) =>
    isDraining ? reply("draining", 30) : hasStarted() ? reply("ready") : reply("starting", 5),
};

/** The same where there is no listener of ours (`next dev`), and the state of each component, for monitors. */
export const PROBE_ENDPOINTS: readonly { path: string; target: Endpoint }[] = [
  ...Object.entries(PROBES).map(([path, probe]) => ({
    path,
    target: endpoint(() => {
      const { body, ...init } = probe(false);
      return new Response(body, init);
    }),
  })),
  { path: "/status.json", target: endpoint(componentStates) },
];

function endpoint(GET: () => Promise<Response> | Response): Endpoint {
  return { isPersonal: true, answers: { GET } };
}

async function componentStates(): Promise<Response> {
  const states = await recentStates();
  const isUp = states.every((one) => one.isUp);
  const components = states.map((one) => ({ name: one.part, is_up: one.isUp, since: one.since.toISOString() }));
  const headers = isUp ? NO_STORE : { ...NO_STORE, "retry-after": "5" };
  return Response.json({ status: isUp ? "up" : "down", components }, { status: isUp ? 200 : 503, headers });
}
