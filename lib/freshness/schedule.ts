import { Temporal } from "temporal-polyfill";
import type { Refresh } from "@/lib/schemas/recipe";
import type { Schedule } from "./ticks";

/** A recipe's schedule with its anchor: by default, 00:00 on the day of the first approval. */
export function anchored(refresh: Refresh, firstApprovedAt: number): Schedule {
  if (refresh.anchor !== undefined) return { ...refresh, anchor: refresh.anchor };
  const day = Temporal.Instant.fromEpochMilliseconds(firstApprovedAt).toZonedDateTimeISO(refresh.time_zone);
  return { ...refresh, anchor: `${day.toPlainDate().toString()}T00:00` };
}
