import { BellRing } from "lucide-react";
import Link from "next/link";
import { ActionButton } from "@/components/form/action-button";
import { Badge, type Tone } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatDay, formatPlural, formatUntil } from "@/lib/kernel/format";
import { eventTitle } from "@/lib/schemas/news-kinds";
import type { Delivery, Watch } from "@/lib/schemas/watch";
import { OwnList } from "./own-list";
import { ReplaceSigningSecret } from "./watch-forms";

interface Props {
  watches: readonly Watch[];
  /** The watch whose deliveries are shown. */
  selected: string | undefined;
  /** The URL of the page that shows a watch's deliveries. */
  hrefOf: (watch: Watch) => string;
  /** Path of the workspace in the account API. */
  path: string;
  /** Whether the person may change it. */
  mayChange: (watch: Watch) => boolean;
  /** Whether the service can send email. */
  canMail: boolean;
  now: Date;
}

/** A workspace's watches, each with its actions. */
export const WatchList = ({ watches, selected, hrefOf, path, mayChange, canMail, now }: Props) => (
  <OwnList
    rows={watches}
    keyOf={({ id }) => id}
    name={(watch) => (
      <>
        {watch.url ?? watch.email ?? "No recipient (the account was deleted)"} <WatchState watch={watch} />
      </>
    )}
    note={(watch) => <WatchFacts watch={watch} now={now} />}
    more={(watch) => (
      <>
        <Link
          href={hrefOf(watch)}
          prefetch={false}
          aria-current={watch.id === selected ? "true" : undefined}
          className="link mr-2 text-sm aria-[current]:font-medium"
        >
          Deliveries
        </Link>
        {mayChange(watch) && <WatchActions watch={watch} path={`${path}/watches/${watch.id}`} />}
      </>
    )}
    empty={
      <EmptyState icon={BellRing} title="No watches yet">
        <p>
          A webhook notifies your program{canMail && "; an email notifies you"}. Watch the workspace’s own datasets, any
          public one, or the result of a view that you saved.
        </p>
        <p>Every dataset also has a public Atom feed of its versions.</p>
      </EmptyState>
    }
  />
);

function WatchFacts({ watch, now }: { watch: Watch; now: Date }) {
  const { events, dataset, table, view, disabled_at, disabled_reason, failures, last_sent_at } = watch;
  const subject = dataset ? (table ? `${dataset}/${table}` : dataset) : "all datasets of the workspace";
  return (
    <>
      {view ? (
        <ViewFacts view={view} subject={dataset ? subject : undefined} now={now} />
      ) : (
        <p className="text-sm">
          {events.map(eventTitle).join(", ")}: {subject}
        </p>
      )}
      <p className="mt-0.5">
        {last_sent_at ? (
          <>
            Last delivered <RelativeTime at={last_sent_at} now={now} />.
            {failures > 0 && ` ${formatPlural(failures, "failed attempt")} since.`}
          </>
        ) : (
          `Nothing delivered yet${failures > 0 ? `: ${formatPlural(failures, "failed attempt")}` : ""}.`
        )}
      </p>
      {disabled_at && <p className="mt-0.5 text-danger text-sm">{disabled_reason}</p>}
    </>
  );
}

interface ViewFactsProps {
  view: NonNullable<Watch["view"]>;
  /** The table; undefined if it can no longer be read. */
  subject: string | undefined;
  now: Date;
}

/** What of a view is watched, and its last result. */
function ViewFacts({ view, subject, now }: ViewFactsProps) {
  const { id, title, threshold, problem, last_result: result, looked_at } = view;
  return (
    <>
      <p className="text-sm">
        {threshold
          ? `When ${threshold.column} comes ${threshold.is} ${threshold.value}: `
          : "Every change of the view: "}
        <a className="link" href={`/v/${id}`}>
          {title ?? id}
        </a>
        {subject && `, ${subject}`}
      </p>
      {result && (
        <p className="mt-0.5">
          Last result: {resultText(result)} ({versionText(result)}; looked at <RelativeTime at={looked_at} now={now} />)
        </p>
      )}
      {problem && <p className="mt-0.5 text-danger text-sm">{problem}</p>}
    </>
  );
}

type LastResult = NonNullable<NonNullable<Watch["view"]>["last_result"]>;

