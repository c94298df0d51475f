import { formatAge, formatUtc } from "@/lib/kernel/format";

/** How long ago, with the exact instant on hover and for screen readers. */
export function RelativeTime({ at, now }: { at: string; now: Date }) {
  return (
    <time dateTime={at} title={formatUtc(at)}>
      {formatAge(at, now)}
    </time>
  );
}
