import { formatBytes, formatCount, formatPlural } from "@/lib/kernel/format";
import type { Usage } from "@/lib/schemas/usage";
import { axisTop, barsPath, labelledDays } from "./usage-drawing";

type Day = Usage["days"][number];

const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact" });
const SHORT_DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const LONG_DAY = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

const PANELS = [
  { field: "queries", title: "Queries per day", tall: "h-32" },
  { field: "downloads", title: "Downloads per day", tall: "h-14" },
] as const;

/** Queries and downloads of each day, one above the other over the same days; the last is today. */
export function UsageChart({ days }: { days: readonly Day[] }) {
  return (
    <div className="day-chart">
      {PANELS.map((panel) => (
        <Panel key={panel.field} days={days} {...panel} />
      ))}
      <DayColumns days={days} />
    </div>
  );
}

function Panel({
  days,
  field,
  title,
  tall,
}: {
  days: readonly Day[];
  field: "queries" | "downloads";
  title: string;
  tall: string;
}) {
  const counts = days.map((day) => day[field]);
  const top = axisTop(counts);
  const today = counts.map((count, at) => (at === counts.length - 1 ? count : 0));
  const before = counts.map((count, at) => (at === counts.length - 1 ? 0 : count));
  return (
    <>
      <p className="eyebrow mt-4 mb-3 first:mt-0">{title}</p>
      <div className={`grid grid-cols-[2.75rem_minmax(0,1fr)] ${tall}`}>
        <Axis marks={field === "queries" ? [top, top / 2, 0] : [top, 0]} />
        <svg
          viewBox={`0 0 ${counts.length} 100`}
          preserveAspectRatio="none"
          role="img"
          aria-label={summaryOf(days, field, title)}
          className="size-full"
        >
          <title>{title}</title>
          <path
            d={`M0 0H${counts.length}${field === "queries" ? `M0 50H${counts.length}` : ""}`}
            className="day-grid"
          />
          <path d={barsPath(before, top)} className="fill-bar" />
          <path d={barsPath(today, top)} className="fill-accent" />
          <path d={`M0 100H${counts.length}`} className="day-base" />
        </svg>
      </div>
    </>
  );
}

function Axis({ marks }: { marks: readonly number[] }) {
  return (
    <div aria-hidden="true" className="flex flex-col justify-between pr-2 text-right text-faint text-xs tabular-nums">
      {marks.map((mark) => (
        <span key={mark} className="-my-2.25 leading-4.5">
          {COMPACT.format(mark)}
        </span>
      ))}
    </div>
  );
}

function summaryOf(days: readonly Day[], field: "queries" | "downloads", title: string): string {
  const sum = days.reduce((total, day) => total + day[field], 0);
  const most = days.reduce((best, day) => (day[field] > best[field] ? day : best));
  const shortDay = (day: string | undefined) => SHORT_DAY.format(new Date(day ?? ""));
  const span = `${shortDay(days[0]?.day)} to ${shortDay(days.at(-1)?.day)}`;
  return (
    `${title}, ${span}: ${formatCount(sum)} in ` +
    `all${sum > 0 ? `, most on ${SHORT_DAY.format(new Date(most.day))} (${formatCount(most[field])})` : ""}`
  );
}

/** The hover targets. Without a pointer, the same figures are in the table. */
function DayColumns({ days }: { days: readonly Day[] }) {
  const labelled = labelledDays(days.map(({ day }) => day));
  return (
    <ul aria-hidden="true" className="day-columns">
      {days.map((day, at) => (
        <li key={day.day} className="day-column">
          {labelled.has(day.day) && (
            <span className={at === days.length - 1 ? "day-name day-name-last" : "day-name"}>
              {at === days.length - 1 ? "today" : SHORT_DAY.format(new Date(day.day))}
            </span>
          )}
          <span className={at < days.length / 2 ? "day-tip left-full" : "day-tip right-full"}>
            <b>{LONG_DAY.format(new Date(day.day))}</b>
            <br />
            {formatPlural(day.queries, "query", "queries")}, {formatPlural(day.downloads, "download")}
            <br />
            {formatPlural(day.rows, "row")}, {formatBytes(day.bytes)}
          </span>
        </li>
      ))}
    </ul>
  );
}
