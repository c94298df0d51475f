import { asCaller } from "@/lib/kernel/caller";
import type { Context } from "./context";
import { querySubject } from "./quotas";

/** Does work in the turns of a credential that was verified: until then, its requests take those of their address. */
export function asCallerOf<T>(ctx: Context, work: () => T): T {
  const subject = ctx.actor.kind === "anonymous" ? undefined : querySubject(ctx);
  return subject === undefined ? work() : asCaller(subject, work);
}
