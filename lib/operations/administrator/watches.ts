import { z } from "zod";
import { isUuid } from "@/lib/kernel/uuid";
import { operation } from "@/lib/operations/operation";
import { presentDelivery } from "@/lib/operations/workspace/present-watch";
import { deliverySchema } from "@/lib/schemas/watch";
import { listDeliveries, listWatches } from "@/lib/store/news/watches";

const COMMAND_DELIVERIES = 50;

/** Every watch, or a workspace's, without its secret. */
export const listAllWatches = operation({
  name: "list_all_watches",
  summary: "List watches",
  description: "Lists webhooks and email subscriptions with their delivered and failed messages.",
  access: "operator",
  quota: "none",
  input: { body: z.strictObject({ workspace: z.string().optional().describe("only this workspace's") }) },
  output: z.array(
    z.strictObject({
      id: z.uuid(),
      workspace: z.uuid(),
      channel: z.string(),
      to: z.string().describe("Host of a webhook, or email address."),
      events: z.string(),
      dataset: z.string(),
      view: z.string().nullable().describe("The id of the saved view whose result is watched."),
      last_sent_at: z.iso.datetime().nullable(),
      failures: z.int(),
      disabled: z.string().nullable(),
    }),
  ),
  async run({ body: { workspace } }) {
    if (workspace !== undefined && !isUuid(workspace)) throw new Error(`Unknown workspace: ${workspace}`);
    const watches = await listWatches(workspace);
    return watches.map((watch) => ({
      id: watch.id,
      workspace: watch.workspaceId,
      channel: watch.channel,
      to: watch.channel === "webhook" ? new URL(watch.target).host : (watch.user?.email ?? "nobody"),
      events: watch.events.join(","),
      dataset: watch.dataset?.slug ?? "all",
      view: watch.viewId,
      last_sent_at: watch.lastSentAt?.toISOString() ?? null,
      failures: watch.failures,
      disabled: watch.disabledReason,
    }));
  },
  cli: {
    usage: "watch list",
    valueNames: { workspace: "id" },
    view: (watches: Record<string, unknown>[]) =>
      watches.length === 0 ? { line: "no watches" } : { tables: [watches] },
  },
});

/** What was sent to a watch, and the results. */
export const listWatchDeliveries = operation({
  name: "list_watch_deliveries",
  summary: "List the deliveries of a watch",
  description: "Lists the newest deliveries of a watch with the receiver's replies.",
  access: "operator",
  quota: "none",
  input: { body: z.strictObject({ watch_id: z.uuid().describe("the watch") }) },
  output: z.array(deliverySchema),
  async run({ body: { watch_id } }) {
    return (await listDeliveries(watch_id, COMMAND_DELIVERIES)).map(presentDelivery);
  },
  cli: {
    usage: "watch deliveries <watch-id>",
    view: (deliveries: Record<string, unknown>[]) =>
      deliveries.length === 0 ? { line: "no deliveries" } : { tables: [deliveries] },
  },
});
