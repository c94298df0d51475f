import { watchEventSchema } from "@/lib/schemas/news";
import { shownResultSchema, thresholdSchema } from "@/lib/schemas/view-result";
import type { Delivery, Watch } from "@/lib/schemas/watch";
import type { StoredDelivery, StoredWatch } from "@/lib/store/news/watches";

/** A watch as shown to members of its workspace. */
export const presentWatch = (watch: StoredWatch, userId: string): Watch => ({
  id: watch.id,
  channel: watch.channel,
  url: watch.channel === "webhook" ? watch.target : null,
  email: watch.channel === "email" ? (watch.user?.email ?? null) : null,
  mine: watch.userId === userId,
  events: watch.events as Watch["events"],
  dataset: isHidden(watch) ? null : (watch.dataset?.slug ?? null),
  table: isHidden(watch) ? null : (watch.table?.slug ?? null),
  view: presentView(watch),
  created_at: watch.createdAt.toISOString(),
  last_sent_at: watch.lastSentAt?.toISOString() ?? null,
  failures: watch.failures,
  disabled_at: watch.disabledAt?.toISOString() ?? null,
  disabled_reason: watch.disabledReason,
});

/** Whether the table of a watched view can no longer be read. */
const isHidden = ({ view, readable }: StoredWatch): boolean => view !== null && readable === undefined;

function presentView({ view, seen, readable }: StoredWatch): Watch["view"] {
  if (!view || !seen) return null;
  return {
    id: view.id,
    title: new URLSearchParams(view.query).get("title"),
    threshold: seen.threshold === null ? null : thresholdSchema.parse(seen.threshold),
    looked_at: seen.lookedAt.toISOString(),
    problem: seen.problem,
    last_result: readable
      ? {
          ...shownResultSchema.parse(JSON.parse(seen.shown)),
          version_id: seen.resultVersionId,
          label: readable.label,
          published_at: readable.publishedAt?.toISOString() ?? null,
        }
      : null,
  };
}

/** One delivery as it is listed. */
export function presentDelivery(delivery: StoredDelivery): Delivery {
  const event = watchEventSchema.parse(delivery.event);
  return {
    id: delivery.id,
    event: event.kind,
    dataset: "dataset" in event ? event.dataset.slug : null,
    at: delivery.at.toISOString(),
    state: delivery.state,
    attempts: delivery.attempts,
    attempted_at: delivery.attemptedAt?.toISOString() ?? null,
    next_attempt_at: (delivery.nextAt ?? delivery.viewDueAt)?.toISOString() ?? null,
    status: delivery.status,
    answer: delivery.answer,
  };
}
