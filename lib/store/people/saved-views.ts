import { randomInt } from "node:crypto";
import { fail } from "@/lib/kernel/errors";
import { SAVED_VIEWS_MAX } from "@/lib/schemas/saved-view";
import { type Author, audited } from "@/lib/store/audit";
import { readableBy } from "@/lib/store/datasets/readable";
import { database, lookUp } from "@/lib/store/postgres/database";
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
  query: string;
}

/** Saves a view of a table for a person. Fails with conflict if they already have the maximum. */
export async function saveView(author: Author, { userId, tableId, query }: AddedView, now: Date): Promise<SavedView> {
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
      data: { id: newId(), userId, tableId, query, createdAt: now },
    });
    audit({ action: "view.saved", subject: view.id });
    return view;
  });
}

/** The views that a person has saved, newest first. */
export async function listSavedViews(userId: string): Promise<SavedView[]> {
  const { prisma } = await database();
  return prisma.savedView.findMany({ where: { userId }, orderBy: [{ createdAt: "desc" }, { id: "asc" }] });
}

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
  query: string;
}

const OPEN = `SELECT d.slug AS "datasetSlug", t.slug AS "tableSlug", s.query FROM "SavedView" s
  JOIN "Table" t ON t.id = s."tableId" JOIN "Dataset" d ON d.id = t."datasetId" AND ${readableBy("$2")}
  WHERE s.id = $1`;

/** A saved view of a table that the reader may currently read; undefined for everything else alike. */
export async function openView(id: string, workspaceId: string | undefined): Promise<OpenedView | undefined> {
  if (!ID.test(id)) return undefined;
  const [view] = await lookUp<OpenedView>("open-view", OPEN, [id, workspaceId ?? null]);
  return view;
}
