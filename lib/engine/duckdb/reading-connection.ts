import { LRUCache } from "lru-cache";
import type { Statement } from "@/lib/engine/sql/sql";
import { type Connection, type Prepared, prepareSelect, runPrepared, select, type Value } from "./duckdb";

/** About 60 KB each. */
const PREPARED_MAX = 32;

/**
 * A connection with the statements that it has prepared before. A statement is planned with its values each time it
 * runs, so what is saved is a plan without them, and a turn of a thread. One statement runs at a time.
 */
export class ReadingConnection {
  readonly #prepared = new LRUCache<string, Prepared>({
    max: PREPARED_MAX,
    dispose: (prepared, _, reason) => {
      if (reason === "evict") prepared.destroySync();
    },
  });

  constructor(private readonly connection: Connection) {}

  /**
   * All rows of a SELECT. `recurs`: its text comes again with other values. Not for statements that read files, which
   * would stay open as long.
   */
  async select(statement: Statement, recurs = false): Promise<Value[][]> {
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

  interrupt(): void {
    this.connection.interrupt();
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
