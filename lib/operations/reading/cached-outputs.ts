import { processCache } from "@/lib/kernel/cache";

/** Total characters of the JSON that the outputs were made from. */
const CACHED_CHARACTERS_MAX = 8 * 2 ** 20;

interface CachedOutput {
  output: object;
  size: number;
}

const cachedOutputs = () =>
  processCache<CachedOutput>("outputs", {
    capacity: CACHED_CHARACTERS_MAX,
    sizeOf: ({ size }, name) => size + name.length,
  });

/**
 * An output about something that does not change, made once: `name` identifies everything that it is made from, such as
 * an immutable version's id, or a generation. Callers share it, frozen, so its JSON is also written once. Access has
 * been decided before.
 */
export async function cachedOutput<T extends object>(
  name: string,
  build: () => Promise<{ output: T; size: number }>,
): Promise<T> {
  const known = cachedOutputs().find(name);
  if (known) return known.output as T;
  const built = await build();
  Object.freeze(built.output);
  cachedOutputs().store(name, built);
  return built.output;
}
