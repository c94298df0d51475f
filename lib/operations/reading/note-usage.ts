import type { Context } from "@/lib/access/context";
import { readerOf } from "@/lib/access/reader";
import type { TableVersion } from "@/lib/store/tables";
import type { Use } from "@/lib/store/usage";
import { noteUse } from "@/lib/store/usage-buffer";

/**
 * Notes what a key or a connected agent read, for the people of its workspace to see; limits are counted elsewhere.
 * Costs the reader nothing.
 */
export function noteUsage(
  ctx: Context,
  { tableId }: TableVersion,
  counts: Pick<Use, "queries" | "downloads" | "rows" | "bytes">,
): void {
  const reader = readerOf(ctx);
  if (!reader) return;
  const day = ctx.now().toISOString().slice(0, 10);
  noteUse({ day, workspaceId: reader.workspaceId, keyId: reader.id, tableId, ...counts }, ctx.onBackgroundError);
}
