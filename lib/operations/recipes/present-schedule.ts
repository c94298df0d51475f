import { z } from "zod";
import type { Schedule } from "@/lib/freshness/ticks";
import type { StoredSchedule } from "@/lib/store/recipes/schedules";

export const scheduleSchema = z.object({
  every: z.string().describe("ISO 8601 duration."),
  time_zone: z.string(),
  next_at: z.iso.datetime().nullable().describe("When the sources are read next; null while paused."),
  last_started_at: z.iso.datetime().nullable().describe("When the schedule last started a run."),
  paused: z
    .object({
      at: z.iso.datetime(),
      by: z.string().describe("person, agent or service."),
      reason: z.string().nullable().describe("For a pause by the service: plan_ended, approval_expired or failing."),
    })
    .nullable(),
  failures_in_row: z.int(),
  slowed: z.boolean().describe("Whether it reads at most once a day because runs keep failing."),
  held_reason: z.string().nullable().describe("Why the last planned time started no run."),
});

/** The schedule of a dataset; null if its approved recipe has none. */
export function presentSchedule(stored: StoredSchedule | null): z.output<typeof scheduleSchema> | null {
  const spec = stored?.spec as unknown as Schedule | null | undefined;
  if (!stored || !spec) return null;
  const { nextAt, wakeAt, lastTickAt, pausedAt, pausedBy, pausedReason } = stored;
  const times = [nextAt, wakeAt].flatMap((at) => at ?? []).sort((a, b) => a.getTime() - b.getTime());
  return {
    every: spec.every,
    time_zone: spec.time_zone,
    next_at: pausedAt ? null : (times[0]?.toISOString() ?? null),
    last_started_at: lastTickAt?.toISOString() ?? null,
    paused: pausedAt && {
      at: pausedAt.toISOString(),
      by: (pausedBy as { kind?: string } | null)?.kind ?? "service",
      reason: pausedReason,
    },
    failures_in_row: stored.failuresInRow,
    slowed: stored.slowedAt !== null,
    held_reason: stored.heldReason,
  };
}
