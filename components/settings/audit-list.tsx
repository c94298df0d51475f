import { Pagination } from "@/components/ui/pagination";
import { RelativeTime } from "@/components/ui/relative-time";
import type { AuditLog } from "@/lib/schemas/workspace";
import { auditSentence, type Names } from "./audit-sentences";

interface Props {
  log: AuditLog;
  /** The reader's email address; entries by the reader start with “You”. */
  viewer: string;
  names?: Names;
  now: Date;
  /** The URL of the newest entries, without a cursor. */
  page: string;
  paged: boolean;
}

const NO_NAMES: Names = new Map();

/** Who changed what, when and from where, newest first. */
export function AuditList({ log, viewer, names = NO_NAMES, now, page, paged }: Props) {
  const next = log.next_cursor
    ? `${page}${page.includes("?") ? "&" : "?"}before=${encodeURIComponent(log.next_cursor)}#log`
    : undefined;
  return (
    <>
      <ol className="rows">
        {log.events.map((event) => {
          const { who, what } = auditSentence(event, viewer, names);
          return (
            <li key={event.id} className="grid gap-x-6 gap-y-0.5 sm:grid-cols-[minmax(0,1fr)_auto]">
              <p className="min-w-0 break-words">
                <span className="font-medium">{who}</span> {what}
              </p>
              <p className="text-muted text-xs tabular-nums sm:pt-0.5 sm:text-right">
                <RelativeTime at={event.at} now={now} />
                {event.from && (
                  <>
                    {" "}
                    <span className="text-faint">from</span>{" "}
                    <code className="font-mono">{event.from.slice(0, FROM_SHOWN)}</code>
                  </>
                )}
              </p>
            </li>
          );
        })}
        {log.events.length === 0 && <li className="text-muted">No earlier entries.</li>}
      </ol>
      <div className="mt-4">
        <Pagination
          label="Pages of the log"
          small
          first={paged ? `${page}#log` : undefined}
          next={next}
          firstWords="Newest"
          nextWords="Older"
        />
      </div>
    </>
  );
}

/** Six digits are enough to distinguish a person's few addresses. */
const FROM_SHOWN = 6;

/** What the locations in a log mean. */
export const PLACES_EXPLAINED = "Locations are anonymised IP fingerprints: the same code means the same address.";