const versionText = ({ label, published_at }: LastResult): string =>
  [label === null ? "version" : `version ${label}`, ...(published_at ? [`of ${formatDay(published_at)}`] : [])].join(
    " ",
  );

const ROWS_SHOWN = 3;

/** A single row with the names of its columns, the first of several without. */
function resultText({ columns, rows, total_rows }: LastResult): string {
  if (total_rows === 0) return "no rows";
  const [only] = rows;
  if (total_rows === 1 && only) return columns.map((name, at) => `${name} ${only[at] ?? "–"}`).join(", ");
  const shown = rows.slice(0, ROWS_SHOWN).map((row) => row.map((cell) => cell ?? "–").join(" "));
  const rest = total_rows > shown.length ? "; …" : "";
  return `${formatPlural(total_rows, "row")}: ${shown.join("; ")}${rest}`;
}

function WatchState({ watch: { disabled_at, failures, channel } }: { watch: Watch }) {
  if (disabled_at) return <Badge tone="danger">Disabled</Badge>;
  if (failures > 0) return <Badge tone="warning">Failing</Badge>;
  return <Badge>{channel === "email" ? "Email" : "Webhook"}</Badge>;
}

function WatchActions({ watch: { channel, disabled_at, url, email }, path }: { watch: Watch; path: string }) {
  const recipient = url ?? email ?? "nobody";
  return (
    <>
      {!disabled_at && <ActionButton {...SEND} path={`${path}/test`} label="Send a test" />}
      <ActionButton
        method="PATCH"
        path={path}
        body="enabled"
        only={{ enabled: disabled_at ? "yes" : "no" }}
        label={disabled_at ? "Enable" : "Disable"}
        done={disabled_at ? "Watch enabled." : "Watch disabled."}
      />
      <ActionButton
        method="DELETE"
        path={path}
        label="Delete"
        describes={`the watch of ${recipient}`}
        title={`Delete the watch of ${recipient}?`}
        confirm="Delete watch"
        done="Watch deleted."
        focusAfter="watches"
      >
        <p>Its deliveries are deleted too, and nothing more is sent.</p>
      </ActionButton>
      {channel === "webhook" && <ReplaceSigningSecret path={path} />}
    </>
  );
}

/** Sends a message to a watch's recipient. */
const SEND = { method: "POST", done: "Message queued. Reload the page to see the result." } as const;

interface DeliveriesProps {
  deliveries: readonly Delivery[];
  now: Date;
  /** Path of the watch in the account API; undefined if the person cannot send again. */
  path: string | undefined;
}

const STATES: Readonly<Record<Delivery["state"], { label: string; tone: Tone }>> = {
  waiting: { label: "Waiting", tone: "info" },
  sent: { label: "Delivered", tone: "ok" },
  given_up: { label: "Failed", tone: "danger" },
};

/** A watch's deliveries with their outcomes, newest first. */
export const DeliveryList = ({ deliveries, now, path }: DeliveriesProps) => (
  <OwnList
    label="Deliveries"
    head="Event"
    rows={deliveries}
    keyOf={({ id }) => id}
    name={({ event, dataset }) => (
      <>
        {eventTitle(event)} <span className="font-normal">{dataset}</span>
      </>
    )}
    note={(delivery) => <DeliveryFacts delivery={delivery} now={now} />}
    more={({ id, state }) =>
      path !== undefined &&
      state !== "waiting" && (
        <div className="mt-1.5">
          <ActionButton {...SEND} path={`${path}/deliveries/${id}/resend`} label="Send again" />
        </div>
      )
    }
    facts={[
      {
        head: "State",
        stays: true,
        cell: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>,
      },
    ]}
    empty="No deliveries yet. Send a test to see one."
  />
);

const DeliveryFacts = ({ delivery, now }: { delivery: Delivery; now: Date }) => {
  const { id, at, answer, attempts, next_attempt_at: next } = delivery;
  return (
    <>
      <p>
        <RelativeTime at={at} now={now} />
        {attempts > 0 && `, ${formatPlural(attempts, "attempt")}`}
        {answer && `: ${answer}`} {next && attempts > 0 && `Next ${formatUntil(next, now)}.`}
      </p>
      <code className="font-mono text-faint">{id}</code>
    </>
  );
};
