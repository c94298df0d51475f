import { randomUUID } from "node:crypto";
import { fail } from "@/lib/kernel/errors";
import type { WatchEvent } from "@/lib/schemas/news";
import type { NewsKind } from "@/lib/schemas/news-kinds";
import { NO_ROOM, WAITING_MAX, WATCHES_MAX } from "@/lib/schemas/watch";
import { type AuditLog, type Author, audited, type Transaction } from "@/lib/store/audit";
import { readableBy } from "@/lib/store/datasets/readable";
import { lockKeys, type Sealed } from "@/lib/store/datasets/sealed-rows";
import { lockWorkspace } from "@/lib/store/people/workspaces";
import { database } from "@/lib/store/postgres/database";
import type { Prisma, WatchChannel, WatchDelivery } from "@/prisma/generated/client";
import { dueAt, giveUpWaiting } from "./deliveries";
import { type AddedResult, addResult, lockPerson, readableResults, type SeenVersion } from "./watched-results";

const SHOWN = {
  dataset: { select: { slug: true } },
  table: { select: { slug: true } },
  user: { select: { email: true } },
  view: { select: { id: true, query: true } },
  seen: { select: { threshold: true, problem: true, lookedAt: true, resultVersionId: true, shown: true } },
} as const;

/** `readable` is about the result of a watched view that its workspace may currently read; undefined for others. */
export type StoredWatch = Prisma.WatchGetPayload<{
  include: typeof SHOWN;
  omit: { sealed: true; sealedWith: true };
}> & { readable?: SeenVersion | undefined };

/** One piece of news for one watch, written with the news. */
export type StoredDelivery = WatchDelivery;

const SHOW = { include: SHOWN, omit: { sealed: true, sealedWith: true } } as const;

/** Watches of one workspace, or of all, oldest first, without their secrets. */
export async function listWatches(workspaceId?: string): Promise<StoredWatch[]> {
  const { prisma } = await database();
  const orderBy = [{ createdAt: "asc" as const }, { id: "asc" as const }];
  return withReadable(await prisma.watch.findMany({ where: workspaceId ? { workspaceId } : {}, orderBy, ...SHOW }));
}

/** A workspace's watch; undefined if it has none with this id. */
export async function findWatch(workspaceId: string, id: string): Promise<StoredWatch | undefined> {
  const { prisma } = await database();
  const [watch] = await withReadable(await prisma.watch.findMany({ where: { id, workspaceId }, ...SHOW }));
  return watch;
}

async function withReadable(watches: readonly StoredWatch[]): Promise<StoredWatch[]> {
  const readable = await readableResults(watches.filter(({ viewId }) => viewId !== null).map(({ id }) => id));
  return watches.map((watch) => ({ ...watch, readable: readable.get(watch.id) }));
}

/** The subjects of a watch, by slug; undefined for what the workspace cannot read. */
export async function findWatched(
  workspaceId: string,
  { dataset, table }: { dataset: string; table: string | undefined },
): Promise<{ datasetId: string; tableId: string | null } | undefined> {
  const { pool } = await database();
  const { rows } = await pool.query<{ datasetId: string; tableId: string | null }>(
    `SELECT d.id AS "datasetId", t.id AS "tableId" FROM "Dataset" d
     LEFT JOIN "Table" t ON t."datasetId" = d.id AND t.slug = $3
     WHERE d.slug = $1 AND ${readableBy("$2")}`,
    [dataset, workspaceId, table ?? null],
  );
  const [found] = rows;
  return found && (table === undefined || found.tableId !== null) ? found : undefined;
}

export interface AddedWatch {
  workspaceId: string;
  channel: WatchChannel;
  /** Empty for email. */
  target: string;
  events: readonly NewsKind[];
  datasetId: string | null;
  tableId: string | null;
  view?: AddedResult | undefined;
}

/** Stores a watch. `seal` makes the secret for a webhook's row. Fails with conflict if the workspace is full. */
export function insertWatch(
  author: Author,
  watch: AddedWatch,
  seal: (row: { id: string; workspaceId: string; target: string }) => Sealed | undefined,
  now: Date,
): Promise<string> {
  return audited(author, async (transaction, audit) => {
    await lockKeys(transaction);
    const { view, ...own } = watch;
    const { workspaceId, target, channel } = own;
    if (view && author.userId) await lockPerson(transaction, author.userId); // before the workspace, as sign-ins do
    await lockWorkspace(transaction, workspaceId);
    if ((await transaction.watch.count({ where: { workspaceId } })) >= WATCHES_MAX)
      throw fail("conflict", {
        message: `Too many watches (maximum ${WATCHES_MAX} per workspace). Delete one that is no longer needed.`,
      });
    const id = randomUUID();
    const sealed = seal({ id, workspaceId, target });
    const events = [...own.events];
    const data = { id, ...own, events, viewId: view?.viewId ?? null, createdAt: now, userId: author.userId ?? null };
    await transaction.watch.create({ data: { ...data, ...sealed } });
    if (view) await addResult(transaction, { watchId: id, userId: data.userId }, view, now);
    auditWatch(audit, "watch.created", { id, workspaceId, channel, target }, view ? { view: view.viewId } : {});
    return id;
  });
}

