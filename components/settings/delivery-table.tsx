import { Badge, type Tone } from "@/components/ui/badge";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatUntil } from "@/lib/kernel/format";
import { NEWS_KINDS, type NewsKind } from "@/lib/schemas/news-kinds";
import type { Delivery } from "@/lib/schemas/watch";
import { SendButton } from "./watch-list";

interface Props {
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
export const DeliveryTable = ({ deliveries, ...props }: Props) => (
  <DataTable label="Deliveries" columns={columnsOf(props)} rows={deliveries} keyOf={({ id }) => id} />
);

const columnsOf = ({ now, path }: Omit<Props, "deliveries">): readonly DataColumn<Delivery>[] => [
  {
    id: "event",
    head: "Event",
    isRest: true,
    cell: (delivery) => (
      <>
        <DeliveryFacts delivery={delivery} now={now} />
        {path !== undefined && delivery.state !== "waiting" && (
          <div className="mt-1.5">
            <SendButton path={`${path}/deliveries/${delivery.id}/resend`} label="Send again" />
          </div>
        )}
      </>
    ),
  },
  {
    id: "state",
    head: "State",
    cell: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>,
  },
];

function DeliveryFacts({ delivery, now }: { delivery: Delivery; now: Date }) {
  const { id, event, dataset, at, answer, attempts, next_attempt_at } = delivery;
  return (
    <>
      <span className="font-medium">{event === "test" ? "Test" : NEWS_KINDS[event as NewsKind].title}</span>{" "}
      {dataset && <span className="wrap-anywhere font-normal">{dataset}</span>}
      <span className="block font-normal text-muted text-xs">
        <RelativeTime at={at} now={now} />
        {attempts > 0 && `, ${attempts} ${attempts === 1 ? "attempt" : "attempts"}`}
        {answer && `: ${answer}`} {next_attempt_at && attempts > 0 && `Next ${formatUntil(next_attempt_at, now)}.`}
      </span>
      <code className="wrap-anywhere block font-mono font-normal text-faint text-xs">{id}</code>
    </>
  );
}
