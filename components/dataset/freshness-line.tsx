import { RelativeTime } from "@/components/ui/relative-time";
import { freshnessText, readingText } from "@/lib/describe/freshness-text";
import { formatPlural } from "@/lib/kernel/format";
import type { TableReadings } from "@/lib/schemas/readings";
import { FreshnessBadge } from "./freshness-badge";
import { endsOf, type FreshnessMarks, freshnessMarks, LINE_WIDTH } from "./freshness-marks";

const HEIGHT = 40;
const LISTED = 10;

interface Props {
  readings: Pick<TableReadings, "freshness" | "sources">;
  /** When the table's versions were released. */
  releasedAt: readonly string[];
  /** The API's URL of the same data, if readers can call it. */
  url?: string | undefined;
  now: Date;
}

/** Whether a table is current: the verdict as text, and the readings behind it on a timeline. */
export function FreshnessLine({ readings, releasedAt, url, now }: Props) {
  const { freshness, sources } = readings;
  const marks = freshnessMarks(readings, releasedAt, now.getTime());
  return (
    <div className="max-w-4xl">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <FreshnessBadge state={freshness.state} />
        <span className="min-w-0 flex-1 basis-64">{freshnessText(freshness).join(" ")}</span>
      </p>
      {marks && (
        <figure className="mt-5">
          {marks.lines.map((line) => (
            <SourceLine key={line.name} line={line} marks={marks} isNamed={marks.lines.length > 1} />
          ))}
          <div className="flex justify-between text-muted text-xs tabular-nums">
            {endsOf(marks).map((end) => (
              <span key={end}>{end}</span>
            ))}
          </div>
          <Legend marks={marks} />
        </figure>
      )}
      <details className="mt-4 text-sm">
        <summary className="link w-fit cursor-pointer">Latest readings</summary>
        {sources.map(({ name, readings: all }) => (
          <div key={name} className="mt-3">
            <p className="font-medium">
              {name} <span className="font-normal text-muted">{formatPlural(all.length, "reading")}</span>
            </p>
            <ul className="mt-1 space-y-0.5 text-muted">
              {all
                .slice(-LISTED)
                .reverse()
                .map((reading) => (
                  <li key={reading.at}>
                    <RelativeTime at={reading.at} now={now} />: {readingText(reading)}
                  </li>
                ))}
            </ul>
          </div>
        ))}
        {url !== undefined && (
          <p className="mt-3">
            <a className="link" href={url}>
              All readings as JSON
            </a>
          </p>
        )}
      </details>
    </div>
  );
}

interface LineProps {
  line: FreshnessMarks["lines"][number];
  marks: FreshnessMarks;
  isNamed: boolean;
}

function SourceLine({ line: { name, reads, changes, failures, replays }, marks, isNamed }: LineProps) {
  const { window, releases, now } = marks;
  const said = [
    `${name}: ${formatPlural(changes.length, "change")}`,
    `${formatPlural(failures.length, "failed reading")}`,
    ...(replays.length > 0 ? [formatPlural(replays.length, "replayed release")] : []),
  ].join(", ");
  return (
    <div className="mb-2">
      {isNamed && <p className="wrap-anywhere mb-1 text-muted text-xs">{name}</p>}
      <svg
        role="img"
        aria-label={`${said} in the period shown`}
        viewBox={`0 0 ${LINE_WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="block h-10 w-full overflow-visible"
      >
        {window && (
          <rect
            x={window.left}
            y={0}
            width={Math.max(2, window.right - window.left)}
            height={HEIGHT}
            className="fill-accent opacity-20"
          />
        )}
        <path
          d={`M0 20H${LINE_WIDTH}`}
          className="fill-none stroke-line-strong"
          strokeWidth={1}
          vectorEffect="non-scaling-stroke"
        />
        <Marks places={reads} from={16} to={24} className="stroke-faint" width={1.5} />
        <Marks places={releases} from={28} to={38} className="stroke-ink" width={1.5} />
        <Marks places={replays} from={14} to={26} className="stroke-muted" width={2} dashes="2 2" />
        <Marks places={changes} from={6} to={24} className="stroke-accent" width={3} />
        <Marks places={failures} from={12} to={28} className="stroke-danger" width={2} />
        <Marks places={[now]} from={0} to={HEIGHT} className="stroke-ink" width={1} dashes="3 3" />
      </svg>
    </div>
  );
}

interface MarksProps {
  places: readonly number[];
  from: number;
  to: number;
  className: string;
  width: number;
  dashes?: string;
}

const Marks = ({ places, from, to, className, width, dashes }: MarksProps) =>
  places.length === 0 ? null : (
    <path
      d={places.map((place) => `M${place} ${from}V${to}`).join("")}
      className={`fill-none ${className}`}
      strokeWidth={width}
      strokeDasharray={dashes}
      vectorEffect="non-scaling-stroke"
    />
  );

function Legend({ marks: { lines, releases, window } }: { marks: FreshnessMarks }) {
  const entries = [
    { label: "Read, rows unchanged", look: "border-faint", isShown: lines.some(({ reads }) => reads.length > 0) },
    { label: "Read, rows changed", look: "border-accent", isShown: lines.some(({ changes }) => changes.length > 0) },
    { label: "Reading failed", look: "border-danger", isShown: lines.some(({ failures }) => failures.length > 0) },
    {
      label: "Replayed from stored data, without asking the source",
      look: "border-muted border-dotted",
      isShown: lines.some(({ replays }) => replays.length > 0),
    },
    { label: "Version released", look: "border-ink", isShown: releases.length > 0 },
  ];
  return (
    <figcaption className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-muted text-xs">
      {entries.map(({ label, look, isShown }) =>
        isShown ? (
          <span key={label} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={`h-3 border-l-2 ${look}`} />
            {label}
          </span>
        ) : null,
      )}
      {window && (
        <span className="flex items-center gap-1.5">
          <span aria-hidden="true" className="h-3 w-3 bg-accent opacity-20" />
          Update expected
        </span>
      )}
      <span className="flex items-center gap-1.5">
        <span aria-hidden="true" className="h-3 border-ink border-l border-dashed" />
        Now
      </span>
    </figcaption>
  );
}
