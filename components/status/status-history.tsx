import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { formatDay, formatSeconds, formatShare, formatUtc } from "@/lib/kernel/format";
import type { StatusHistory as History, StatusDay } from "@/lib/operations/status-history";

type Outage = History["outages"][number];

interface Props {
  history: History;
  /** A component's name. */
  titleOf(part: string): string;
}

const OUTAGES_SHOWN = 20;

/** The last 90 days of the service: the share of time that everything was up, one bar per day, and each outage. */
export function StatusHistory({ history: { since, upShare, days, outages }, titleOf }: Props) {
  return (
    <>
      <p>
        All components were up {formatShare(upShare)} of the time since{" "}
        <time dateTime={since.toISOString()}>{formatDay(since.toISOString())}</time>. Maintenance counts as downtime.
      </p>
      <div className="status-days" role="img" aria-label={daysLabel(days)}>
        {days.map((day) => (
          <span key={day.day.getTime()} data-state={stateOf(day)} title={dayTitle(day)} />
        ))}
      </div>
      <p className="mt-1 flex justify-between text-faint text-xs" aria-hidden="true">
        <span>90 days ago</span>
        <span>today</span>
      </p>
      {outages.length > 0 && (
        <div className="mt-6">
          <DataTable
            label="Outages, newest first"
            columns={columnsOf(titleOf)}
            rows={outages.slice(0, OUTAGES_SHOWN)}
            keyOf={({ part, startedAt }) => `${part}-${startedAt.getTime()}`}
          />
          {outages.length > OUTAGES_SHOWN && (
            <p className="mt-2 text-faint text-xs">
              Showing the {OUTAGES_SHOWN} newest of {outages.length}.
            </p>
          )}
        </div>
      )}
    </>
  );
}

const stateOf = ({ downMs }: StatusDay) => (downMs === null ? "unknown" : downMs === 0 ? "up" : "down");

/** The state is checked once a minute. */
function durationOf({ startedAt, endedAt }: Outage): string {
  const seconds = (endedAt.getTime() - startedAt.getTime()) / 1000;
  return seconds < 60 ? "under a minute" : formatSeconds(seconds);
}

function dayTitle({ day, downMs }: StatusDay): string {
  const name = formatDay(day.toISOString());
  if (downMs === null) return `${name}: not recorded`;
  return downMs === 0 ? `${name}: everything up` : `${name}: something was down for ${formatSeconds(downMs / 1000)}`;
}

function daysLabel(days: readonly StatusDay[]): string {
  const recorded = days.filter(({ downMs }) => downMs !== null);
  const down = recorded.filter(({ downMs }) => downMs !== 0).length;
  return `Days with an outage: ${down} of ${recorded.length}`;
}

const columnsOf = (titleOf: Props["titleOf"]): readonly DataColumn<Outage>[] => [
  {
    id: "part",
    head: "What was down",
    isRest: true,
    cell: ({ part, startedAt }) => (
      <>
        {titleOf(part)}
        <span className="block text-faint text-xs sm:hidden">
          <At at={startedAt} />
        </span>
      </>
    ),
  },
  { id: "start", head: "From", isWide: true, cell: ({ startedAt }) => <At at={startedAt} /> },
  { id: "length", head: "For", isNumber: true, cell: (outage) => durationOf(outage) },
];

const At = ({ at }: { at: Date }) => <time dateTime={at.toISOString()}>{formatUtc(at.toISOString())}</time>;
