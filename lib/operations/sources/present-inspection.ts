import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "@/lib/access/context";
import type { InspectionFound, InspectionPart, InspectionReply } from "@/lib/schemas/inspection";
import { isRunFailure, RUN_FAILURES } from "@/lib/schemas/run";
import { findInspection, type StoredInspection } from "@/lib/store/sources/inspections";

const LOOK_MS = 200;
const POLL_MS = 1000;

/** The inspection once it has ended, or its current state when the time is up or the caller has disconnected. */
export async function waitForInspection(
  inspection: StoredInspection,
  waitMs: number,
  ctx: Context,
): Promise<StoredInspection> {
  const until = performance.now() + waitMs;
  let latest = inspection;
  while (isUnderWay(latest) && performance.now() < until && !ctx.signal?.aborted) {
    await sleep(Math.min(LOOK_MS, Math.max(0, until - performance.now())));
    latest = (await findInspection(inspection.workspaceId, inspection.id, ctx.now())) ?? latest;
  }
  return latest;
}

const isUnderWay = ({ state }: StoredInspection): boolean => state === "queued" || state === "running";

/** An inspection as returned; `show` limits it to some parts. */
export function presentInspection(inspection: StoredInspection, show?: readonly InspectionPart[]): InspectionReply {
  const { id, state, failureCode, failureMessage } = inspection;
  const found = inspection.result as unknown as InspectionFound | null;
  return {
    inspection_id: id,
    state,
    ...(failureCode !== null && { failure: failureOf(failureCode, failureMessage ?? "") }),
    ...(isUnderWay(inspection) && { poll_after_ms: POLL_MS }),
    ...(found && shown(found, show)),
    next: nextOf(inspection, found),
  };
}

const failureOf = (code: string, message: string) => ({
  ...{ code, message },
  fix: isRunFailure(code) ? RUN_FAILURES[code] : RUN_FAILURES.internal,
});

function shown(found: InspectionFound, show: readonly InspectionPart[] | undefined): Partial<InspectionFound> {
  if (!show) return found;
  const has = (part: InspectionPart) => show.includes(part);
  const { raw, columns, reader, source, table, json, rows, tried, warnings } = found;
  return {
    warnings,
    ...(has("raw") && raw && { raw }),
    ...(has("columns") && { columns, rows, tried, table }),
    ...(has("reader") && { ...(reader && { reader }), ...(source && { source }) }),
    ...(has("paging") && json && { json }),
  };
}

function nextOf({ id, state }: StoredInspection, found: InspectionFound | null): string {
  if (state === "queued" || state === "running")
    return `get_source_inspection {"inspection_id":"${id}","wait_ms":20000} waits for it.`;
  if (state === "failed") return "Correct the source and inspect it again.";
  if (!found?.source || found.columns.length === 0)
    return "Inspect what the warnings name: this cannot be read as a table.";
  const call = 'register_recipe {"dataset":…,"recipe":…,"start":true}';
  return `Put source into sources, steps and columns into a table, then ${call}.`;
}
