import { OFFSETS, SIZES } from "@/lib/builds/inspect/paging";
import { SandboxFailure } from "@/lib/sandbox/failure";
import type { SourceFound } from "@/lib/sandbox/inspect-source";
import type { HttpSource, RecipeSource } from "@/lib/schemas/recipe-source";
import { SourceFailure } from "@/lib/sources/source-failure";
import type { FetchedHead } from "./inspection-head";
import { RunFailure } from "./run-failure";

export interface Looked {
  head: FetchedHead;
  found: SourceFound;
}

type Query = Readonly<Record<string, string>>;

interface Asked {
  looked: Looked;
  /** Parameters that were added; none where the source was asked as it is. */
  query: Query;
  /** What was tried, and what came of it. */
  warning?: string;
}

const TRIES_MAX = 3;
/** For all tries together: a source that is slow, or asks for patience, is left alone. */
const TRIES_MS = 30_000;
/** What a source says of parameters that it does not know; any other status says to stop. */
const GOES_ON: ReadonlySet<number> = new Set([400, 404, 405, 422]);
const PAGE_RECORDS = "100";

/**
 * Asks a source again whose reply is an empty list and tells of records, up to three times, with the usual parameters
 * of pages: the first reply that has records counts. What fails meanwhile leaves the first look as it is.
 */
export async function askForPages(
  first: Looked,
  source: RecipeSource,
  look: (source: RecipeSource, signal: AbortSignal) => Promise<Looked>,
  signal: AbortSignal,
): Promise<Asked> {
  const empty = first.found.json?.emptyPage;
  if (!empty || source.kind !== "http" || !mayTry(source)) return { looked: first, query: {} };
  const failed: string[] = [];
  let spent = first.head;
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(TRIES_MS)]);
  for (const query of pageTries(new URL(first.head.url ?? ""), empty.named)) {
    const asked = { ...source, query: { ...source.query, ...query } };
    const looked = await look(asked, inTime).catch((error: unknown) => failureOf(error, signal, inTime));
    if (!("found" in looked)) {
      failed.push(`${shown(query)} (${looked.words})`);
      if (!looked.goesOn) break;
      continue;
    }
    spent = withSpent(looked.head, spent);
    if (hasRecords(looked)) {
      const warning = `${empty.why}. With ${shown(query)} the source has records: they are shown here.`;
      return { looked: { ...looked, head: spent }, query, warning };
    }
    failed.push(`${shown(query)} (no records)`);
  }
  const tried = failed.length === 0 ? "" : ` Tried as well: ${failed.join(", ")}.`;
  const how =
    'Inspect it with the parameters that its documentation names, such as "query":{"page":"1","limit":"100"}.';
  return { looked: { ...first, head: spentOf(first.head, spent) }, query: {}, warning: `${empty.why}.${tried} ${how}` };
}

const hasRecords = ({ found }: Looked): boolean => (found.json?.candidates.length ?? 0) > 0;

/** Sources of one request without a body, whose pages nobody named. */
const mayTry = ({ pages, body }: HttpSource): boolean => pages === undefined && body === undefined;

interface Failed {
  words: string;
  /** Whether other parameters may be tried. */
  goesOn: boolean;
}

/** Why a try told nothing; rethrows what is no fault of the source. */
function failureOf(error: unknown, signal: AbortSignal, inTime: AbortSignal): Failed {
  if (signal.aborted) throw error;
  if (inTime.aborted) return { words: "too slow", goesOn: false };
  if (error instanceof SourceFailure) {
    const { code, status } = error;
    return status === undefined
      ? { words: code, goesOn: false }
      : { words: `status ${status}`, goesOn: GOES_ON.has(status) };
  }
  if (error instanceof SandboxFailure || error instanceof RunFailure) return { words: error.code, goesOn: true };
  throw error;
}

/** Parameters that the address does not have yet, the likeliest first: those that the reply names among its members. */
export function pageTries({ searchParams }: URL, named: readonly string[]): Query[] {
  const size = SIZES.find((name) => named.includes(name)) ?? "limit";
  const offset = OFFSETS.find((name) => named.includes(name));
  const byPage = [
    { page: "1", [size]: PAGE_RECORDS },
    { page: "1", per_page: PAGE_RECORDS },
  ];
  const byOffset = { [offset ?? "offset"]: "0", [size]: PAGE_RECORDS };
  const all: Query[] = offset === undefined ? [...byPage, byOffset] : [byOffset, ...byPage];
  const hasSize = SIZES.some((name) => searchParams.has(name));
  const hasPlace = ["page", ...OFFSETS].some((name) => searchParams.has(name));
  const isWanted = (name: string) => (SIZES.includes(name) ? !hasSize : !hasPlace);
  const wanted = all.map((query) => Object.fromEntries(Object.entries(query).filter(([name]) => isWanted(name))));
  const different = new Map(wanted.map((query) => [shown(query), query]));
  different.delete("");
  return [...different.values()].slice(0, TRIES_MAX);
}

const shown = (query: Query): string => new URLSearchParams({ ...query }).toString();

const spentOf = (head: FetchedHead, { bytesRead, seconds }: FetchedHead): FetchedHead => ({
  ...head,
  bytesRead,
  seconds,
});

/** A later reply, with what all of them took. */
const withSpent = (head: FetchedHead, { bytesRead, seconds }: FetchedHead): FetchedHead => ({
  ...head,
  bytesRead: head.bytesRead + bytesRead,
  seconds: Math.round((head.seconds + seconds) * 1000) / 1000,
});
