const STORE = Symbol.for("parquetry.process-wide");

type Store = Map<string, unknown>;

/**
 * One value per process, created by the first caller, although Next bundles several copies of every module. A promise
 * that rejects is discarded, so that the next caller tries again.
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

/** Discards a value, for shutdown and for tests that need a fresh one. */
export function forgetProcessWide(name: string): void {
  (globalThis as unknown as Record<symbol, Store | undefined>)[STORE]?.delete(name);
}

/** Discards all values, between tests that share a process. */
export function forgetAllProcessWide(): void {
  Reflect.deleteProperty(globalThis, STORE);
}
