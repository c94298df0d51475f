import type { Caller, Engine, Session } from "@/lib/engine/duckdb/engine";
import { SharedRun, type SharedRuns } from "@/lib/kernel/shared-run";
import type { PlannedQuery } from "./plan-query";
import type { PageRead } from "./read-page";

/** A page's rows, and whether they came from the cache. */
interface CachedPage {
  page: PageRead;
  isCached: boolean;
}

/** A page, or the promise of another caller that is reading it. */
type Turn = CachedPage | { others: Promise<Turn> };

/**
 * A page's rows: from the cache, from another caller that is reading them, or by `read` once it is the caller's turn.
 * Nobody waits for a caller that is itself waiting for a turn, since turns are shared fairly. A read stops when nobody
 * waits for it any longer. One that failed or was stopped is not cached.
 */
export async function cachedPage(
  engine: Engine,
  key: string,
  read: (session: Session) => Promise<PageRead>,
  caller: Caller,
): Promise<CachedPage> {
  const { signal } = caller;
  return await pageOf(findPage(engine, key, signal) ?? (await takeTurn(engine, key, read, caller).wait(signal)));
}

const pageOf = async (turn: Turn): Promise<CachedPage> => ("others" in turn ? pageOf(await turn.others) : turn);

function findPage(engine: Engine, key: string, signal: AbortSignal | undefined): Turn | undefined {
  const read = engine.readCache.find(key);
  if (read) return { page: read.page as PageRead, isCached: true };
  const others = (engine.runningReads as SharedRuns<Turn>).find(key)?.wait(signal);
  others?.catch(() => undefined); // thrown where it is awaited
  return others && { others };
}

/** Checks the cache and the running reads again: another caller may have read the page while this one waited. */
function takeTurn(
  engine: Engine,
  key: string,
  read: (session: Session) => Promise<PageRead>,
  { subject, signal }: Caller,
): SharedRun<Turn> {
  const run: SharedRun<Turn> = new SharedRun((stopping) =>
    engine.run(
      async (session) => {
        const found = findPage(engine, key, signal);
        if (found) return found;
        (engine.runningReads as SharedRuns<Turn>).share(key, run);
        const page = withOwnMemory(await read(session));
        // rows over the limit are an error
        if (!page.rows.tooLarge) engine.readCache.store(key, { page, bytes: bytesOf(page) });
        return { page, isCached: false };
      },
      { subject, signal: stopping },
    ),
  );
  return run;
}

const bytesOf = ({ rows: { parts }, notes = [] }: PageRead): number =>
  parts.reduce((sum, part) => sum + part.byteLength, Buffer.byteLength(JSON.stringify(notes)));

/** Copies the bytes: a small Buffer is a slice of an 8 KiB pool that it would keep in memory. */
function withOwnMemory(page: PageRead): PageRead {
  const parts = page.rows.parts.map((part) =>
    part.byteLength === part.buffer.byteLength ? part : new Uint8Array(part),
  );
  return { ...page, rows: { ...page.rows, parts } };
}

/**
 * Everything that the rows of a page depend on: version, plan, place, form, and the limit in bytes. It contains the
 * version and not its digest, since the types of the columns are not part of the version's bytes.
 */
export function pageKey(versionIds: readonly string[], query: PlannedQuery, bytesMax: number): string {
  const { digest, after, limit, offset, int64AsText, total, notes, unsentBytes = 0 } = query;
  const parts = [versionIds.join(), digest.toString("base64"), after ?? "", limit, offset, int64AsText, total];
  return [...parts, bytesMax, unsentBytes, ...(notes ? [notes.key] : [])].join(" ");
}
