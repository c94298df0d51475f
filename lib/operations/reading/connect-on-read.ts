import { workspaceOf } from "@/lib/access/actor";
import { authorOf } from "@/lib/access/author";
import type { Context } from "@/lib/access/context";
import { processWide } from "@/lib/kernel/process-wide";
import { inBackground } from "@/lib/store/background";
import type { TableVersion } from "@/lib/store/datasets/tables";
import { connectDataset } from "@/lib/store/usage/readings";

const REMEMBERED_MAX = 10_000;

/**
 * The first read of a public dataset with a key or a connection connects it to the workspace. Never delays or fails the
 * read; what this process has connected is cached, so that pagination does not write for every page.
 */
export function connectOnRead(ctx: Context, version: TableVersion): void {
  const workspaceId = workspaceOf(ctx);
  if (workspaceId === undefined || version.visibility !== "public") return;
  const remembered = processWide("connected", () => new Set<string>());
  const pair = `${workspaceId} ${version.datasetId}`;
  if (remembered.has(pair)) return;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.add(pair);
  inBackground(connectDataset(workspaceId, version.datasetId, authorOf(ctx)), (error) => {
    remembered.delete(pair);
    ctx.onBackgroundError(error);
  });
}
