import { authMethods, authRoute } from "@/lib/http/auth-route";
import { answerAt, type Endpoint, methodsOf, type PathParams, unknownPath } from "@/lib/http/endpoint";
import { operationEndpoint } from "@/lib/http/operation-endpoint";
import {
  DEVICE_FORM,
  SECOND_STEP_FORM,
  STUDIO_FORM,
  STUDIO_FORM_PATH,
  UPLOAD_FORM,
  UPLOAD_FORM_PATH,
} from "@/lib/http/page-forms";
import { PROBE_ENDPOINTS } from "@/lib/http/probes";
import { SETTINGS_FORM_PATH, settingsForm } from "@/lib/http/settings-form";
import { stripeWebhook } from "@/lib/http/stripe-webhook";
import { answerConnector } from "@/lib/mcp/connector";
import { type Toolbox, toolboxOf } from "@/lib/mcp/tools";
import { type AnyOperation, isRouted, type RoutedOperation } from "@/lib/operations/operation";
import { OPERATIONS } from "@/lib/operations/registry";
import { DOCUMENTS } from "./documents";
import { OAUTH_ENDPOINTS } from "./oauth-endpoints";
import { type Route, routeTable } from "./route-table";

interface Answer {
  (request: Request, params: PathParams): Promise<Response>;
  /** The methods, for the Allow header. */
  methods: readonly string[];
  takesFile?: Endpoint["takesFile"];
}

/** Handlers that implement a protocol themselves and so do without an endpoint's shell. */
const protocolsOf = (tools: Toolbox): Route<Answer>[] => [
  ...(["/api/mcp", "/api/mcp/account"] as const).map((path) => ({
    path,
    target: Object.assign((request: Request) => answerConnector(request, path, tools), {
      methods: ["POST", "OPTIONS"],
    }),
  })),
  { path: "/api/stripe/webhook", target: Object.assign(stripeWebhook, { methods: ["POST"] }) },
];

const AUTH = "/api/auth/";

/**
 * Everything that is not a page, served at its path: built from the registry of operations, documents, endpoints and
 * protocols.
 */
export interface Door {
  /** Whether this path (as sent, without query) is handled here rather than by a page. */
  serves(path: string): boolean;
  /** Whether the body of a request is a file, which may be large and slow. */
  takesFile(method: string, path: string): boolean;
  /** The methods of a path, for the Allow header; none if it is unknown. */
  methods(path: string): readonly string[];
  /** Handles a request for such a path. Never throws. A body may be deferred (`takeDeferredBody`). */
  handle(request: Request): Promise<Response>;
}

/** Builds the door for a list of operations and everything else that is not a page. */
export function doorOf(operations: readonly AnyOperation[]): Door {
  const find = routeTable<Answer>([
    ...[...operationEndpoints(operations.filter(isRouted)), ...DOCUMENTS, ...OAUTH_ENDPOINTS, ...PROBE_ENDPOINTS].map(
      withShell,
    ),
    withShell({ path: "/device/answer", target: DEVICE_FORM }),
    withShell({ path: "/sign-in/passkey/answer", target: SECOND_STEP_FORM }),
    withShell({ path: STUDIO_FORM_PATH, target: STUDIO_FORM }),
    withShell({ path: UPLOAD_FORM_PATH, target: UPLOAD_FORM }),
    withShell({ path: SETTINGS_FORM_PATH, target: settingsForm((request) => door.handle(request)) }),
    ...protocolsOf(toolboxOf(operations)),
  ]);
  const door: Door = {
    serves: (path) => isApi(path) || find(path) !== undefined,
    takesFile: (method, path) => find(plainPath(path))?.target.takesFile?.some((each) => each === method) === true,
    methods(path) {
      const plain = plainPath(path);
      return plain.startsWith(AUTH) ? authMethods(plain.slice(AUTH.length)) : (find(plain)?.target.methods ?? []);
    },
    async handle(request) {
      const path = plainPath(new URL(request.url).pathname);
      if (path.startsWith(AUTH)) return authRoute(request, path.slice(AUTH.length));
      const found = find(path);
      return found ? found.target(request, found.params) : unknownPath(request);
    },
  };
  return door;
}

/** THE door of the service: called by our listener, and by Next's route handlers (`next dev`, a plain Next host). */
export const { serves, takesFile, methods, handle } = doorOf(OPERATIONS);

const plainPath = (path: string): string => (isApi(path) ? path.replace(/(?<=.)\/$/, "") : path);

function isApi(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}

function withShell({ path, target }: Route<Endpoint>): Route<Answer> {
  const answer = (request: Request, params: PathParams) => answerAt(target, request, params);
  const { takesFile } = target;
  return { path, target: Object.assign(answer, { methods: methodsOf(target), ...(takesFile && { takesFile }) }) };
}

/** One endpoint per path, for the operations that share it. */
function operationEndpoints(operations: readonly RoutedOperation[]): Route<Endpoint>[] {
  const paths = [...new Set(operations.map(({ http }) => http.path))];
  return paths.map((path) => {
    const those = operations.filter(({ http }) => http.path === path);
    return { path, target: operationEndpoint(Object.fromEntries(those.map((one) => [one.http.method, one]))) };
  });
}
