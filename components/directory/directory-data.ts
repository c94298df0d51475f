import { type DirectoryState, directoryParams } from "@/components/dataset/directory-url";
import type { Catalogue } from "@/lib/schemas/dataset";
import type { Facets } from "@/lib/schemas/facets";

/** What the directory shows in one state. */
export interface DirectoryData {
  catalogue: Catalogue;
  facets: Facets;
  /** Topics to browse if nothing was found. */
  topics: Facets["facets"]["topic"];
}

/** Why loading failed, and after how many seconds a retry makes sense. */
export interface Trouble {
  kind: "limited" | "unavailable" | "offline" | "rejected";
  seconds: number;
}

const WAIT_S = 5;

/** A loading error that is shown to a person. */
export class LoadFailure extends Error {
  constructor(readonly trouble: Trouble) {
    super(trouble.kind);
  }
}

/** Requests a state from the public API, as anyone could. Throws LoadFailure, or the signal's AbortError. */
export async function loadDirectory(state: DirectoryState, signal: AbortSignal): Promise<DirectoryData> {
  const { sort: _sort, cursor: _cursor, ...narrowed } = state;
  const [catalogue, facets] = await Promise.all([
    ask<Catalogue>("datasets", state, signal),
    ask<Facets>("facets", narrowed, signal),
  ]);
  const topics = catalogue.total > 0 ? [] : (await ask<Facets>("facets", {}, signal)).facets.topic;
  return { catalogue, facets, topics };
}

async function ask<T>(what: string, state: DirectoryState, signal: AbortSignal): Promise<T> {
  const reply = await fetch(`/api/v2/public/${what}?${directoryParams(state)}`, { signal }).catch((cause) => {
    if (signal.aborted) throw cause;
    throw new LoadFailure({ kind: navigator.onLine ? "unavailable" : "offline", seconds: WAIT_S });
  });
  if (!reply.ok) throw new LoadFailure(troubleOf(reply));
  return (await reply.json()) as T;
}

function troubleOf(reply: Response): Trouble {
  const seconds = Math.max(1, Number(reply.headers.get("retry-after")) || WAIT_S);
  if (reply.status === 429) return { kind: "limited", seconds };
  return { kind: reply.status >= 500 ? "unavailable" : "rejected", seconds };
}
