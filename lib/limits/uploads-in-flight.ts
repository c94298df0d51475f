import { fail } from "@/lib/kernel/errors";
import { processWide } from "@/lib/kernel/process-wide";

const ALL_MAX = 8;
const WORKSPACE_MAX = 2;
const RETRY_AFTER_SECONDS = 10;

const running = (): Map<string, number> => processWide("uploads-in-flight", () => new Map<string, number>());

/** Runs `work` as one of the files that this process receives concurrently. Fails with busy if no slot is free. */
export async function asUpload<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
  const own = running().get(workspaceId) ?? 0;
  const all = [...running().values()].reduce((sum, each) => sum + each, 0);
  if (own >= WORKSPACE_MAX || all >= ALL_MAX)
    throw fail("busy", {
      message: "Other files are being uploaded. Try again in a moment.",
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  running().set(workspaceId, own + 1);
  try {
    return await work();
  } finally {
    const left = (running().get(workspaceId) ?? 1) - 1;
    if (left > 0) running().set(workspaceId, left);
    else running().delete(workspaceId);
  }
}
