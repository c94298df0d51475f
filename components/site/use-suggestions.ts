import { useEffect, useState } from "react";
import type { Catalogue } from "@/lib/schemas/dataset";

export interface Suggestions {
  /** What was typed when they were requested. */
  q: string;
  datasets: readonly Pick<Catalogue["datasets"][number], "slug" | "title" | "publisher">[];
  total: number;
}

const PAUSE_MS = 150;
const SHOWN = 6;
const LETTERS_MIN = 2;

/** The first datasets that match what is typed, after a pause in typing; undefined if there are none to show. */
export function useSuggestions(typed: string): Suggestions | undefined {
  const q = typed.trim();
  const [found, setFound] = useState<Suggestions>();
  useEffect(() => {
    if (q.length < LETTERS_MIN) return setFound(undefined);
    const abort = new AbortController();
    const timer = setTimeout(() => {
      // after a failure there are no suggestions; the search itself shows the error
      ask(q, abort.signal).then(setFound, () => undefined);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [q]);
  return q.length >= LETTERS_MIN && found && found.datasets.length > 0 ? found : undefined;
}

async function ask(q: string, signal: AbortSignal): Promise<Suggestions | undefined> {
  const reply = await fetch(`/api/v2/public/datasets?${new URLSearchParams({ q, limit: String(SHOWN) })}`, { signal });
  if (!reply.ok) return undefined;
  const { datasets, total } = (await reply.json()) as Catalogue;
  return { q, datasets, total };
}
