import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { membershipOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { querySubject, takeQuery } from "@/lib/access/quotas";
import { fail, failWith } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { canMail } from "@/lib/mail/mailer";
import { operation } from "@/lib/operations/operation";
import { QUERY_ERRORS } from "@/lib/operations/query-table";
import { evaluateView, seenResult } from "@/lib/operations/watched-views/evaluate-view";
import { done, doneSchema } from "@/lib/schemas/account";
import {
  createdWatchSchema,
  deliveriesSchema,
  deliveryPathSchema,
  type NewWatch,
  newWatchSchema,
  watchChangeSchema,
  watchesSchema,
  watchPathSchema,
} from "@/lib/schemas/watch";
import { workspacePathSchema } from "@/lib/schemas/workspace";
import { serviceConnecting } from "@/lib/sources/service-connecting";
import { isWebhookAddress } from "@/lib/sources/webhook-address";
import { findTableVersion } from "@/lib/store/datasets/tables";
import type { AddedResult } from "@/lib/store/news/watched-results";
import {
  addTestDelivery,
  changeWatch as change,
  listDeliveries as deliveriesOf,
  findWatch,
  findWatched,
  insertWatch,
  deleteWatch as remove,
  replaceWatchSecret as replaceSecret,
  resendDelivery as resend,
  type StoredWatch,
  listWatches as watchesOf,
} from "@/lib/store/news/watches";
import { findPersonById } from "@/lib/store/people/people";
import { findOwnView } from "@/lib/store/people/saved-views";
import { ensureKeyRing } from "@/lib/vault/ensure-key-ring";
import { newWebhookSecret, sealWebhookSecret } from "@/lib/vault/webhook-secrets";
import { numericColumns } from "@/lib/view/result-change";
import { presentDelivery, presentWatch } from "./present-watch";

const WATCHES = "/api/account/workspaces/{workspace_id}/watches";
const DELIVERIES_SHOWN = 100;

/** GET the watches of a workspace. */
export const listWatches = operation({
  name: "list_watches",
  summary: "List watches",
  description: "Webhooks and email subscriptions with their events, oldest first. Signing secrets are never returned.",
  access: "member",
  quota: "account",
  http: { method: "GET", path: WATCHES },
  input: { path: workspacePathSchema },
  output: watchesSchema,
  async run(_input, ctx) {
    const { workspaceId, userId } = membershipOf(ctx);
    const watches = await watchesOf(workspaceId);
    return { schema_version: "service-watches.v1" as const, watches: watches.map((one) => presentWatch(one, userId)) };
  },
});

/** POST a webhook, or one's own email address, to be notified of news, or of the result of a view. */
export const createWatch = operation({
  name: "create_watch",
  summary: "Create a watch",
  description:
    "Webhooks are signed according to Standard Webhooks; the secret is shown only in this response. Email goes to " +
    "the caller's own confirmed address. For public datasets of others, only released, went_stale and recovered " +
    "are sent. With view instead of events, the result of one of the caller's saved views is watched: it is " +
    "evaluated now, and again for each new version of its table; view_changed is sent when it differs. With " +
    "threshold, only when rows come above or below a value, and when none is any more.",
  access: "member",
  quota: "account",
  http: { method: "POST", path: WATCHES, status: 201 },
  input: { path: workspacePathSchema, body: newWatchSchema },
  output: createdWatchSchema,
  errors: [...QUERY_ERRORS, "conflict"],
  examples: {
    body: {
      channel: "webhook",
      url: "https://hooks.example.org/parquetry",
      events: ["released", "run_failed"],
      dataset: "river-levels",
    },
  },
  async run({ body }, ctx) {
    const { workspaceId, userId } = membershipOf(ctx);
    await checkChannel(body, userId);
    const watched = body.view === undefined ? await watchedBy(body, workspaceId) : await viewedBy(body.view, body, ctx);
    const secret = body.channel === "webhook" ? newWebhookSecret() : null;
    if (secret !== null) await ensureKeyRing();
    const target = body.channel === "webhook" ? new URL(body.url).href : "";
    const added = { workspaceId, channel: body.channel, target, events: [...new Set(body.events ?? [])], ...watched };
    const seal = (row: Parameters<typeof sealWebhookSecret>[0]) =>
      secret === null ? undefined : sealWebhookSecret(row, secret);
    const id = await insertWatch(authorOf(ctx), added, seal, ctx.now());
    const watch = await storedWatch(workspaceId, id);
    return { schema_version: "service-watch.v1" as const, watch: presentWatch(watch, userId), secret };
  },
});

async function checkChannel(body: NewWatch, userId: string): Promise<void> {
  if (body.channel === "webhook") {
    if (isWebhookAddress(new URL(body.url), serviceConnecting())) return;
    const message = "Use a public address that starts with https://, without a user name.";
    throw failWith([{ pointer: "/url", code: "invalid_value", message }]);
  }
  if (!canMail()) throw fail("conflict", { message: "Email is not set up on this service. Use a webhook." });
  if (!(await findPersonById(userId))?.emailVerified)
    throw fail("conflict", { message: "Confirm your email address first, on your account page." });
}

async function watchedBy(
  { dataset, table }: NewWatch,
  workspaceId: string,
): Promise<{ datasetId: string | null; tableId: string | null }> {
  if (dataset === undefined) return { datasetId: null, tableId: null };
  const watched = await findWatched(workspaceId, { dataset, table });
  if (watched) return watched;
  const name = table === undefined ? dataset : `${dataset}/${table}`;
  const message = `Unknown dataset or table: ${name}. Name a public dataset, or one of the workspace's.`;
  throw failWith([{ pointer: table === undefined ? "/dataset" : "/table", code: "invalid_value", message }]);
}

/** A view of the caller, evaluated for the first time. */
async function viewedBy(
  viewId: string,
  { threshold }: Pick<NewWatch, "threshold">,
  ctx: Context,
): Promise<{ datasetId: string; tableId: string; view: AddedResult }> {
  const { workspaceId, userId } = membershipOf(ctx);
  const view = await findOwnView(userId, viewId);
  if (view?.page === "sql")
    throw failWith([
      {
        pointer: "/view",
        code: "invalid_value",
        message: "A query in SQL runs only in a browser and cannot be watched. Save a view of the explorer instead.",
      },
    ]);
  const isReadable = view && (await findTableVersion(view.tableId, { reader: { workspaceId } })) !== undefined;
  if (!isReadable) {
    const message = view
      ? "This workspace cannot read the table of the view. Choose the workspace that owns it."
      : `Unknown view: ${viewId}. Save a view first, and send the last part of its short link.`;
    throw failWith([{ pointer: "/view", code: "invalid_value", message }]);
  }
  await takeQuery(ctx);
  const found = await evaluateView(view, { ...ctx, workspaceId, subject: querySubject(ctx) });
  const numeric = numericColumns(found.result.columns);
  if (threshold && !numeric.includes(threshold.column)) {
    const choice =
      numeric.length > 0 ? `Choose one of ${numeric.join(", ")}.` : "It has none: leave the threshold out.";
    const message = `Not a numeric column of the view's result: ${threshold.column}. ${choice}`;
    throw failWith([{ pointer: "/threshold/column", code: "invalid_value", message }]);
  }
  if (threshold && found.result.keys === null) {
    const message =
      "A threshold needs rows that can be told apart. Group the view, or show the columns of the table's primary key.";
    throw failWith([{ pointer: "/threshold", code: "invalid_value", message }]);
  }
  const { datasetId, tableId } = found.version;
  return { datasetId, tableId, view: { viewId, threshold: threshold ?? null, ...seenResult(found) } };
}

/** PATCH the events of a watch, or whether it is enabled. */
export const changeWatch = operation({
  name: "change_watch",
  summary: "Change a watch",
  description:
    "Members can edit webhooks and their own email subscriptions; owners can edit all. Disabling a watch discards " +
    "its pending messages.",
  access: "member",
  quota: "account",
  http: { method: "PATCH", path: `${WATCHES}/{watch_id}` },
  input: { path: watchPathSchema, body: watchChangeSchema },
  output: doneSchema,
  errors: ["invalid_value"],
  examples: { body: { enabled: true } },
  async run({ path, body }, ctx) {
    const watch = await ownWatch(path.watch_id, ctx);
    if (watch.viewId !== null && body.events) {
      const message = "A watch of a view has no events. Leave them out.";
      throw failWith([{ pointer: "/events", code: "invalid_value", message }]);
    }
    if (watch.channel === "email" && body.events?.includes("approval_asked"))
      throw failWith([
        {
          pointer: "/events",
          code: "invalid_value",
          message:
            "approval_asked cannot be watched by email. Leave it out: those who can decide are emailed in any case.",
        },
      ]);
    await change(authorOf(ctx), watch, body, ctx.now());
    return done("changed");
  },
});

/** POST for a new signing secret. */
export const replaceWatchSecret = operation({
  name: "replace_watch_secret",
  summary: "Replace a webhook's signing secret",
  description: "The next attempt is signed with the new secret, which is shown only in this response.",
  access: "member",
  quota: "account",
  http: { method: "POST", path: `${WATCHES}/{watch_id}/secret` },
  input: { path: watchPathSchema },
  output: createdWatchSchema,
  errors: ["conflict"],
  async run({ path }, ctx) {
    const watch = await ownWatch(path.watch_id, ctx);
    if (watch.channel !== "webhook") throw fail("conflict", { message: "Emails have no signing secret." });
    const secret = newWebhookSecret();
    await ensureKeyRing();
    await replaceSecret(authorOf(ctx), watch, () => sealWebhookSecret(watch, secret));
    const shown = presentWatch(watch, membershipOf(ctx).userId);
    return { schema_version: "service-watch.v1" as const, watch: shown, secret };
  },
});

/** POST to send a test. */
export const testWatch = operation({
  name: "test_watch",
  summary: "Test a watch",
  description: "Sends an event of the type test; its delivery is listed with the others.",
  access: "member",
  quota: "account",
  http: { method: "POST", path: `${WATCHES}/{watch_id}/test`, status: 202 },
  input: { path: watchPathSchema },
  output: doneSchema,
  errors: ["conflict"],
  async run({ path }, ctx) {
    const watch = await ownWatch(path.watch_id, ctx);
    checkEnabled(watch);
    await addTestDelivery(watch, ctx.now());
    return done("queued");
  },
});

/** DELETE a watch. */
export const deleteWatch = operation({
  name: "delete_watch",
  summary: "Delete a watch",
  description: "Permanent, with its deliveries; nothing more is sent.",
  access: "member",
  quota: "account",
  http: { method: "DELETE", path: `${WATCHES}/{watch_id}` },
  input: { path: watchPathSchema },
  output: doneSchema,
  async run({ path }, ctx) {
    await remove(authorOf(ctx), await ownWatch(path.watch_id, ctx));
    return done("deleted");
  },
});

/** GET what was sent to a watch, and the results. */
export const listDeliveries = operation({
  name: "list_deliveries",
  summary: "List the deliveries of a watch",
  description:
    "Newest first, of the last 30 days. Messages that do not arrive are sent again after 5 seconds, 1, 5 and 30 " +
    "minutes, 2, 5, 10 and 10 hours, with the same id and the next attempt's number.",
  access: "member",
  quota: "account",
  http: { method: "GET", path: `${WATCHES}/{watch_id}/deliveries` },
  input: {
    path: watchPathSchema,
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(DELIVERIES_SHOWN).default(20).describe("How many to return."),
    }),
  },
  output: deliveriesSchema,
  errors: ["invalid_limit"],
  async run({ path, query }, ctx) {
    const watch = await storedWatch(membershipOf(ctx).workspaceId, path.watch_id);
    const deliveries = (await deliveriesOf(watch.id, query.limit)).map(presentDelivery);
    return { schema_version: "service-deliveries.v1" as const, deliveries };
  },
});

