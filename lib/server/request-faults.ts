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

interface Faults {
  bounds: Bounds;
  bytesMax: number;
  door: Door | undefined;
}

/** A page takes POST, as of a form without script, and shows itself again. */
const PAGE_TAKES: readonly string[] = [...PAGE_METHODS, "POST", "OPTIONS"];

/** Our own routes check theirs themselves. */
const methodsAt = (door: Door | undefined): readonly string[] => (door ? METHODS : PAGE_TAKES);

/** The cheap checks, in the contract's order. */
export function faultOf(req: IncomingMessage, target: Target, { bounds, bytesMax, door }: Faults): Failure | null {
  if (!methodsAt(door).includes(req.method ?? "")) return methodNotAllowed(allowedAt(pathOf(target), door));
  if (tooManyHeaders(req, bounds))
    return fail("request_too_large", { message: `Too many header lines (maximum ${bounds.headersMax}).` });
  if (!hasOneHost(req)) return fail("invalid_request", { message: "The request must have exactly one Host header." });
  if (target.rejected && req.url !== "*") return fail(target.rejected);
  if (Number(req.headers["content-length"] ?? 0) > bytesMax) return tooLarge(bytesMax);
  return door ? null : tooManyParameters(target, bounds);
}

/** Our own routes count theirs themselves. */
function tooManyParameters({ url }: Target, { parametersMax }: Bounds): Failure | null {
  const count = url.slice(url.indexOf("?") + 1).split("&").length;
  if (count <= parametersMax) return null;
  const message = `Too many query parameters: ${count}. Send at most ${parametersMax}.`;
  return fail("invalid_request", { message });
}
