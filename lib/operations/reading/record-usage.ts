import { readingFor } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import type { TableVersion } from "@/lib/store/datasets/tables";
import type { Use } from "@/lib/store/usage/usage";
import { recordUse } from "@/lib/store/usage/usage-buffer";

/**
 * Records what a key or a connected agent read, for the people of its workspace; limits are counted elsewhere. Costs
 * the reader nothing.
 */
export function recordUsage(
  ctx: Context,
  { tableId }: Pick<TableVersion, "tableId">,
  counts: Pick<Use, "queries" | "downloads" | "rows" | "bytes">,
): void {
  const reading = readingFor(ctx);
  if (!reading) return;
  const day = ctx.now().toISOString().slice(0, 10);
  recordUse(
    { day, workspaceId: reading.workspaceId, keyId: reading.credentialId, tableId, ...counts },
    ctx.onBackgroundError,
  );
}
