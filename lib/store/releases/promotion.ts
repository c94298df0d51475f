import { fail } from "@/lib/kernel/errors";
import { RUN_FAILURES } from "@/lib/schemas/run";
import { type AuditLog, type Author, audited, type Transaction } from "@/lib/store/audit";
import { refreshSearchText } from "@/lib/store/catalogue/search-text";
import { activateIn, activateNewTables } from "@/lib/store/datasets/activations";
import { decided, type EventBy, type Visibility } from "@/lib/store/datasets/dataset-states";
import { slugOf } from "@/lib/store/datasets/slug";
import { makeCurrent, recordPromotion, rolledBackTables } from "@/lib/store/datasets/versions";
import { lockedState } from "@/lib/store/datasets/visibility";
import { recordReleased } from "@/lib/store/news/news";
import { database } from "@/lib/store/postgres/database";
import { addLateEvent } from "@/lib/store/runs/run-transitions";
import type { Prisma } from "@/prisma/generated/client";

/** The texts of an approved recipe for its dataset. */
export interface PublishedTexts {
  license: string;
  publisher: { name: string; url?: string | undefined };
  topics: readonly string[];
  summary?: string | undefined;
  description?: string | undefined;
  attribution?: string | undefined;
  /** The addresses that the data come from, as pages show them. */
  sources: readonly { name: string; url: string; license: string | null }[];
}

export interface TablePromotion {
  tableId: string;
  slug: string;
  versionId: string;
  name: string;
  description: string;
  license: string | null;
  position: number;
}

export interface PromotionRequest {
  dataset: { id: string; slug: string; workspaceId: string };
  tables: readonly TablePromotion[];
  texts: PublishedTexts;
  /** Whether it becomes public, unless it is; otherwise it stays what it is. */
  publishes: boolean;
  /** The run that sealed the versions; it gets an event. */
  runId?: string | undefined;
  /** If given, fails with `conflict` unless this is the first table's current version (null: none). */
  expectedCurrent?: string | null | undefined;
  /** Whether the tables are also activated on the hosted routes. */
  activate?: boolean | undefined;
  by: Prisma.InputJsonObject;
  cause: EventBy;
  /** Whether tables that somebody rolled back stay so: nobody decided just this promotion. */
  keepsRolledBack?: boolean | undefined;
  /** When the source published what becomes current, if that is known and in the past. */
  publishedAt?: Date | undefined;
  now: Date;
}

export interface PromotedTable {
  table: string;
  tableId: string;
  versionId: string;
  previousVersionId: string | null;
  /** Whether a later version was current: going back to it lasts until somebody promotes another. */
  isOlder: boolean;
}

/** How long a promotion may take: a publication of the same dataset may hold its row for a while. */
export const PROMOTION_MS = 60_000;

/**
 * Makes sealed versions current, all or none. Fails with version_withdrawn, and with conflict or insufficient_scope
 * where `TRANSITIONS` does not allow it.
 */
export const promoteTables = (request: PromotionRequest, author: Author): Promise<PromotedTable[]> =>
  audited(author, (transaction, audit) => promoteIn(transaction, audit, request), {
    timeoutMs: PROMOTION_MS,
  });

/** The same as part of a larger transaction. */
export async function promoteIn(
  transaction: Transaction,
  audit: AuditLog,
  request: PromotionRequest,
): Promise<PromotedTable[]> {
  const { dataset, texts, now } = request;
  const visibility = await allowedPromotion(transaction, request);
  const tables = request.keepsRolledBack ? await notRolledBack(transaction, request.tables) : request.tables;
  if (tables.length < request.tables.length) await reportRetained(transaction, request, tables);
  if (tables.length === 0 && request.tables.length > 0) return [];
  const before = await transaction.dataset.findUniqueOrThrow({ where: { id: dataset.id } });
  const publisherId = await ownPublisher(transaction, texts.publisher, dataset.workspaceId);
  const { license, topics, summary, description, sources } = texts;
  const isWhole = tables.length === request.tables.length; // else the texts are those of what was gone back to
  await transaction.dataset.update({
    where: { id: dataset.id },
    data: isWhole
      ? {
          license,
          publisherId,
          topics: [...topics],
          sources: sources.map((source) => ({ ...source })),
          visibility,
          ...(summary !== undefined && { summary }),
          ...(description !== undefined && { description }),
        }
      : { visibility },
  });
  if (before.visibility !== visibility)
    audit({
      action: "dataset.visibility_changed",
      subject: dataset.slug,
      workspaceId: dataset.workspaceId,
      details: { from: before.visibility, to: visibility },
    });
  if (isWhole && before.license !== null && before.license !== license)
    audit({
      ...{ action: "dataset.edited", subject: dataset.slug, workspaceId: dataset.workspaceId },
      details: { changed: ["license"] },
    });
  const promoted: PromotedTable[] = [];
  for (const table of tables) promoted.push(await promoteOne(transaction, audit, table, request));
  for (const reason of ["promoted", "rolled_back"] as const) {
    const own = promoted.filter(({ isOlder }) => isOlder === (reason === "rolled_back"));
    await recordReleased(transaction, { datasetId: dataset.id, at: now, reason, tables: own });
  }
  const { runId, by, cause } = request;
  const about = { dataset, runId, by, cause, now, tables: tables.map(({ slug }) => slug) };
  await (request.activate ? activateIn : activateNewTables)(transaction, audit, about);
  await refreshSearchText(transaction, dataset.id);
  if (request.runId !== undefined) {
    const message = `current, ${visibility}`;
    await addLateEvent(transaction, { runId: request.runId, now, kind: "promoted", message });
  }
  return promoted;
}

