import { authRoute } from "@/lib/http/auth-route";
import { DEVICE_FORM } from "@/lib/http/device-endpoint";
import { answerAt, type Endpoint, type PathParams, unknownPath } from "@/lib/http/endpoint";
import { operationEndpoint } from "@/lib/http/operation-endpoint";
import { PROBES } from "@/lib/http/probes";
import { stripeWebhook } from "@/lib/http/stripe-webhook";
import { answerConnector } from "@/lib/mcp/connector";
import type { AnyOperation } from "@/lib/operations/operation";
import { OPERATIONS } from "@/lib/operations/registry";
import { DOCUMENTS } from "./documents";
import { OAUTH_ENDPOINTS } from "./oauth-endpoints";
import { type Route, routeTable } from "./route-table";

type Answer = (request: Request, params: PathParams) => Promise<Response>;

/** What speaks a protocol of its own, and so has no endpoint's shell. */
const PROTOCOLS: readonly Route<Answer>[] = [
  { path: "/api/mcp", target: (request) => answerConnector(request, "/api/mcp") },
  { path: "/api/mcp/account", target: (request) => answerConnector(request, "/api/mcp/account") },
  { path: "/api/stripe/webhook", target: stripeWebhook },
];

const AUTH = "/api/auth/";

/**
 * Whatever is no page, answered at its path: made from the registry of operations, documents, endpoints and protocols.
 */
export interface Door {
  /** Whether this path (as it was sent, without query) is answered here rather than by a page. */
  serves(path: string): boolean;
  /** Answers a request for such a path; never throws. A body may be deferred (`takeDeferredBody`). */
  handle(request: Request): Promise<Response>;
}

/** The door to a list of operations and all else that is no page. */
export function doorOf(operations: readonly AnyOperation[]): Door {
  const find = routeTable<Answer>([
    ...[...operationEndpoints(operations), ...DOCUMENTS, ...OAUTH_ENDPOINTS, ...PROBES].map(withShell),
    withShell({ path: "/device/answer", target: DEVICE_FORM }),
    ...PROTOCOLS,
  ]);
  return {
    serves: (path) => isApi(path) || find(path) !== undefined,
    async handle(request) {
      const { pathname } = new URL(request.url);
      const path = isApi(pathname) ? pathname.replace(/(?<=.)\/$/, "") : pathname;
      if (path.startsWith(AUTH)) return authRoute(request, path.slice(AUTH.length));
      const found = find(path);
      return found ? found.target(request, found.params) : unknownPath(request);
    },
  };
}

/** THE door of the service: our listener calls it, and so do Next's route handlers (`next dev`, a plain Next host). */
export const { serves, handle } = doorOf(OPERATIONS);

function isApi(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}

function withShell({ path, target }: Route<Endpoint>): Route<Answer> {
  return { path, target: (request, params) => answerAt(target, request, params) };
}

/** One endpoint per path, of the operations that share it. */
function operationEndpoints(operations: readonly AnyOperation[]): Route<Endpoint>[] {
  const paths = [...new Set(operations.map(({ http }) => http.path))];
  return paths.map((path) => {
    const those = operations.filter(({ http }) => http.path === path);
    return { path, target: operationEndpoint(Object.fromEntries(those.map((one) => [one.http.method, one]))) };
  });
}
