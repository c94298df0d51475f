import { database } from "@/lib/store/postgres/database";
import type { Note, Prisma } from "@/prisma/generated/client";

/** Notes of a dataset, newest first. */
export async function listNotes(datasetId: string, limit: number): Promise<Note[]> {
  const { prisma } = await database();
  return prisma.note.findMany({ where: { datasetId }, orderBy: [{ at: "desc" }, { id: "desc" }], take: limit });
}

/** Adds a note. Notes are never changed. */
export async function addNote(note: {
  datasetId: string;
  runId?: string | undefined;
  tableSlug?: string | undefined;
  body: string;
  actor: Prisma.InputJsonObject;
  at: Date;
}): Promise<Note> {
  const { prisma } = await database();
  const { runId = null, tableSlug = null, ...rest } = note;
  return prisma.note.create({ data: { ...rest, runId, tableSlug } });
}