/** The visibility after a promotion of a dataset that is now locked. Fails where `TRANSITIONS` does not allow it. */
export async function allowedPromotion(
  transaction: Transaction,
  { dataset, publishes, activate, cause }: PromotionRequest,
): Promise<Visibility> {
  const state = await lockedState(transaction, dataset.id);
  const visibility = decided("promote", state, cause);
  if (activate) decided("activate", state, cause);
  return publishes ? decided("publish", state, cause) : visibility;
}

/** Tells in the run's events which tables keep the version that somebody went back to. */
async function reportRetained(
  transaction: Transaction,
  { runId, now, tables: all }: PromotionRequest,
  promoted: readonly TablePromotion[],
): Promise<void> {
  if (runId === undefined) return;
  const skipped = all.filter((table) => !promoted.includes(table)).map(({ slug }) => slug);
  const message = `Sealed, but not made current: somebody went back to an earlier version of ${skipped.join(", ")}.`;
  await addLateEvent(transaction, { runId, now, kind: "warning", message });
}

/** Without the tables whose current version somebody went back to: those keep it until somebody promotes another. */
async function notRolledBack(
  transaction: Transaction,
  tables: readonly TablePromotion[],
): Promise<readonly TablePromotion[]> {
  const rolledBack = await rolledBackTables(
    transaction,
    tables.map(({ tableId }) => tableId),
  );
  return tables.filter(({ tableId }) => !rolledBack.has(tableId));
}

async function promoteOne(
  transaction: Transaction,
  audit: AuditLog,
  table: TablePromotion,
  { dataset, by, now, expectedCurrent, publishedAt: at = now }: PromotionRequest,
): Promise<PromotedTable> {
  const { tableId, versionId, slug, ...texts } = table;
  const before = await transaction.table.findUniqueOrThrow({ where: { id: tableId } });
  const previousVersionId = before.currentVersionId;
  if (expectedCurrent !== undefined && expectedCurrent !== previousVersionId)
    throw fail("conflict", {
      message: `The current version of ${slug} is ${previousVersionId ?? "none"}, not the expected one.`,
    });
  const version = await transaction.version.findUniqueOrThrow({ where: { id: versionId } });
  if (version.withdrawnAt) throw fail("version_withdrawn", { message: `The version of ${slug} was withdrawn.` });
  const later = { tableId, sequence: { gt: version.sequence }, publishedAt: { not: null }, withdrawnAt: null };
  const isOlder = version.publishedAt !== null && (await transaction.version.count({ where: later })) > 0;
  const result = { table: slug, tableId, versionId, previousVersionId, isOlder };
  await transaction.table.update({ where: { id: tableId }, data: texts });
  if (previousVersionId === versionId) return result;
  await transaction.version.update({ where: { id: versionId }, data: { publishedAt: version.publishedAt ?? at } });
  await makeCurrent(transaction, dataset.id, tableId, versionId);
  await recordPromotion(transaction, { tableId, versionId, at, by }, isOlder ? "rolled_back" : "promoted");
  await transaction.release.updateMany({
    where: { versionId, promotedAt: null },
    data: { promotedAt: now, promotedBy: by },
  });
  audit({
    action: isOlder ? "table.rolled_back" : "table.promoted",
    subject: versionId,
    workspaceId: dataset.workspaceId,
    details: { dataset: dataset.slug, table: slug },
  });
  return result;
}

/** What is wrong with a publisher's name; undefined if the workspace may use it. */
export async function publisherFault(name: string, workspaceId: string): Promise<string | undefined> {
  const { prisma } = await database();
  return (await isForeignPublisher(prisma, name, workspaceId)) ? foreignText(name) : undefined;
}

const foreignText = (name: string): string => `The publisher name ${name} is used by another workspace.`;

async function isForeignPublisher(client: Pick<Transaction, "dataset">, name: string, workspaceId: string) {
  const others = { OR: [{ workspaceId: null }, { workspaceId: { not: workspaceId } }] };
  return (await client.dataset.count({ where: { publisher: { slug: slugOf(name) }, ...others }, take: 1 })) > 0;
}

/**
 * A publisher's name belongs to the workspace that used it first. Another workspace's slug or spelling is never
 * changed.
 */
async function ownPublisher(
  transaction: Transaction,
  { name, url }: PublishedTexts["publisher"],
  workspaceId: string,
): Promise<string> {
  if (await isForeignPublisher(transaction, name, workspaceId))
    throw fail("conflict", { message: `${foreignText(name)} ${RUN_FAILURES.publisher_taken}` });
  const slug = slugOf(name);
  const { id } = await transaction.publisher.upsert({
    where: { slug },
    create: { slug, name, url: url ?? null },
    update: { name, ...(url !== undefined && { url }) },
    select: { id: true },
  });
  return id;
}