/** POST to send a delivery again. */
export const resendDelivery = operation({
  name: "resend_delivery",
  summary: "Send a delivery again",
  description:
    "Sends the same news again, with its id and the next attempt's number, so that receivers recognise the repeat.",
  access: "member",
  quota: "account",
  http: { method: "POST", path: `${WATCHES}/{watch_id}/deliveries/{delivery_id}/resend`, status: 202 },
  input: { path: deliveryPathSchema },
  output: doneSchema,
  errors: ["conflict"],
  async run({ path }, ctx) {
    const watch = await ownWatch(path.watch_id, ctx);
    checkEnabled(watch);
    if (!isUuid(path.delivery_id) || !(await resend(watch, path.delivery_id, ctx.now()))) throw fail("not_found");
    return done("queued");
  },
});

function checkEnabled({ disabledAt }: StoredWatch): void {
  if (disabledAt) throw fail("conflict", { message: "The watch is disabled. Enable it first." });
}

async function storedWatch(workspaceId: string, id: string): Promise<StoredWatch> {
  const watch = isUuid(id) ? await findWatch(workspaceId, id) : undefined;
  if (!watch) throw fail("not_found");
  return watch;
}

/** A watch that the caller may change: a webhook, one's own email, or for owners any. */
async function ownWatch(id: string, ctx: Context): Promise<StoredWatch> {
  const { workspaceId, userId, role } = membershipOf(ctx);
  const watch = await storedWatch(workspaceId, id);
  if (watch.channel === "email" && watch.userId !== userId && role !== "owner")
    throw fail("insufficient_scope", { message: "Only its creator or an owner of the workspace can change it." });
  return watch;
}
