import { processWide } from "@/lib/kernel/process-wide";
import { readCounts } from "@/lib/limits/counters";
import { readingEngine } from "@/lib/operations/reading/reading-engine";
import { database } from "@/lib/store/postgres/database";

const PATIENCE_MS = 3000;
const PROBE = [{ subject: "readiness", name: "probe", startAt: new Date(0) }];

const PROBES = {
  database: async () => void (await (await database()).pool.query("SELECT 1")),
  counters: async () => void (await readCounts(PROBE)),
  engine: async () => void (await readingEngine()),
} as const;

export type ServicePart = keyof typeof PROBES;

export interface PartState {
  part: ServicePart;
  isUp: boolean;
  /**
   * How long it has been in this state, as far as this instance has observed; it checks whenever the status is
   * requested.
   */
  since: Date;
}

/** When this instance was started. */
export const startedAt = (): Date => processWide("started-at", () => new Date(Date.now() - process.uptime() * 1000));

/** Whether database, counters and query engine respond within three seconds. */
export async function partStates(): Promise<readonly PartState[]> {
  return Promise.all(
    (Object.keys(PROBES) as ServicePart[]).map(async (part) => recordState(part, await answers(PROBES[part]))),
  );
}

/** Until `work` is done, the instance takes no requests, whatever its parts report. */
export function notReadyBefore(work: Promise<unknown>): void {
  const start = startUp();
  start.isOver = false;
  work.then(
    () => {
      start.isOver = true;
    },
    () => undefined,
  );
}

/** Whether this instance takes requests. */
export const hasStarted = (): boolean => startUp().isOver;

const startUp = () => processWide("start-up", () => ({ isOver: true }));

const REMEMBERED_MS = 1_000;

/** The states of the parts, at most a second old, because anybody may ask. */
export function recentStates(now: number = Date.now()): Promise<readonly PartState[]> {
  const last = processWide("recent-states", () => ({
    at: Number.NEGATIVE_INFINITY,
    states: Promise.resolve<readonly PartState[]>([]),
  }));
  if (now - last.at >= REMEMBERED_MS) Object.assign(last, { at: now, states: partStates() });
  return last.states;
}

async function answers(probe: () => Promise<void>): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, PATIENCE_MS, false).unref());
  const answered = probe().then(
    () => true,
    () => false,
  );
  return Promise.race([late, answered]);
}

function recordState(part: ServicePart, isUp: boolean): PartState {
  const seen = processWide("part-states", () => new Map<ServicePart, PartState>());
  const before = seen.get(part) ?? { part, isUp: true, since: startedAt() };
  const now = before.isUp === isUp ? before : { part, isUp, since: new Date() };
  seen.set(part, now);
  return now;
}
