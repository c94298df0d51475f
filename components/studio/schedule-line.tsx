import { StudioForm } from "@/components/form/studio-form";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { everyText } from "@/lib/kernel/duration-text";
import { formatPlural, formatUtc } from "@/lib/kernel/format";
import type { getMyDataset } from "@/lib/operations/datasets/own-datasets";

type Schedule = Awaited<ReturnType<typeof getMyDataset.run>>["schedule"];
type Paused = NonNullable<NonNullable<Schedule>["paused"]>;

interface Props {
  schedule: Schedule;
  /** Whether the newest recipe asks for one. */
  isWanted: boolean;
  /** The fields of the form that pauses or resumes it. */
  fields: Readonly<Record<string, string>>;
  now: Date;
}

/** When the sources will next be read, and the button that pauses or resumes the schedule. */
export function ScheduleLine({ schedule, isWanted, fields, now }: Props) {
  if (!schedule)
    return (
      <p className="text-muted">
        {isWanted
          ? "Not scheduled yet. The recipe’s refresh is scheduled within a minute of its first approval."
          : "No schedule. Sources are read only when someone starts a run. To read them regularly, add a refresh."}
      </p>
    );
  const {
    every,
    time_zone,
    next_at,
    last_started_at,
    paused,
    failures_in_row: failures,
    slowed,
    held_reason,
  } = schedule;
  return (
    <div className="max-w-3xl space-y-3">
      <p>
        Sources are read {everyText(every)} (time zone: {time_zone}).{" "}
        {next_at && `The next reading is scheduled for ${formatUtc(next_at)}. `}
        {last_started_at && (
          <>
            The schedule last started a run <RelativeTime at={last_started_at} now={now} />.
          </>
        )}
      </p>
      {paused && <PauseText paused={paused} now={now} />}
      {(failures > 0 || slowed || held_reason) && (
        <p className="text-muted text-sm">
          {failures > 0 && `${formatPlural(failures, "run")} failed in a row. `}
          {slowed && "Because runs keep failing, sources are read at most once a day. "}
          {held_reason && `No run was started at the last scheduled time: ${held_reason.replaceAll("_", " ")}.`}
        </p>
      )}
      <StudioForm fields={fields}>
        <Button type="submit">{paused ? "Resume schedule" : "Pause schedule"}</Button>
      </StudioForm>
    </div>
  );
}

const WHO: Readonly<Record<string, string>> = {
  operator: "the administrator",
  service: "the service",
  agent: "an agent",
};

const REASONS: Readonly<Record<string, string>> = {
  plan_ended: "because the paid plan ended",
  approval_expired: "because the approval of its recipe expired",
  failing: "because its runs failed for 30 days",
};

function PauseText({ paused: { at, by, reason }, now }: { paused: Paused; now: Date }) {
  const who = WHO[by] ?? "a member";
  return (
    <p>
      It was paused by {who} <RelativeTime at={at} now={now} />
      {reason && `, ${REASONS[reason] ?? reason}`}.
    </p>
  );
}
