import type { Context } from "@/lib/access/context";
import { fail } from "@/lib/kernel/errors";

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Evaluates a request's preconditions for a representation with this strong tag, before its range (RFC 9110 §13.2.2).
 * Fails with `precondition_failed` unless If-Match names it. Returns whether If-None-Match names it: 304.
 */
export function isUnchanged(ctx: Pick<Context, "header">, etag: string): boolean {
  const ifMatch = ctx.header("if-match");
  if (ifMatch !== null && !namesTag(ifMatch, etag))
    throw fail("precondition_failed", {
      message: `If-Match does not name the current entity tag, which is ${etag}.`,
      fix: "Start again with that tag, or without If-Match.",
      headers: { etag },
    });
  return matchesTag(ctx.header("if-none-match"), etag);
}

/** Whether If-Match names the tag: a list, `*`, strong comparison (RFC 9110 §13.1.1). */
export const namesTag = (ifMatch: string, etag: string): boolean =>
  ifMatch.trim() === "*" || (ifMatch.match(TAG) ?? []).some((tag) => tag === etag);

/** Whether If-None-Match names the tag: a list, `*`, weak comparison (RFC 9110 §13.1.2). */
export function matchesTag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return (ifNoneMatch.match(TAG) ?? []).some((tag) => tag.replace(/^W\//, "") === etag);
}
