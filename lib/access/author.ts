import { keyedHash } from "@/lib/storage/secret";
import { type Author, OPERATOR } from "@/lib/store/audit";
import { userIdOf } from "./actor";
import type { Context } from "./context";

/** Where a call comes from, as the audit log keeps it: a keyed hash of the address. */
export const fromHashOf = ({ address }: Pick<Context, "address">): string | undefined =>
  address === undefined ? undefined : keyedHash("audit", address);

/** The caller as the audit log names them. */
export function authorOf(ctx: Pick<Context, "actor" | "address">): Author {
  if (ctx.actor.kind === "operator") return OPERATOR;
  if (ctx.actor.kind === "service") return { actor: "service" };
  return { actor: "person", userId: userIdOf(ctx), fromHash: fromHashOf(ctx) };
}