type OfWorkspace = Pick<StoredWatch, "id" | "workspaceId">;

type Named = Pick<StoredWatch, "id" | "workspaceId" | "channel" | "target">;

/** A URL may contain a secret of the receiver, so the audit log has only its host. */
function auditWatch(
  audit: AuditLog,
  action: "watch.created" | "watch.changed" | "watch.deleted" | "watch.secret_replaced",
  { id: subject, workspaceId, channel, target }: Named,
  details: Prisma.InputJsonObject = {},
): void {
  const host = target === "" ? {} : { host: new URL(target).host };
  audit({ action, subject, workspaceId, details: { channel, ...host, ...details } });
}

/** Changes events, or enables or disables a watch. Disabling it gives up its waiting deliveries. */
export function changeWatch(
  author: Author,
  watch: Named,
  { events, enabled }: { events?: readonly NewsKind[] | undefined; enabled?: boolean | undefined },
  now: Date,
): Promise<void> {
  return audited(author, async (transaction, audit) => {
    const disabled = { disabledAt: now, disabledReason: "A member disabled it." };
    const cleared = { disabledAt: null, disabledReason: null, failures: 0, failingSince: null };
    await transaction.watch.update({
      where: { id: watch.id },
      data: { ...(events && { events: [...events] }), ...(enabled !== undefined && (enabled ? cleared : disabled)) },
    });
    if (enabled === false) await giveUpWaiting(transaction, watch.id);
    auditWatch(audit, "watch.changed", watch, {
      ...(events && { events: [...events] }),
      ...(enabled !== undefined && { enabled }),
    });
  });
}

/** Replaces the signing secret of a webhook. */
export function replaceWatchSecret(author: Author, watch: Named, seal: () => Sealed): Promise<void> {
  return audited(author, async (transaction, audit) => {
    await lockKeys(transaction);
    await transaction.watch.update({ where: { id: watch.id }, data: seal() });
    auditWatch(audit, "watch.secret_replaced", watch);
  });
}

/** Deletes a watch with its deliveries. */
export function deleteWatch(author: Author, watch: Named): Promise<void> {
  return audited(author, async (transaction, audit) => {
    await transaction.watch.deleteMany({ where: { id: watch.id } });
    auditWatch(audit, "watch.deleted", watch);
  });
}

/** Adds to a workspace's waiting deliveries. Fails with conflict if too many wait. */
async function withRoom<T>(workspaceId: string, add: (transaction: Transaction) => Promise<T>): Promise<T> {
  const { prisma } = await database();
  return prisma.$transaction(async (transaction) => {
    await lockWorkspace(transaction, workspaceId);
    const waiting = await transaction.watchDelivery.count({ where: { state: "waiting", watch: { workspaceId } } });
    if (waiting >= WAITING_MAX) throw fail("conflict", { message: NO_ROOM });
    return add(transaction);
  });
}

/** Adds a test delivery to a watch and returns its id. Fails with conflict if too many deliveries wait. */
export function addTestDelivery({ id: watchId, workspaceId }: OfWorkspace, now: Date): Promise<string> {
  const event: WatchEvent = { kind: "test", at: now.toISOString() };
  const data = { watchId, event, state: "waiting" as const, nextAt: now, at: now };
  return withRoom(workspaceId, async (transaction) => (await transaction.watchDelivery.create({ data })).id);
}

/** Deliveries of a watch, newest first. */
export async function listDeliveries(watchId: string, limit: number): Promise<StoredDelivery[]> {
  const { prisma } = await database();
  return prisma.watchDelivery.findMany({ where: { watchId }, orderBy: [{ at: "desc" }, { id: "desc" }], take: limit });
}

/**
 * Sends a delivery again, under its own id and the next attempt's number; undefined if the watch has no such delivery.
 * Fails with conflict if too many deliveries wait.
 */
export function resendDelivery(
  { id: watchId, workspaceId }: OfWorkspace,
  id: string,
  now: Date,
): Promise<StoredDelivery | undefined> {
  return withRoom(workspaceId, async (transaction) => {
    const found = await transaction.watchDelivery.findFirst({ where: { id, watchId }, select: { event: true } });
    if (!found) return undefined;
    const due = { state: "waiting" as const, ...dueAt(found.event as Pick<WatchEvent, "kind">, now) };
    await transaction.watchDelivery.updateMany({ where: { id, watchId }, data: due });
    return (await transaction.watchDelivery.findFirst({ where: { id, watchId } })) ?? undefined;
  });
}
