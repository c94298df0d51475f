import { processWide } from "@/lib/process-wide";
import { connectDataset } from "@/lib/store/readings";
import type { TableVersion } from "@/lib/store/tables";
import { inBackground } from "./background";
import type { Context } from "./operation";

const REMEMBERED_MAX = 10_000;

/**
 * The first keyed read of a public dataset connects it to the key's workspace. Never delays or fails the read;
 * what this process has connected already is remembered, so that a walk does not write at every page.
 */
export function connectOnRead({ key, onBackgroundError }: Context, version: TableVersion): void {
  if (!key || version.visibility !== "public") return;
  const remembered = processWide("connected", () => new Set<string>());
  const pair = `${key.workspaceId} ${version.datasetId}`;
  if (remembered.has(pair)) return;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.add(pair);
  inBackground(connectDataset(key.workspaceId, version.datasetId), (error) => {
    remembered.delete(pair);
    onBackgroundError(error);
  });
}
