import { z } from "zod";
import { readerOf, workspaceOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { requireHostedDay, takeHostedRequest } from "@/lib/access/quotas";
import { fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import type { HostedKind } from "@/lib/limits/rate-limit";
import type { LimitState } from "@/lib/limits/rate-limit-headers";
import { findHosted, type HostedRelease, type HostedTable } from "@/lib/store/datasets/activations";
import { hasActiveSubscription } from "@/lib/store/people/subscription";

export const hostedPathSchema = z.strictObject({
  table_id: z.string().describe("The table's hosted id, which appears only in its current_path and freshness_path."),
});

export interface Located {
  table: HostedTable;
  /** The key's remaining minute quota after this request. */
  limits: LimitState;
}

/**
 * The checks of the hosted routes, in order: the subscription of the key's workspace, the key's limits, and only then
 * the table, so that nobody whose subscription has ended learns which ids exist.
 */
export async function locateHosted(kind: HostedKind, tableId: string, ctx: Context): Promise<Located> {
  const workspaceId = workspaceOf(ctx) ?? "";
  if (!(await hasActiveSubscription(workspaceId, ctx.now()))) throw fail("subscription_inactive");
  const limits = await takeHostedRequest(kind, ctx);
  const isConditional = ["if-match", "if-none-match"].some((name) => ctx.header(name) !== null);
  if (kind === "hosted-current" && !isConditional) await requireHostedDay(limits, ctx);
  const table = isUuid(tableId) ? await findHosted(tableId, readerOf(ctx) ?? { workspaceId }) : undefined;
  if (!table) throw fail("not_found", { message: "Not found. Check the table's current_path, and whose key it is." });
  return { table, limits };
}

/** The entity tag of a release's bytes. */
export const releaseTag = ({ digest }: HostedRelease): string => `"sha256-${digest}"`;
