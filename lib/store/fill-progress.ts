import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { env } from "@/lib/kernel/env";
import { oldFillPath } from "@/lib/storage/paths";
import { database } from "./postgres/database";

/** The progress of filling the catalogue with the showcase. */
export interface FillProgress {
  /** Datasets that are complete. */
  done: number;
  total: number;
  /** Titles of the datasets in progress. */
  next: readonly string[];
  /** The fill ended before it was complete. The next start resumes it. */
  isStopped?: boolean;
}

/** The progress of an incomplete fill; undefined if there is none, or if this service does not fill the catalogue. */
export async function readFillProgress(): Promise<FillProgress | undefined> {
  if (!env().PARQUETRY_SHOWCASE) return undefined;
  const { prisma } = await database();
  const row = await prisma.fillProgress.findFirst();
  if (!row) return undefined;
  const { done, total, next, isStopped } = row;
  return { done, total, next, isStopped };
}

/** Stores the progress, of which there is a row from the beginning of a fill until it is complete. */
export async function writeFillProgress({ done, total, next, isStopped = false }: FillProgress): Promise<void> {
  const { prisma } = await database();
  const data = { done, total, next: [...next], isStopped };
  await prisma.fillProgress.upsert({ where: { id: 1 }, create: data, update: data });
}

/** Marks the fill as complete. */
export async function removeFillProgress(): Promise<void> {
  const { prisma } = await database();
  await prisma.fillProgress.deleteMany({});
}

/** Records whether an incomplete fill, if there is one, has ended before it was complete. */
export async function recordFillStopped(isStopped: boolean): Promise<void> {
  const { prisma } = await database();
  await prisma.fillProgress.updateMany({ data: { isStopped } });
}

/** A fill that an earlier version has begun is marked by a file, whatever it contains. */
export async function adoptOldFill(): Promise<void> {
  if (!existsSync(oldFillPath())) return;
  if (!(await readFillProgress())) await writeFillProgress({ done: 0, total: 0, next: [] });
  await rm(oldFillPath(), { force: true });
}

/** In words: "5 of 12 datasets loaded. Next: “US ZIP codes”." */
export function fillText({ done, total, next }: FillProgress): string {
  if (total === 0) return "It has just begun.";
  const loaded = `${done} of ${total} datasets loaded.`;
  return next.length > 0 ? `${loaded} Next: ${next.map((title) => `“${title}”`).join(" and ")}.` : loaded;
}
