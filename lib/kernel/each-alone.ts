/**
 * Does `work` for every item, one after another, whatever happens to the others. Throws an AggregateError of all
 * failures at the end.
 */
export async function forEachAlone<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} steps failed`);
}
