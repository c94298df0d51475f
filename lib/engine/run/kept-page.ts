import type { Caller, Engine, Session } from "@/lib/engine/duckdb/engine";
import type { KeptReads } from "@/lib/engine/duckdb/kept-reads";
import { SharedRun, type SharedRuns } from "@/lib/kernel/shared-run";
import type { PlannedQuery } from "./plan-query";
import type { PageRead } from "./read-page";

/** A page's rows, and whether they were in memory. */
interface KeptPage {
  page: PageRead;
  isKept: boolean;
}

/** A page, or that of another caller who is reading it. */
type Turn = KeptPage | { others: Promise<Turn> };

/**
 * A page's rows: from memory, from another caller who is reading them, or by `read` once the caller's turn has come.
 * Nobody waits for one who waits for a turn, since turns are fair to each caller. A read stops when nobody waits for it
 * any more; one that failed or was cut short is not kept.
 */
export async function keptPage(
  engine: Engine,
  key: string,
  read: (session: Session) => Promise<PageRead>,
  caller: Caller,
): Promise<KeptPage> {
  const { signal } = caller;
  return await pageOf(findPage(engine, key, signal) ?? (await takeTurn(engine, key, read, caller).wait(signal)));
}

const pageOf = async (turn: Turn): Promise<KeptPage> => ("others" in turn ? pageOf(await turn.others) : turn);

function findPage(engine: Engine, key: string, signal: AbortSignal | undefined): Turn | undefined {
  const page = (engine.keptReads as KeptReads<PageRead>).find(key);
  if (page) return { page, isKept: true };
  const others = (engine.runningReads as SharedRuns<Turn>).find(key)?.wait(signal);
  others?.catch(() => undefined); // thrown where it is awaited
  return others && { others };
}

/** Another caller may have had the same turn while this one waited. */
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
        if (!page.rows.tooLarge) engine.keptReads.keep(key, page, bytesOf(page)); // rows over the limit are an error
        return { page, isKept: false };
      },
      { subject, signal: stopping },
    ),
  );
  return run;
}

const bytesOf = ({ rows: { parts } }: PageRead): number => parts.reduce((sum, part) => sum + part.byteLength, 0);

/** A small Buffer is a piece of 8 KiB that it would keep with it. */
function withOwnMemory(page: PageRead): PageRead {
  const parts = page.rows.parts.map((part) =>
    part.byteLength === part.buffer.byteLength ? part : new Uint8Array(part),
  );
  return { ...page, rows: { ...page.rows, parts } };
}

/**
 * Everything that the rows of a page depend on: version, plan, place, form, and the bytes that they may take. A version
 * and not its digest, since the types of its columns are not in its bytes.
 */
export function pageKey(versionId: string, query: PlannedQuery, bytesMax: number): string {
  const { digest, after, limit, offset, int64AsText, total } = query;
  return [versionId, digest.toString("base64"), after ?? "", limit, offset, int64AsText, total, bytesMax].join(" ");
}
