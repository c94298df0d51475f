import { fillText, readFillProgress } from "@/lib/store/fill-progress";

export interface Filling {
  /** For people: how many datasets are loaded, and which ones are next. */
  text: string;
  /** It ended before it was complete; the next start continues it. */
  isStopped: boolean;
}

/** The progress of filling the catalogue with the showcase; undefined once it is complete, or if nothing is filled. */
export async function fillProgress(): Promise<Filling | undefined> {
  const progress = await readFillProgress();
  if (!progress) return undefined;
  const { isStopped = false } = progress;
  return { text: fillText(isStopped ? { ...progress, next: [] } : progress), isStopped };
}
