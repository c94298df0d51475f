const STORE = Symbol.for("parquetry.process-wide");

type Store = Map<string, unknown>;

/**
 * One value a process, though Next bundles several copies of every module: the first caller makes it.
 * A promise that rejects is forgotten, so that the next caller tries again.
 */
export function processWide<T>(name: string, make: () => T): T {
  const holder = globalThis as unknown as Record<symbol, Store | undefined>;
  holder[STORE] ??= new Map();
  const store = holder[STORE];
  if (store.has(name)) return store.get(name) as T;
  const value = make();
  store.set(name, value);
  if (value instanceof Promise) value.catch(() => store.delete(name));
  return value;
}

/** Forgets a value, for shutdown and for tests that start afresh. */
export function forgetProcessWide(name: string): void {
  (globalThis as unknown as Record<symbol, Store | undefined>)[STORE]?.delete(name);
}
