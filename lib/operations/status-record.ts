import { beat, findHeartbeat, type Outage, writeOutages } from "@/lib/store/outages";
import type { PartState } from "./check-readiness";

export const HISTORY_DAYS = 90;
const DAY_MS = 86_400_000;
/** If no instance had a round for longer than this, none of them was running. */
const GAP_MS = 180_000;
/** Unwritten outages that are kept while the database is down. */
const UNWRITTEN_MAX = 1_000;

/** How far back the history goes. */
export const historyStart = (now: Date): Date => new Date(now.getTime() - HISTORY_DAYS * DAY_MS);

export interface StatusRecord {
  /**
   * Notes which parts are down at `now`, and that the service runs. What cannot be written, because the database is
   * down or under maintenance, is written by a later round.
   */
  round(now: Date, states: readonly Pick<PartState, "part" | "isUp">[]): Promise<void>;
  /** Like `round`, but during maintenance: nothing is checked, and nothing is written until it is over. */
  maintained(now: Date): void;
}

/** The record of one process; several processes write the same history. */
export function statusRecord(): StatusRecord {
  const lasting = new Map<string, Date>();
  const unwritten = new Map<string, Outage>();
  let isFirst = true;

  const record = (part: string, isUp: boolean, now: Date): void => {
    const startedAt = lasting.get(part) ?? (isUp ? undefined : now);
    if (!startedAt) return;
    if (isUp) lasting.delete(part);
    else lasting.set(part, startedAt);
    const name = `${part} ${startedAt.getTime()}`;
    if (unwritten.has(name) || unwritten.size < UNWRITTEN_MAX) unwritten.set(name, { part, startedAt, endedAt: now });
  };

  return {
    maintained: (now) => record("maintenance", false, now),
    async round(now, states) {
      record("maintenance", true, now);
      for (const { part, isUp } of states) record(part, isUp, now);
      if (states.some(({ part, isUp }) => part === "database" && !isUp)) return;
      const last = isFirst ? await findHeartbeat() : undefined;
      const gone = last && now.getTime() - last.at.getTime() > GAP_MS ? last.at : undefined;
      const outages = gone ? [{ part: "service", startedAt: gone, endedAt: now }] : [];
      await writeOutages([...outages, ...unwritten.values()], historyStart(now));
      await beat(now);
      isFirst = false;
      unwritten.clear();
    },
  };
}
