import { watchEventSchema } from "@/lib/schemas/news";
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
  dataset: watch.dataset?.slug ?? null,
  table: watch.table?.slug ?? null,
  created_at: watch.createdAt.toISOString(),
  last_sent_at: watch.lastSentAt?.toISOString() ?? null,
  failures: watch.failures,
  disabled_at: watch.disabledAt?.toISOString() ?? null,
  disabled_reason: watch.disabledReason,
});

/** One delivery as it is listed. */
export function presentDelivery(delivery: StoredDelivery): Delivery {
  const event = watchEventSchema.parse(delivery.event);
  return {
    id: delivery.id,
    event: event.kind,
    dataset: event.kind === "test" ? null : event.dataset.slug,
    at: delivery.at.toISOString(),
    state: delivery.state,
    attempts: delivery.attempts,
    attempted_at: delivery.attemptedAt?.toISOString() ?? null,
    next_attempt_at: delivery.nextAt?.toISOString() ?? null,
    status: delivery.status,
    answer: delivery.answer,
  };
}
