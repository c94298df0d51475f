import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { env } from "@/lib/kernel/env";
import { jsonObject } from "@/lib/kernel/json-object";
import { whenMissing } from "@/lib/kernel/missing-file";
import { replaceFile } from "@/lib/kernel/whole-file";
import { makeDataFolder } from "./data-folder";

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

// an existing file means that a fill is incomplete, whatever it contains: one of an older service is empty
const fileSchema = z.object({
  done: z.number().int().catch(0),
  total: z.number().int().catch(0),
  next: z.array(z.string()).catch([]),
  is_stopped: z.boolean().catch(false),
});

/** Exists from the beginning of a fill until it is complete, whatever happens in between. */
const fillPath = (): string => join(env().PARQUETRY_DATA_DIR, "showcase-filling");

/** The progress of an incomplete fill; undefined if there is none, or if this service does not fill the catalogue. */
export async function readFillProgress(): Promise<FillProgress | undefined> {
  if (!env().PARQUETRY_SHOWCASE) return undefined;
  const text = await readFile(fillPath(), "utf8").catch(whenMissing(undefined));
  if (text === undefined) return undefined;
  const { done, total, next, is_stopped: isStopped } = fileSchema.parse(jsonObject(text));
  return { done, total, next, isStopped };
}

/** Stores the progress in the data folder, where every process of the service can read it. */
export function writeFillProgress({ done, total, next, isStopped = false }: FillProgress): void {
  makeDataFolder();
  replaceFile(fillPath(), `${JSON.stringify({ done, total, next, is_stopped: isStopped })}\n`, 0o644);
}

/** Marks the fill as complete. */
export const removeFillProgress = (): Promise<void> => rm(fillPath(), { force: true });

/** Records that a fill ended before it was complete, if it did. */
export async function recordStoppedFill(): Promise<void> {
  const progress = await readFillProgress();
  if (progress) writeFillProgress({ ...progress, isStopped: true });
}

/** In words: "5 of 12 datasets loaded. Next: “US ZIP codes”." */
export function fillText({ done, total, next }: FillProgress): string {
  if (total === 0) return "It has just begun.";
  const loaded = `${done} of ${total} datasets loaded.`;
  return next.length > 0 ? `${loaded} Next: ${next.map((title) => `“${title}”`).join(" and ")}.` : loaded;
}
