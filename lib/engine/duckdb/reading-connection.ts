import { LRUCache } from "lru-cache";
import type { Statement } from "@/lib/engine/sql/sql";
import { type Connection, type Prepared, prepareSelect, runPrepared, select, type Value } from "./duckdb";

/** About 60 KB each. */
const PREPARED_MAX = 32;

/** A connection with the statements that it has prepared. */
class PreparingConnection {
  readonly #prepared = new LRUCache<string, Prepared>({
    max: PREPARED_MAX,
    dispose: (prepared, _, reason) => {
      if (reason === "evict") prepared.destroySync();
    },
  });

  constructor(readonly connection: Connection) {}

  async select(statement: Statement, recurs: boolean): Promise<Value[][]> {
    if (!recurs) return await select(this.connection, statement);
    const prepared = this.#take(statement.sql) ?? (await prepareSelect(this.connection, statement.sql));
    try {
      const rows = await runPrepared(prepared, statement.params);
      this.#prepared.set(statement.sql, prepared);
      return rows;
    } catch (error) {
      prepared.destroySync();
      throw error;
    }
  }

  close(): void {
    for (const prepared of this.#prepared.values()) prepared.destroySync();
    this.connection.closeSync();
  }

  #take(sql: string): Prepared | undefined {
    const prepared = this.#prepared.get(sql);
    this.#prepared.delete(sql);
    return prepared;
  }
}

/**
 * The connection that one query reads with. A statement is planned with its values each time it runs, so preparing it
 * saves a plan without them and a task on another thread. One statement runs at a time.
 */
export class ReadingConnection {
  readonly #usual: PreparingConnection;
  readonly #oneScan: PreparingConnection;
  #running: Connection | undefined;

  /** `oneScan`: the connection for statements that sort in one scan. */
  constructor(connection: Connection, oneScan?: Connection) {
    this.#usual = new PreparingConnection(connection);
    this.#oneScan = oneScan ? new PreparingConnection(oneScan) : this.#usual;
  }

  /**
   * All rows of a SELECT. `recurs`: its text will be used again with other values. Not for statements that read files,
   * which would stay open as long.
   */
  async select(statement: Statement, recurs = false): Promise<Value[][]> {
    const reader = statement.inOneScan ? this.#oneScan : this.#usual;
    this.#running = reader.connection;
    try {
      return await reader.select(statement, recurs);
    } finally {
      this.#running = undefined;
    }
  }

  interrupt(): void {
    this.#running?.interrupt();
  }

  close(): void {
    this.#usual.close();
    if (this.#oneScan !== this.#usual) this.#oneScan.close();
  }
}
