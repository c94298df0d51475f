import type { TableVersion } from "@/lib/store/tables";
import type { Use } from "@/lib/store/usage";
import { noteUse } from "@/lib/store/usage-buffer";
import type { Context } from "./operation";

/** Notes what a key read, for the people of its workspace to see; limits are counted elsewhere. Costs the reader nothing. */
export function noteUsage(
  { key, now, onBackgroundError }: Context,
  { tableId }: TableVersion,
  counts: Pick<Use, "queries" | "downloads" | "rows" | "bytes">,
): void {
  if (!key) return;
  noteUse({ day: now().toISOString().slice(0, 10), workspaceId: key.workspaceId, keyId: key.id, tableId, ...counts }, onBackgroundError);
}
