import pg from "pg";
import { Admission } from "@/lib/kernel/admission";
import { type CallerAtWork, callerAtWork } from "@/lib/kernel/caller";
import { begin, observe, timed } from "@/lib/kernel/telemetry";

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** Connections that callers leave to the service itself, and to those that hold one and need another to go on. */
const LEFT = 4;
/** Statements of one caller at the same time. */
const EACH_MAX = 4;

/**
 * A pool whose connections are given out by caller: hundreds of requests of one keep nobody else waiting. The service
 * itself does not wait for them, nor does a request that holds a connection already, as it could never return it.
 */
export class FairPool extends pg.Pool {
  readonly #turns: Admission;
  readonly #leave = new WeakMap<pg.PoolClient, () => void>();

  constructor(config: pg.PoolConfig & { max: number; connectionTimeoutMillis: number }) {
    super({ ...config, Client: SerialClient });
    const slots = Math.max(1, config.max - LEFT);
    this.#turns = new Admission({ slots, queueMs: config.connectionTimeoutMillis, eachMax: EACH_MAX });
    observe("connections", () => [
      [this.totalCount - this.idleCount, { state: "used" }],
      [this.idleCount, { state: "idle" }],
    ]);
    this.on("release", (_error, client) => {
      this.#leave.get(client)?.();
      this.#leave.delete(client);
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const connecting = timed("connectionWaits", {}, () => this.#connect(callerAtWork()));
    if (!callback) return connecting;
    connecting.then(
      (client) => callback(undefined, client, (reason) => client.release(reason as Error | undefined)),
      (error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  async #connect(caller: CallerAtWork | undefined): Promise<pg.PoolClient> {
    if (!caller || caller.hasTurn || caller.connections.held > 0) return super.connect();
    const leave = await this.#turns.enter(caller.subject);
    try {
      const client = await super.connect();
      caller.connections.held += 1;
      this.#leave.set(client, () => {
        caller.connections.held -= 1;
        leave();
      });
      return client;
    } catch (error) {
      leave();
      throw error;
    }
  }
}

type Query = (...args: readonly unknown[]) => unknown;

/**
 * A connection that sends a statement once the previous one has ended. Prisma reads the relations of one query at the
 * same time, inside a transaction too, where there is one connection; the driver is giving up queueing them itself.
 */
class SerialClient extends pg.Client {
  #last: Promise<unknown> = Promise.resolve();

  override query = ((...args: unknown[]): unknown => {
    const send = (): unknown =>
      timedStatement(args, (all) => (pg.Client.prototype.query as Query).apply(this, [...all]));
    if (!returnsPromise(args)) return send();
    const result = this.#last.then(send);
    this.#last = result.catch(() => undefined);
    return result;
  }) as pg.Client["query"];
}

/** Sends a statement, and measures it until it is answered, by callback or promise. */
function timedStatement(args: readonly unknown[], send: (args: readonly unknown[]) => unknown): unknown {
  const end = begin("statements", {}, "database");
  if (!end) return send(args);
  const callback = args.at(-1);
  if (typeof callback === "function")
    return send([
      ...args.slice(0, -1),
      (error: unknown, ...result: unknown[]) => {
        end(error);
        callback(error, ...result);
      },
    ]);
  const result = send(args);
  if (result instanceof Promise)
    result.then(
      () => end(),
      (error) => end(error),
    );
  return result;
}

/** Other forms are of the pool, for a connection that nobody else has, and of streams. */
const returnsPromise = ([query, ...more]: readonly unknown[]): boolean =>
  typeof more.at(-1) !== "function" && !(typeof query === "object" && query !== null && "submit" in query);
