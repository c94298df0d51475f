import { LRUCache } from "lru-cache";
import { processWide } from "@/lib/kernel/process-wide";

/** Total characters of the JSON that the outputs were made from. */
const KEPT_MAX = 8 * 2 ** 20;

interface CachedOutput {
  output: object;
  size: number;
}

const cachedOutputs = () =>
  processWide(
    "cached-outputs",
    () => new LRUCache<string, CachedOutput>({ maxSize: KEPT_MAX, sizeCalculation: ({ size }) => size }),
  );

/**
 * An output about something that does not change, made once: `name` identifies everything that it is made from, such as
 * an immutable version's id, or a generation. Callers share it, frozen, so its JSON is also written once. Access has
 * been decided before.
 */
export async function cachedOutput<T extends object>(
  name: string,
  make: () => Promise<{ output: T; size: number }>,
): Promise<T> {
  const known = cachedOutputs().get(name);
  if (known) return known.output as T;
  const made = await make();
  Object.freeze(made.output);
  cachedOutputs().set(name, { ...made, size: made.size + name.length });
  return made.output;
}
