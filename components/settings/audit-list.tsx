import { Pagination } from "@/components/ui/pagination";
import { RelativeTime } from "@/components/ui/relative-time";
import type { AuditLog } from "@/lib/schemas/workspace";
import { auditSentence, type Names } from "./audit-sentences";
import { OwnList } from "./own-list";

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
      <OwnList
        rows={log.events}
        keyOf={({ id }) => id}
        name={(event) => {
          const { who, what } = auditSentence(event, viewer, names);
          return (
            <>
              {who} <span className="font-normal">{what}</span>
            </>
          );
        }}
        aside={({ at, from }) => (
          <p className="text-muted text-xs tabular-nums">
            <RelativeTime at={at} now={now} />
            {from && (
              <>
                {" "}
                <span className="text-faint">from</span> <code className="font-mono">{from.slice(0, FROM_SHOWN)}</code>
              </>
            )}
          </p>
        )}
        empty="No earlier entries."
      />
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
