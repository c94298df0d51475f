import { randomUUID } from "node:crypto";
import { fail } from "@/lib/kernel/errors";
import type { DatasetTexts, PublishRequest } from "@/lib/schemas/publish";
import { type AuditLog, type Author, audited, type Transaction } from "@/lib/store/audit";
import { refreshSearchText } from "@/lib/store/catalogue/search-text";
import type { Prisma, Visibility } from "@/prisma/generated/client";
import { rejectOtherAccess } from "./dataset-access";
import { slugOf } from "./slug";

/** A dataset before and after a publication or an edit. */
export interface WrittenDataset {
  id: string;
  slug: string;
  workspaceId: string | null;
  isNew: boolean;
  /** Names of the fields that changed; empty for a new dataset. */
  changed: string[];
}

type DatasetInput = PublishRequest["dataset"];

const READ = { publisher: true } satisfies Prisma.DatasetInclude;
type Before = Prisma.DatasetGetPayload<{ include: typeof READ }>;

/**
 * Writes the given fields of a dataset and keeps the others, or creates the dataset. The row lock makes publishers of
 * one dataset wait for each other, even for different tables.
 */
export async function writeDataset(transaction: Transaction, input: DatasetInput): Promise<WrittenDataset> {
  const before = await lockBySlug(transaction, input.slug);
  // Null if another transaction was first: then that dataset is edited.
  if (!before) return (await insertDataset(transaction, input)) ?? writeDataset(transaction, input);
  rejectOtherAccess(input, before);
  return updateDataset(transaction, before, input);
}

async function lockBySlug(transaction: Transaction, slug: string): Promise<Before | undefined> {
  await transaction.$queryRaw`SELECT id FROM "Dataset" WHERE slug = ${slug} FOR NO KEY UPDATE`;
  return (await transaction.dataset.findUnique({ where: { slug }, include: READ })) ?? undefined;
}

async function insertDataset(transaction: Transaction, input: DatasetInput): Promise<WrittenDataset | undefined> {
  const { slug, title, license, publisher, summary = "", description = "", topics = [] } = input;
  if (title === undefined || license === undefined || publisher?.name === undefined)
    throw new Error(`The new dataset ${slug} has no title, licence or publisher`);
  const publisherId = await writePublisher(transaction, publisher.name, publisher.url);
  const visibility: Visibility = input.visibility ?? "public";
  const id = randomUUID();
  const inserted = await transaction.$executeRaw`
    INSERT INTO "Dataset" (id, slug, title, summary, description, "publisherId", topics, license, sources,
      "temporalCoverage", visibility, "workspaceId")
    VALUES (${id}::uuid, ${slug}, ${title}, ${summary}, ${description}, ${publisherId}::uuid, ${topics}, ${license},
      ${JSON.stringify(input.sources ?? [])}::jsonb, ${input.temporalCoverage ?? null},
      ${visibility}::"Visibility", ${input.workspaceId ?? null}::uuid)
    ON CONFLICT (slug) DO NOTHING`;
  return inserted === 0 ? undefined : { id, slug, workspaceId: input.workspaceId ?? null, isNew: true, changed: [] };
}

async function updateDataset(transaction: Transaction, before: Before, input: DatasetTexts): Promise<WrittenDataset> {
  const { title, summary, description, license, topics, sources, temporalCoverage, publisher } = input;
  const texts = { title, summary, description, license, topics, sources, temporalCoverage };
  const changed = Object.entries(texts).filter(
    ([name, value]) => value !== undefined && !same(value, before[name as keyof typeof texts]),
  );
  const names = changed.map(([name]) => name);
  const data: Prisma.DatasetUpdateInput = Object.fromEntries(changed);
  if (publisher && isOther(publisher, before.publisher)) {
    names.push("publisher");
    const id = await writePublisher(transaction, nameOf(publisher, before.publisher), publisher.url);
    data.publisher = { connect: { id } };
  }
  if (names.length > 0) await transaction.dataset.update({ where: { id: before.id }, data });
  return { id: before.id, slug: before.slug, workspaceId: before.workspaceId, isNew: false, changed: names };
}

/** jsonb does not preserve the order of an object's members. */
const same = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, inner) =>
    inner && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

const isOther = (input: NonNullable<DatasetTexts["publisher"]>, before: Before["publisher"]): boolean =>
  (input.name !== undefined && input.name !== before?.name) || (input.url !== undefined && input.url !== before?.url);

function nameOf(input: NonNullable<DatasetTexts["publisher"]>, before: Before["publisher"]): string {
  const name = input.name ?? before?.name;
  if (name === undefined)
    throw fail("invalid_request", { message: "Missing publisher name: the dataset has no publisher yet." });
  return name;
}

async function writePublisher(transaction: Transaction, name: string, url: string | undefined): Promise<string> {
  const { id } = await transaction.publisher.upsert({
    where: { slug: slugOf(name) },
    create: { slug: slugOf(name), name, url: url ?? null },
    update: { name, ...(url !== undefined && { url }) },
    select: { id: true },
  });
  return id;
}

/** The audit entries for the changes of a dataset; none if nothing changed. */
export function auditDataset(
  audit: AuditLog,
  dataset: WrittenDataset,
  table?: { slug: string; changed: string[] },
): void {
  const entry = { subject: dataset.slug, workspaceId: dataset.workspaceId ?? undefined };
  if (dataset.isNew) audit({ ...entry, action: "dataset.created" });
  if (dataset.changed.length > 0) audit({ ...entry, action: "dataset.edited", details: { changed: dataset.changed } });
  if (table && table.changed.length > 0)
    audit({ ...entry, action: "dataset.edited", details: { table: table.slug, changed: table.changed } });
}

/** Changes the given fields of an existing dataset; undefined if it does not exist. */
export async function editDataset(
  slug: string,
  texts: DatasetTexts,
  author: Author,
): Promise<WrittenDataset | undefined> {
  return audited(author, async (transaction, audit) => {
    const before = await lockBySlug(transaction, slug);
    if (!before) return undefined;
    const written = await updateDataset(transaction, before, texts);
    if (written.changed.length > 0) await refreshSearchText(transaction, written.id);
    auditDataset(audit, written);
    return written;
  });
}
