import { formatCount, formatUtc } from "@/lib/kernel/format";
import type { Usage } from "@/lib/schemas/usage";

type OwnLimits = Usage["limits"][number];

const METERS = [
  { field: "queries_minute", title: "Queries this minute" },
  { field: "queries_day", title: "Queries today" },
  { field: "downloads_day", title: "Downloads today" },
] as const;
/** The share from which the meter changes colour. */
const HIGH = 0.8;
const SHOWN = 5;

/**
 * How much of its quotas each key, agent and device has used, the busiest first. Unused ones are folded away if others
 * were used today.
 */
export function LimitMeters({ limits, now }: { limits: Usage["limits"]; now: Date }) {
  const busiest = [...limits].sort((a, b) => shareOf(b) - shareOf(a));
  const used = busiest.filter((key) => shareOf(key) > 0).length;
  const shown = Math.min(SHOWN, Math.max(used, 1));
  const rest = busiest.slice(shown);
  return (
    <>
      <ResetNote limits={limits} now={now} />
      <MeterList limits={busiest.slice(0, shown)} />
      {rest.length > 0 && (
        <details className="mt-3">
          <summary className="link text-sm">
            {used > SHOWN ? `${formatCount(rest.length)} more` : `${formatCount(rest.length)} more, unused today`}
          </summary>
          <MeterList limits={rest} />
        </details>
      )}
    </>
  );
}

const shareOf = ({ queries_day, downloads_day }: OwnLimits): number =>
  Math.max(...[queries_day, downloads_day].map((left) => (left ? left.used / Math.max(left.limit, 1) : 0)));

function ResetNote({ limits: [first], now }: { limits: Usage["limits"]; now: Date }) {
  if (!first) return null;
  const { resets_at: midnight } = first.queries_day;
  const minutes = Math.max(1, Math.ceil((Date.parse(midnight) - now.getTime()) / 60_000));
  return (
    <p className="mb-2 max-w-prose text-muted text-sm">
      Each key, agent and device has its own quotas. Quotas per minute reset every full minute, daily quotas at{" "}
      <time dateTime={midnight} title={formatUtc(midnight)}>
        00:00 UTC
      </time>
      , in {minutes >= 60 && `${Math.floor(minutes / 60)} h `}
      {minutes % 60} min.
    </p>
  );
}

function MeterList({ limits }: { limits: Usage["limits"] }) {
  return (
    <ul>
      {limits.map((key) => (
        <li
          key={key.key_id}
          className={
            "grid gap-x-6 gap-y-2 border-line border-b py-3 sm:grid-cols-[minmax(0,1fr)_repeat(3,minmax(0,8rem))]"
          }
        >
          <div className="min-w-0 text-sm">
            <p className="wrap-anywhere font-medium">{nameOf(key)}</p>
            <p className="text-faint text-xs">
              {key.ends ? (
                <code className="font-mono">{key.ends}</code>
              ) : key.kind === "browser" ? (
                "Without a key"
              ) : (
                "Connected agent"
              )}
            </p>
          </div>
          {METERS.map(
            ({ field, title }) =>
              key[field] && <LimitMeter key={field} title={title} of={nameOf(key)} {...key[field]} />,
          )}
        </li>
      ))}
    </ul>
  );
}

const nameOf = ({ name }: OwnLimits): string => name ?? "Unnamed device";

function LimitMeter({ title, of, used, limit }: { title: string; of: string; used: number; limit: number }) {
  return (
    <div className="min-w-0 text-xs tabular-nums">
      <div className="flex items-baseline justify-between gap-2 sm:block">
        <span className="text-muted">{title}</span>{" "}
        <span className="sm:block sm:text-sm">
          <b className="font-semibold">{formatCount(used)}</b>{" "}
          <span className="text-muted">of {formatCount(limit)}</span>
        </span>
      </div>
      <meter
        className="meter mt-1"
        min={0}
        max={limit}
        high={limit * HIGH}
        optimum={0}
        value={used}
        aria-label={`${title}, ${of}`}
      />
    </div>
  );
}
