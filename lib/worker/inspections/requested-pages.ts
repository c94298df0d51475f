import { OFFSETS, SIZES } from "@/lib/readers/proposals/paging";
import { SandboxFailure, type SourceFound } from "@/lib/sandbox/events";

import type { HttpSource, RecipeSource } from "@/lib/schemas/recipe-source";
import { SourceFailure } from "@/lib/sources/source-failure";
import { RunFailure } from "@/lib/worker/runs/run-failure";
import type { FetchedHead } from "./inspection-head";

export interface Looked {
  head: FetchedHead;
  found: SourceFound;
}

/** Requests a source and inspects the reply. */
export type Look = (source: RecipeSource, signal: AbortSignal) => Promise<Looked>;

type Query = Readonly<Record<string, string>>;

interface RequestedPages {
  looked: Looked;
  /** Parameters that were added; none if the source was queried as given. */
  query: Query;
  /** What was tried, with the outcome. */
  warning?: string;
}

const TRIES_MAX = 3;
/** Limit for all attempts together: a source that is slow, or asks clients to wait, is left alone. */
export const TRIES_MS = 30_000;
/** Statuses with which a source rejects parameters that it does not know. Any other status stops the attempts. */
const GOES_ON: ReadonlySet<number> = new Set([400, 404, 405, 422]);
const PAGE_RECORDS = "100";

/**
 * If a source's reply is an empty list but reports records, requests it again up to three times with common paging
 * parameters. The first reply with records is used. If an attempt fails, the result of the first request stands.
 */
export async function requestPages(
  first: Looked,
  source: RecipeSource,
  look: Look,
  signal: AbortSignal,
): Promise<RequestedPages> {
  const empty = first.found.json?.emptyPage;
  if (!empty || source.kind !== "http" || !mayTry(source)) return { looked: first, query: {} };
  const failed: string[] = [];
  let spent = first.head;
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(TRIES_MS)]);
  for (const query of pageTries(new URL(first.head.url ?? ""), empty.named)) {
    const probe = { ...source, query: { ...source.query, ...query } };
    const looked = await look(probe, inTime).catch((error: unknown) => failureOf(error, signal, inTime));
    if (!("found" in looked)) {
      failed.push(`${shown(query)} (${looked.reason})`);
      if (!looked.goesOn) break;
      continue;
    }
    spent = withSpent(looked.head, spent);
    if (hasRecords(looked)) {
      const warning = `${empty.why}. With ${shown(query)} the source returns records, which are shown here.`;
      return { looked: { ...looked, head: spent }, query, warning };
    }
    failed.push(`${shown(query)} (no records)`);
  }
  const tried = failed.length === 0 ? "" : ` Also tried: ${failed.join(", ")}.`;
  const how =
    'Inspect it with the parameters that its documentation names, such as "query":{"page":"1","limit":"100"}.';
  return { looked: { ...first, head: spentOf(first.head, spent) }, query: {}, warning: `${empty.why}.${tried} ${how}` };
}

const hasRecords = ({ found }: Looked): boolean => (found.json?.candidates.length ?? 0) > 0;

/** Only a source of one request without a body or a paging rule may be tried again. */
const mayTry = ({ pages, body }: HttpSource): boolean => pages === undefined && body === undefined;

interface Failed {
  reason: string;
  /** Whether other parameters may be tried. */
  goesOn: boolean;
}

/** Why an attempt returned nothing. Rethrows errors that are not the source's fault. */
export function failureOf(error: unknown, signal: AbortSignal, inTime: AbortSignal): Failed {
  if (signal.aborted) throw error;
  if (inTime.aborted) return { reason: "too slow", goesOn: false };
  if (error instanceof SourceFailure) {
    const { code, status } = error;
    return status === undefined
      ? { reason: code, goesOn: false }
      : { reason: `status ${status}`, goesOn: GOES_ON.has(status) };
  }
  if (error instanceof SandboxFailure || error instanceof RunFailure) return { reason: error.code, goesOn: true };
  throw error;
}

/** Parameters that the URL does not have yet, likeliest first: those that the reply names among its members. */
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
  const hasOffset = ["page", ...OFFSETS].some((name) => searchParams.has(name));
  const isWanted = (name: string) => (SIZES.includes(name) ? !hasSize : !hasOffset);
  const wanted = all.map((query) => Object.fromEntries(Object.entries(query).filter(([name]) => isWanted(name))));
  const different = new Map(wanted.map((query) => [shown(query), query]));
  different.delete("");
  return [...different.values()].slice(0, TRIES_MAX);
}

export const shown = (query: Query): string => new URLSearchParams({ ...query }).toString();

const spentOf = (head: FetchedHead, { bytesRead, seconds }: FetchedHead): FetchedHead => ({
  ...head,
  bytesRead,
  seconds,
});

/** A later reply, with the bytes and time of all of them. */
export const withSpent = (head: FetchedHead, { bytesRead, seconds }: FetchedHead): FetchedHead => ({
  ...head,
  bytesRead: head.bytesRead + bytesRead,
  seconds: Math.round((head.seconds + seconds) * 1000) / 1000,
});
