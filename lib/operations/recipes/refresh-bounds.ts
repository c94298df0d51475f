import { secondsOf } from "@/lib/kernel/duration-text";
import { env } from "@/lib/kernel/env";
import { failWith } from "@/lib/kernel/errors";
import type { Recipe } from "@/lib/schemas/recipe";

const KEYS = ["every", "read_every"] as const;

/** Fails where a schedule reads its sources more often than the administrator allows (REFRESH_MIN_MINUTES). */
export function requireRefreshBounds({ refresh }: Recipe): void {
  const { REFRESH_MIN_MINUTES: minutes } = env();
  const faults = KEYS.flatMap((key) => {
    const interval = refresh?.[key];
    if (interval === undefined || secondsOf(interval) >= minutes * 60) return [];
    const message = `Invalid interval: ${interval}. Use at least ${minutes} minutes, PT${minutes}M.`;
    return [{ pointer: `/refresh/${key}`, code: "invalid_value" as const, message }];
  });
  if (faults.length > 0) throw failWith(faults);
}
