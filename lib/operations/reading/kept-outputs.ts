import { LRUCache } from "lru-cache";
import { processWide } from "@/lib/kernel/process-wide";

/** Total characters of the JSON that the outputs were made from. */
const KEPT_MAX = 8 * 2 ** 20;

interface Kept {
  output: object;
  size: number;
}

const kept = () =>
  processWide(
    "kept-outputs",
    () => new LRUCache<string, Kept>({ maxSize: KEPT_MAX, sizeCalculation: ({ size }) => size }),
  );

/**
 * An output about something that does not change, made once: `name` identifies everything that it is made from, such as
 * an immutable version's id, or a generation. Callers share it, frozen, so its JSON is also written once. Access has
 * been decided before.
 */
export async function keptOutput<T extends object>(
  name: string,
  make: () => Promise<{ output: T; size: number }>,
): Promise<T> {
  const known = kept().get(name);
  if (known) return known.output as T;
  const made = await make();
  Object.freeze(made.output);
  kept().set(name, { ...made, size: made.size + name.length });
  return made.output;
}
