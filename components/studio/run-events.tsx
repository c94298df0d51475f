import { formatUtc } from "@/lib/kernel/format";
import type { RunEventEntry } from "@/lib/schemas/run";

const LOOK: Readonly<Partial<Record<RunEventEntry["kind"], string>>> = {
  failed: "text-danger",
  warning: "text-warning",
  rejects: "text-warning",
};

/** What happened in a run, oldest first, as recorded. */
export function RunEvents({ events }: { events: readonly RunEventEntry[] }) {
  return (
    <ol className="rows border-line border-t">
      {events.map(({ seq, at, kind, message }) => (
        <li
          key={seq}
          className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-4 sm:grid-cols-[4.5rem_9rem_minmax(0,1fr)]"
        >
          <time dateTime={at} title={formatUtc(at)} className="text-faint tabular-nums">
            {at.slice(11, 19)}
          </time>
          <span className={`font-medium ${LOOK[kind] ?? ""}`}>{kind.replaceAll("_", " ")}</span>
          <span className="wrap-anywhere col-start-2 text-muted sm:col-start-3">{message}</span>
        </li>
      ))}
    </ol>
  );
}
