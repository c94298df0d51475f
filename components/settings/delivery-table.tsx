import { StudioForm } from "@/components/form/studio-form";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatUntil } from "@/lib/kernel/format";
import { NEWS_KINDS, type NewsKind } from "@/lib/schemas/news-kinds";
import type { Delivery } from "@/lib/schemas/watch";
import { DELIVERY_WORDS } from "./watch-words";

interface Props {
  deliveries: readonly Delivery[];
  now: Date;
  /** Made by `studioFields`; undefined if the person cannot send it again. */
  fieldsOf: ((delivery: Delivery) => Readonly<Record<string, string>>) | undefined;
}

/** A watch's deliveries with their outcomes, newest first. */
export const DeliveryTable = ({ deliveries, ...props }: Props) => (
  <DataTable label="Deliveries" columns={columnsOf(props)} rows={deliveries} keyOf={({ id }) => id} />
);

const columnsOf = ({ now, fieldsOf }: Omit<Props, "deliveries">): readonly DataColumn<Delivery>[] => [
  {
    id: "event",
    head: "Event",
    isRest: true,
    cell: (delivery) => (
      <>
        <DeliveryFacts delivery={delivery} now={now} />
        {fieldsOf && delivery.state !== "waiting" && (
          <StudioForm fields={fieldsOf(delivery)} className="mt-1.5">
            <Button type="submit" small>
              Send again
            </Button>
          </StudioForm>
        )}
      </>
    ),
  },
  {
    id: "state",
    head: "State",
    cell: ({ state }) => <Badge tone={DELIVERY_WORDS[state].tone}>{DELIVERY_WORDS[state].words}</Badge>,
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
