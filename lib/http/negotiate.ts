import Negotiator from "negotiator";
import { fail } from "@/lib/kernel/errors";
import type { AnyOperation } from "@/lib/operations/operation";

/**
 * The media type that the client prefers among those of the operation, or the operation's first one if the client
 * states no preference. Fails with not_acceptable if the Accept header rules them all out.
 */
export function chooseMedia(accept: string | null, operation: AnyOperation): string {
  const offered = mediaOf(operation);
  const first = offered[0] as string;
  if (accept === null) return first;
  const [best] = new Negotiator({ headers: { accept } }).mediaTypes([...offered]);
  if (best === undefined)
    throw fail("not_acceptable", {
      message: `None of the accepted media types is available. This route offers ${offered.join(", ")}.`,
    });
  return best;
}

function mediaOf({ output, alternatives = {} }: AnyOperation): readonly string[] {
  return "mediaType" in output
    ? [output.mediaType, "application/octet-stream"]
    : ["application/json", ...Object.keys(alternatives)];
}
