import { processWide } from "@/lib/kernel/process-wide";
import { addUsage, type UsageBatch, type Use, usageRow } from "./usage";

const FLUSH_MS = 1_000;
const RETRY_MAX_MS = 30_000;
/** Maximum rows waiting for the database: a day's keys times the tables that each read. */
const WAITING_MAX = 10_000;

interface Buffer {
  waiting: Map<string, Use>;
  /** The batch being written, kept unchanged until it is known to be stored. */
  sending: UsageBatch | undefined;
  flushing: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
  retryMs: number;
  dropped: number;
}

const buffer = (): Buffer =>
  processWide("usage-buffer", () => ({
    waiting: new Map(),
    sending: undefined,
    flushing: undefined,
    timer: undefined,
    retryMs: FLUSH_MS,
    dropped: 0,
  }));

/**
 * Adds usage to a buffer that is written about every second. `onError` receives failed writes, which are retried, and
 * usage that was dropped because the buffer was full.
 */
export function recordUse(use: Use, onError: (error: unknown) => void): void {
  const own = buffer();
  const row = usageRow(use);
  const same = own.waiting.get(row);
  if (!same && own.waiting.size >= WAITING_MAX) own.dropped += 1;
  else own.waiting.set(row, same ? sum(same, use) : use);
  own.timer ??= later(FLUSH_MS, onError);
}

const sum = (a: Use, b: Use): Use => ({
  ...a,
  queries: a.queries + b.queries,
  downloads: a.downloads + b.downloads,
  rows: a.rows + b.rows,
  bytes: a.bytes + b.bytes,
});

function later(ms: number, onError: (error: unknown) => void): NodeJS.Timeout {
  return setTimeout(() => void flushOrRetry(onError), ms).unref();
}

async function flushOrRetry(onError: (error: unknown) => void): Promise<void> {
  const own = buffer();
  try {
    await flushUsage();
    own.retryMs = FLUSH_MS;
    own.timer = own.waiting.size > 0 ? later(FLUSH_MS, onError) : undefined;
  } catch (error) {
    own.retryMs = Math.min(2 * own.retryMs, RETRY_MAX_MS);
    own.timer = later(own.retryMs, onError);
    onError(error);
  }
  if (own.dropped > 0)
    onError(new Error(`the usage counts of ${own.dropped} requests were dropped because the buffer was full`));
  own.dropped = 0;
}

/** Writes the buffer. Rejects if the database does not accept it; the buffer is then kept. */
export async function flushUsage(): Promise<void> {
  const own = buffer();
  await own.flushing?.catch(() => undefined); // one at a time: usage added since then goes with this write
  own.flushing ??= send(own).finally(() => {
    own.flushing = undefined;
  });
  await own.flushing;
}

async function send(own: Buffer): Promise<void> {
  const again = own.sending !== undefined;
  if (!again && own.waiting.size === 0) return;
  own.sending ??= { uses: [...own.waiting.values()] };
  if (!again) own.waiting = new Map();
  await addUsage(own.sending);
  own.sending = undefined;
  if (again) await send(own); // the batch was left over from an earlier attempt
}
