import { fillWords, readFillProgress } from "@/lib/storage/fill-progress";

export interface Filling {
  /** For people: how many datasets are loaded, and which ones are next. */
  words: string;
  /** It ended before it was complete; the next start goes on. */
  isStopped: boolean;
}

/** How far filling the catalogue with the showcase is; undefined once it is complete, or where nothing is filled. */
export async function fillProgress(): Promise<Filling | undefined> {
  const progress = await readFillProgress();
  if (!progress) return undefined;
  const { isStopped = false } = progress;
  return { words: fillWords(isStopped ? { ...progress, next: [] } : progress), isStopped };
}
