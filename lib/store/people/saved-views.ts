import { randomInt } from "node:crypto";
import type { z } from "zod";
import { fail } from "@/lib/kernel/errors";
import { type newSavedViewSchema, SAVED_VIEWS_MAX } from "@/lib/schemas/saved-view";
import { type Author, audited } from "@/lib/store/audit";
import { readableByPerson } from "@/lib/store/datasets/readable";
import { lookUp } from "@/lib/store/postgres/database";
import type { SavedView } from "@/prisma/generated/client";

const LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** 57 to the power of 10: ids cannot be guessed by enumeration. */
const ID_LENGTH = 10;
const ID = /^[2-9A-HJ-NP-Za-km-z]{10}$/;

/** A short id without look-alike letters. */
const newId = (): string => Array.from({ length: ID_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");

export interface AddedView {
  userId: string;
  tableId: string;
  page: LinkedPage;
  query: string;
}

/** The page that a short link opens. */
export type LinkedPage = z.output<typeof newSavedViewSchema>["page"];

/** Saves a view of a table for a person. Fails with conflict if they already have the maximum. */
export async function saveView(
  author: Author,
  { userId, tableId, page, query }: AddedView,
  now: Date,
): Promise<SavedView> {
  return await audited(author, async (transaction, audit) => {
    // one at a time per person, so that the count is exact
    await transaction.$queryRaw`SELECT 1 FROM "User" WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
    const own = await transaction.savedView.count({ where: { userId } });
    if (own >= SAVED_VIEWS_MAX)
      throw fail("conflict", {
        message: `You have saved ${own} views (maximum ${SAVED_VIEWS_MAX}).`,
        fix: "Delete one that you no longer need.",
      });
    const view = await transaction.savedView.create({
      data: { id: newId(), userId, tableId, page, query, createdAt: now },
    });
    audit({ action: "view.saved", subject: view.id });
    return view;
  });
}

export type ListedView = Pick<SavedView, "id" | "tableId" | "page" | "query" | "createdAt"> &
  Record<"datasetSlug" | "datasetTitle" | "tableSlug" | "tableName", string | null>;

const LISTED = `SELECT s.id, s."tableId", s.page, s.query, s."createdAt", d.slug AS "datasetSlug",
  d.title AS "datasetTitle",
  CASE WHEN d.id IS NOT NULL THEN t.slug END AS "tableSlug", CASE WHEN d.id IS NOT NULL THEN t.name END AS "tableName"
  FROM "SavedView" s JOIN "Table" t ON t.id = s."tableId"
  LEFT JOIN "Dataset" d ON d.id = t."datasetId" AND ${readableByPerson("$1")}
  WHERE s."userId" = $1::uuid ORDER BY s."createdAt" DESC, s.id`;

/** The views that a person has saved, newest first; those of tables that they can no longer read without its names. */
export const listSavedViews = (userId: string): Promise<ListedView[]> =>
  lookUp<ListedView>("saved-views", LISTED, [userId]);

/** A person's own view; undefined if they have none with this id. */
export async function findOwnView(
  userId: string,
  id: string,
): Promise<Pick<ListedView, "tableId" | "page" | "query"> | undefined> {
  const [view] = await lookUp<ListedView>("own-view", OWN, [id, userId]);
  return view;
}

const OWN = `SELECT s."tableId", s.page, s.query FROM "SavedView" s WHERE s.id = $1 AND s."userId" = $2::uuid`;

/** Changes a person's view; undefined if they have none with this id. */
export async function changeSavedView(
  author: Author,
  { userId, id }: Record<"userId" | "id", string>,
  change: (query: string) => string,
): Promise<SavedView | undefined> {
  return await audited(author, async (transaction, audit) => {
    await transaction.$queryRaw`SELECT 1 FROM "SavedView" WHERE id = ${id} FOR NO KEY UPDATE`;
    const view = await transaction.savedView.findFirst({ where: { id, userId } });
    if (!view) return undefined;
    audit({ action: "view.changed", subject: id });
    return await transaction.savedView.update({ where: { id }, data: { query: change(view.query) } });
  });
}

/** Whether a person may read a table, and so save a view of it. */
export async function isReadable(tableId: string, userId: string): Promise<boolean> {
  const found = await lookUp("viewed-table", READABLE, [tableId, userId]);
  return found.length > 0;
}

const READABLE = `SELECT 1 AS found FROM "Table" t JOIN "Dataset" d ON d.id = t."datasetId"
  AND ${readableByPerson("$2")} WHERE t.id = $1::uuid AND t."currentVersionId" IS NOT NULL`;

/** Deletes a person's view; false if they have none with this id. */
export async function deleteSavedView(author: Author, userId: string, id: string): Promise<boolean> {
  return await audited(author, async (transaction, audit) => {
    const { count } = await transaction.savedView.deleteMany({ where: { id, userId } });
    if (count > 0) audit({ action: "view.deleted", subject: id });
    return count > 0;
  });
}

export interface OpenedView {
  datasetSlug: string;
  tableSlug: string;
  page: LinkedPage;
  query: string;
}

const OPEN = `SELECT d.slug AS "datasetSlug", t.slug AS "tableSlug", s.page, s.query FROM "SavedView" s
  JOIN "Table" t ON t.id = s."tableId" JOIN "Dataset" d ON d.id = t."datasetId" AND ${readableByPerson("$2")}
  WHERE s.id = $1`;

/** A saved view of a table that the reader may currently read; undefined for everything else alike. */
export async function openView(id: string, userId: string | undefined): Promise<OpenedView | undefined> {
  if (!ID.test(id)) return undefined;
  const [view] = await lookUp<OpenedView>("open-view", OPEN, [id, userId ?? null]);
  return view;
}
