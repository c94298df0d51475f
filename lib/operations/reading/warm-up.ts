import { parseQuery, runQuery } from "@/lib/engine/run/query";
import { hmacKey } from "@/lib/storage/secret";
import { findTableVersion } from "@/lib/store/datasets/tables";
import { mostReadTables } from "@/lib/store/usage/readings";
import { sealedVersion } from "./read-version";
import { readingEngine } from "./reading-engine";

const TIER = { rowsMax: 100, bytesMax: 64 * 1024 };

interface WarmUp {
  /** How many tables, the most read first. */
  tables: number;
  /** Ends it early. */
  signal: AbortSignal;
  onError(error: unknown): void;
}

/**
 * Fetches the current versions of the tables that were read most in the last week, and makes their read copies, as the
 * first query of each would. Never rejects: an instance without them is only slower at first.
 */
export async function warmUp({ tables, signal, onError }: WarmUp): Promise<void> {
  if (tables === 0 || signal.aborted) return;
  const ended = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  const reading = readEach(tables, signal).catch((error: unknown) => {
    if (!signal.aborted) onError(error);
  });
  await Promise.race([ended, reading]);
}

async function readEach(tables: number, signal: AbortSignal): Promise<void> {
  const engine = await readingEngine();
  for (const { tableId, workspaceId } of await mostReadTables(tables)) {
    signal.throwIfAborted();
    const version = await findTableVersion(tableId, { reader: workspaceId === null ? undefined : { workspaceId } });
    const [column] = version?.columns ?? [];
    if (!version || !column) continue; // withdrawn since
    const about = { secret: hmacKey("cursors"), queryId: "warm-up", elapsedMs: () => 0, subject: undefined, signal };
    const query = parseQuery({ columns: [column.name] }, TIER, version.columns);
    await runQuery(engine, sealedVersion(version), query, TIER, about);
    await engine.copies.settled();
  }
}
