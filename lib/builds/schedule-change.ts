import { secondsOf } from "@/lib/kernel/duration-text";
import type { Refresh } from "@/lib/schemas/recipe";
import { canonicalJson } from "./document/canonical";

/**
 * Whether a schedule may read sources more often than the previous one: automatically for the first time, at shorter
 * intervals, on more occasions, or on a schedule for which this cannot be ruled out.
 */
export function readsMoreOften(before: Refresh | undefined, after: Refresh | undefined): boolean {
  if (!after) return false;
  if (!before) return true;
  const isShorter = secondsOf(after.every) < secondsOf(before.every);
  const isReadMore = readEvery(after) < readEvery(before);
  const onMore = (after.on_upstream && !before.on_upstream) || (after.on_upload && !before.on_upload);
  const clock = ({ days, anchor, time_zone, ahead }: Refresh) => canonicalJson({ days, anchor, time_zone, ahead });
  return isShorter || isReadMore || onMore || clock(before) !== clock(after);
}

const readEvery = ({ read_every, every }: Refresh): number => secondsOf(read_every ?? every);
