import { log } from "@/lib/http/log";
import { SandboxFailure } from "@/lib/sandbox/events";
import { SourceFailure } from "@/lib/sources/source-failure";
import { type StoredJson, storable } from "@/lib/store/postgres/stored-json";
import type { InspectionJob } from "@/lib/store/runs/jobs";
import {
  claimInspection,
  failInspection,
  finishInspection,
  type StoredInspection,
} from "@/lib/store/sources/inspections";
import { cleanText, fullDisk, RunFailure } from "@/lib/worker/runs/run-failure";
import type { Working } from "@/lib/worker/runs/run-job";
import { inspect } from "./inspect-stage";

export type Inspecting = Pick<Working, "worker" | "stop" | "onError"> & {
  /** The compiled sandbox; the one next to the compiled worker if absent. */
  program?: string | undefined;
};

/** Works on one inspection and records the outcome. Rejects if the worker stops, so that another one takes it. */
export async function workOnInspection(
  { inspection_id: id }: InspectionJob,
  { worker, stop, onError, program }: Inspecting,
): Promise<void> {
  const claimed = await claimInspection(id, worker, new Date());
  if (!claimed) return;
  try {
    const found = await inspect(claimed, stop, program);
    await finishInspection(claimed, storable(found) as unknown as StoredJson, new Date());
  } catch (error) {
    if (stop.aborted) throw error;
    await recordFailure(claimed, error, onError);
  }
}

async function recordFailure(claimed: StoredInspection, error: unknown, onError: Working["onError"]): Promise<void> {
  const isNamed = error instanceof RunFailure || error instanceof SourceFailure || error instanceof SandboxFailure;
  const named = isNamed ? error : fullDisk(error);
  if (!isNamed && named) log().error({ inspection: claimed.id, err: error }, "the disk of the service is full");
  if (!named) onError(error);
  const failure = named
    ? { code: named.code, message: cleanText(named.message) }
    : { code: "internal", message: "The service failed. The administrator can find the cause in the log." };
  if (!(await failInspection(claimed, failure, new Date())))
    log().warn({ inspection: claimed.id }, "another worker has the inspection");
}
