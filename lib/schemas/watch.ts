import { z } from "zod";
import { formatCount } from "@/lib/kernel/format";
import { slugSchema } from "./dataset";
import { NEWS_KIND_NAMES, type NewsKind } from "./news-kinds";
import { webAddressSchema } from "./recipe-values";
import { timestampSchema } from "./timestamp";
import { shownResultSchema, thresholdSchema } from "./view-result";
import { workspacePathSchema } from "./workspace";

/** Maximum number of watches per workspace. */
export const WATCHES_MAX = 50;

/** Maximum number of a workspace's deliveries that wait, over all of its watches, as when their receivers are down. */
export const WAITING_MAX = 1_000;

/** Why a delivery is not sent beyond that: what the workspace's members read. */
export const NO_ROOM =
  `Not sent: ${formatCount(WAITING_MAX)} deliveries of this workspace are waiting already. Repair or disable the ` +
  "watches whose receivers do not answer.";

export const WATCH_CHANNELS = ["webhook", "email"] as const;
export type WatchChannel = (typeof WATCH_CHANNELS)[number];
export const DELIVERY_STATES = ["waiting", "sent", "given_up"] as const;

/** Nobody is emailed twice about the same decision. */
const EMAILED_ANYHOW: NewsKind = "approval_asked";

const eventsSchema = z
  .array(z.enum(NEWS_KIND_NAMES), { error: `Send a list of ${NEWS_KIND_NAMES.join(", ")}.` })
  .min(1, "Name at least one event.")
  .max(NEWS_KIND_NAMES.length)
  .describe("The events to be notified of.");

const emailEventsSchema = eventsSchema.refine((events) => !events.includes(EMAILED_ANYHOW), {
  error: "approval_asked cannot be watched by email. Leave it out: those who can decide are emailed in any case.",
});

const scope = {
  dataset: slugSchema
    .optional()
    .describe("A dataset's slug: one of the workspace's, or any public one. All of the workspace's if absent."),
  table: slugSchema.optional().describe("A table of that dataset; all of its tables if absent."),
  view: z.string().max(20).optional().describe("The id of one of your saved views, whose result is watched instead."),
  threshold: thresholdSchema
    .optional()
    .describe("For a view: tells only when rows of its result come above or below a value, and when none is any more."),
};

export const newWatchSchema = z
  .discriminatedUnion(
    "channel",
    [
      z.strictObject({
        channel: z.literal("webhook"),
        url: webAddressSchema.describe("Where to send to: a public https URL."),
        events: eventsSchema.optional(),
        ...scope,
      }),
      z.strictObject({ channel: z.literal("email"), events: emailEventsSchema.optional(), ...scope }),
    ],
    { error: `Send an object with channel set to one of ${WATCH_CHANNELS.join(", ")}.` },
  )
  .refine(({ dataset, table }) => table === undefined || dataset !== undefined, {
    path: ["table"],
    error: "Give the table's dataset, too.",
  })
  .refine(({ view, events }) => (view === undefined) !== (events === undefined), {
    path: ["events"],
    error: "Name at least one event, or a view; a view has no events.",
  })
  .refine(({ view, dataset }) => view === undefined || dataset === undefined, {
    path: ["dataset"],
    error: "A view has its dataset and table. Leave them out.",
  })
  .refine(({ view, threshold }) => view !== undefined || threshold === undefined, {
    path: ["threshold"],
    error: "Only a watch of a view has a threshold. Name the view, too.",
  });
export type NewWatch = z.output<typeof newWatchSchema>;

export const watchChangeSchema = z
  .strictObject({
    events: eventsSchema.optional(),
    enabled: z.boolean().optional().describe("Whether news is sent from now on."),
  })
  .refine((change) => Object.keys(change).length > 0, { error: "Send events or enabled." });

const watchedViewSchema = z.strictObject({
  id: z.string().describe("The saved view's id: the last part of its short link."),
  title: z.string().nullable(),
  threshold: thresholdSchema.nullable(),
  looked_at: timestampSchema.describe("When a version of the table was last looked at."),
  problem: z.string().nullable().describe("Why that version gave no result; null if it gave one."),
  last_result: shownResultSchema
    .extend({ version_id: z.uuid(), label: z.string().nullable(), published_at: timestampSchema.nullable() })
    .nullable()
    .describe("The last result, abridged, and its version; null while the workspace may not read the table."),
});

export const watchSchema = z
  .strictObject({
    id: z.uuid(),
    channel: z.enum(WATCH_CHANNELS),
    url: z.string().nullable().describe("The webhook's URL; null for email."),
    email: z
      .string()
      .nullable()
      .describe("The email address; null for webhooks, and if the person has no account any more."),
    mine: z.boolean().describe("Whether the caller created it."),
    events: z.array(z.enum(NEWS_KIND_NAMES)),
    dataset: z.string().nullable().describe("Slug; null: all datasets of the workspace."),
    table: z.string().nullable(),
    view: watchedViewSchema.nullable().describe("The view whose result is watched, instead of events."),
    created_at: timestampSchema,
    last_sent_at: timestampSchema.nullable(),
    failures: z.int().describe("Failed attempts since the last delivery."),
    disabled_at: timestampSchema.nullable(),
    disabled_reason: z.string().nullable(),
  })
  .meta({ id: "Watch" });
export type Watch = z.output<typeof watchSchema>;

export const watchesSchema = z
  .strictObject({ schema_version: z.literal("service-watches.v1"), watches: z.array(watchSchema) })
  .meta({ id: "Watches" });

export const shownSecretSchema = z
  .string()
  .nullable()
  .describe("The signing secret of a webhook, whsec_…: shown only once; null for email.");

export const createdWatchSchema = z
  .strictObject({ schema_version: z.literal("service-watch.v1"), watch: watchSchema, secret: shownSecretSchema })
  .meta({ id: "CreatedWatch" });

export const deliverySchema = z
  .strictObject({
    id: z.uuid().describe("The same for every attempt: webhook-id."),
    event: z.string().describe("An event of the watch, or test."),
    dataset: z.string().nullable(),
    at: timestampSchema.describe("When it happened."),
    state: z.enum(DELIVERY_STATES),
    attempts: z.int(),
    attempted_at: timestampSchema.nullable(),
    next_attempt_at: timestampSchema.nullable(),
    status: z.int().nullable().describe("HTTP status of the last reply; null if there was none."),
    answer: z.string().nullable().describe("The result of the last attempt, as text."),
  })
  .meta({ id: "Delivery" });
export type Delivery = z.output<typeof deliverySchema>;

export const deliveriesSchema = z
  .strictObject({ schema_version: z.literal("service-deliveries.v1"), deliveries: z.array(deliverySchema) })
  .meta({ id: "Deliveries" });

export const watchPathSchema = workspacePathSchema.extend({ watch_id: z.string().describe("The watch's UUID.") });
export const deliveryPathSchema = watchPathSchema.extend({
  delivery_id: z.string().describe("The delivery's UUID."),
});
