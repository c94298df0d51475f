import type { IncomingMessage } from "node:http";
import type { Door } from "@/lib/door/handle";
import { type Failure, fail } from "@/lib/kernel/errors";
import type { Bounds } from "./bounds";
import { tooLarge } from "./incoming-body";
import { ALLOW, METHODS, PAGE_METHODS } from "./rejection";
import { hasOneHost } from "./request-head";
import { pathOf, type Target } from "./request-target";

/** `allow`: the value of the header `Allow`. */
export const methodNotAllowed = (allow: string): Failure => fail("method_not_allowed", { headers: { Allow: allow } });

/** The methods of a path, or those of the entire service if the path is unknown. */
function allowedAt(path: string, door: Door | undefined): string {
  const methods = door ? door.methods(path) : PAGE_METHODS;
  return methods.length > 0 ? methods.join(", ") : ALLOW;
}

/** Whether there are more header lines than allowed, which has a status of its own. */
export const tooManyHeaders = (req: IncomingMessage, bounds: Bounds): boolean =>
  req.rawHeaders.length > 2 * bounds.headersMax;

/** A request whose head has arrived, before anything is done for it. */
interface Arrived {
  req: IncomingMessage;
  target: Target;
  bounds: Bounds;
  /** The largest body of its route. */
  bytesMax: number;
  /** Handles everything that is not a page. */
  door: Door | undefined;
  /** Set in maintenance mode, except for probes. */
  closed: Failure | null;
  /** Set for what the API's own host does not serve. */
  missing: Failure | undefined;
}

type Check = (arrived: Arrived) => Failure | null | undefined;

/** A page takes POST, as of a form without script, and shows itself again. */
const PAGE_TAKES: readonly string[] = [...PAGE_METHODS, "POST", "OPTIONS"];

/** Our own routes check theirs themselves. */
const methodsAt = (door: Door | undefined): readonly string[] => (door ? METHODS : PAGE_TAKES);

/** THE checks of a request's head, in the contract's order. Each returns why it rejects the request, if it does. */
const REQUEST_CHECKS = {
  maintenance: ({ closed }) => closed,
  method: ({ req, target, door }) =>
    methodsAt(door).includes(req.method ?? "") ? null : methodNotAllowed(allowedAt(pathOf(target), door)),
  header_lines: ({ req, bounds }) =>
    tooManyHeaders(req, bounds)
      ? fail("request_too_large", { message: `Too many header lines (maximum ${bounds.headersMax}).` })
      : null,
  one_host: ({ req }) =>
    hasOneHost(req) ? null : fail("invalid_request", { message: "The request must have exactly one Host header." }),
  target: ({ req, target }) => (target.rejected && req.url !== "*" ? fail(target.rejected) : null),
  body_length: ({ req, bytesMax }) =>
    Number(req.headers["content-length"] ?? 0) > bytesMax ? tooLarge(bytesMax) : null,
  parameters: ({ target, bounds, door }) => (door ? null : tooManyParameters(target, bounds)),
  api_host: ({ missing }) => missing,
} satisfies Record<string, Check>;

/** Why a request is rejected: what the first check that fails says. Null if all pass. */
export function faultOf(arrived: Arrived): Failure | null {
  for (const check of Object.values<Check>(REQUEST_CHECKS)) {
    const failure = check(arrived);
    if (failure) return failure;
  }
  return null;
}

/** Our own routes count theirs themselves. */
function tooManyParameters({ url }: Target, { parametersMax }: Bounds): Failure | null {
  const count = url.slice(url.indexOf("?") + 1).split("&").length;
  if (count <= parametersMax) return null;
  const message = `Too many query parameters: ${count}. Send at most ${parametersMax}.`;
  return fail("invalid_request", { message });
}
