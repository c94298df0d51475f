import { keyedHash } from "@/lib/storage/secret";
import { ADMINISTRATOR, type Author } from "@/lib/store/audit";
import { userIdOf } from "./actor";
import type { Context } from "./context";

/** The origin of a call as the audit log stores it: a keyed hash of the address. */
export const fromHashOf = ({ address }: Pick<Context, "address">): string | undefined =>
  address === undefined ? undefined : keyedHash("audit", address);

/** The caller as the audit log names them. */
export function authorOf(ctx: Pick<Context, "actor" | "address">): Author {
  if (ctx.actor.kind === "operator") return ADMINISTRATOR;
  if (ctx.actor.kind === "service") return { actor: "service" };
  return { actor: "person", userId: userIdOf(ctx), fromHash: fromHashOf(ctx) };
}
