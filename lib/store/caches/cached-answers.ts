import { serialize } from "node:v8";
import { processCache } from "@/lib/kernel/cache";

const CACHED_BYTES_MAX = 48 * 2 ** 20;
const cached = () =>
  processCache<object>("answers", {
    capacity: CACHED_BYTES_MAX,
    sizeOf: (answer, name) => serialize(answer).byteLength + 2 * name.length,
  });

/** The answer remembered under this generation; undefined without one. */
export function recall<T extends object>(name: string, under: string | undefined): T | undefined {
  return under === undefined ? undefined : (cached().find(name, under) as T | undefined);
}

/** Remembers an answer that was read after this generation was requested. Callers share it. */
export function remember<T extends object>(name: string, under: string | undefined, answer: T): T {
  if (under !== undefined) cached().store(name, answer, under);
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
