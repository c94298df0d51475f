import Negotiator from "negotiator";
import { fail } from "@/lib/errors";
import type { AnyOperation } from "@/lib/operations/operation";

/** Refuses with not_acceptable when the client's Accept header rules out the operation's media type. */
export function checkAcceptable(accept: string | null, { output }: AnyOperation): void {
  if (accept === null) return;
  const offered = "mediaType" in output ? [output.mediaType, "application/octet-stream"] : ["application/json"];
  const accepted = new Negotiator({ headers: { accept } }).mediaTypes(offered);
  if (accepted.length === 0) throw fail("not_acceptable", { message: `This route answers with ${offered[0]}.` });
}
