import { serialize } from "node:v8";
import { LRUCache } from "lru-cache";
import { processWide } from "@/lib/kernel/process-wide";

interface Entry {
  generation: string;
  answer: object;
  bytes: number;
}

const KEPT_BYTES_MAX = 48 * 2 ** 20;
const cached = () =>
  processWide(
    "cached-answers",
    () => new LRUCache<string, Entry>({ maxSize: KEPT_BYTES_MAX, sizeCalculation: ({ bytes }) => bytes }),
  );

/** The answer remembered under this generation; undefined without one. */
export function recall<T extends object>(name: string, under: string | undefined): T | undefined {
  if (under === undefined) return undefined;
  const entry = cached().get(name);
  return entry?.generation === under ? (entry.answer as T) : undefined;
}

/** Remembers an answer that was read after this generation was requested. Callers share it. */
export function remember<T extends object>(name: string, under: string | undefined, answer: T): T {
  if (under === undefined) return answer;
  const bytes = serialize(answer).byteLength + 2 * name.length;
  cached().set(name, { generation: under, answer, bytes });
  return answer;
}

/**
 * What `read` returns, cached for lookups of several statements that read only what the generation covers. `under` was
 * requested before.
 */
export async function cachedUnder<T extends object>(
  name: string,
  under: string | undefined,
  read: () => Promise<T>,
): Promise<T> {
  return recall<T>(name, under) ?? remember(name, under, await read());
}
