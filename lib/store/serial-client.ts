import pg from "pg";

type Query = (...args: unknown[]) => unknown;

/**
 * A connection that sends a statement once the previous one has ended. Prisma reads the relations of one query at the
 * same time, inside a transaction too, where there is one connection; the driver is giving up queueing them itself.
 */
export class SerialClient extends pg.Client {
  #last: Promise<unknown> = Promise.resolve();

  override query = ((...args: unknown[]): unknown => {
    const send = (): unknown => (pg.Client.prototype.query as Query).apply(this, args);
    if (!returnsPromise(args)) return send();
    const result = this.#last.then(send);
    this.#last = result.catch(() => undefined);
    return result;
  }) as pg.Client["query"];
}

/** Other forms are of the pool, for a connection that nobody else has, and of streams. */
const returnsPromise = ([query, ...more]: readonly unknown[]): boolean =>
  typeof more.at(-1) !== "function" && !(typeof query === "object" && query !== null && "submit" in query);
