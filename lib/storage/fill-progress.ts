import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { env } from "@/lib/kernel/env";
import { jsonObject } from "@/lib/kernel/json-object";
import { whenMissing } from "@/lib/kernel/missing-file";
import { replaceFile } from "@/lib/kernel/whole-file";
import { makeDataFolder } from "./data-folder";

/** How far filling the catalogue with the showcase is. */
export interface FillProgress {
  /** Datasets that are complete. */
  done: number;
  total: number;
  /** Titles of those under way. */
  next: readonly string[];
  /** It ended before it was complete; the next start goes on. */
  isStopped?: boolean;
}

// the file alone says that a fill is not complete: one of an older service is empty
const fileSchema = z.object({
  done: z.number().int().catch(0),
  total: z.number().int().catch(0),
  next: z.array(z.string()).catch([]),
  is_stopped: z.boolean().catch(false),
});

/** Exists from the beginning of a fill until it is complete, whatever happens in between. */
const fillPath = (): string => join(env().PARQUETRY_DATA_DIR, "showcase-filling");

/** How far a fill is that is not complete; undefined where there is none, or this service fills no catalogue. */
export async function readFillProgress(): Promise<FillProgress | undefined> {
  if (!env().PARQUETRY_SHOWCASE) return undefined;
  const text = await readFile(fillPath(), "utf8").catch(whenMissing(undefined));
  if (text === undefined) return undefined;
  const { done, total, next, is_stopped: isStopped } = fileSchema.parse(jsonObject(text));
  return { done, total, next, isStopped };
}

/** Keeps it in the data folder, where every process of the service reads it. */
export function writeFillProgress({ done, total, next, isStopped = false }: FillProgress): void {
  makeDataFolder();
  replaceFile(fillPath(), `${JSON.stringify({ done, total, next, is_stopped: isStopped })}\n`, 0o644);
}

/** The fill is complete. */
export const removeFillProgress = (): Promise<void> => rm(fillPath(), { force: true });

/** Keeps that a fill has ended before it was complete, if that is so. */
export async function noteStoppedFill(): Promise<void> {
  const progress = await readFillProgress();
  if (progress) writeFillProgress({ ...progress, isStopped: true });
}

/** For people: "5 of 12 datasets are here; next: “US ZIP codes”." */
export function fillWords({ done, total, next }: FillProgress): string {
  if (total === 0) return "It has just begun.";
  const here = `${done} of ${total} datasets ${done === 1 ? "is" : "are"} here`;
  return next.length > 0 ? `${here}; next: ${next.map((title) => `“${title}”`).join(" and ")}.` : `${here}.`;
}
