import { keyedHash } from "@/lib/storage/secret";
import type { Author } from "@/lib/store/audit";
import type { Context } from "./context";

/** Where a call comes from, as the audit log keeps it: a keyed hash of the address. */
export const fromHashOf = ({ address }: Pick<Context, "address">): string | undefined =>
  address === undefined ? undefined : keyedHash("audit", address);

/** Who makes the change that a call asks for. */
export const authorOf = (ctx: Context): Author => ({
  actor: "person",
  userId: ctx.session?.userId ?? ctx.agent?.userId ?? ctx.key?.userId ?? undefined,
  fromHash: fromHashOf(ctx),
});
