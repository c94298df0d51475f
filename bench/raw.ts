import { cpus } from "node:os";
import { DuckDBBlobValue, type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";

/**
 * DuckDB in this process as a developer would use it: default settings, with the service's number of threads and
 * memory.
 */
export class RawDuckDb {
  private constructor(private readonly connection: DuckDBConnection) {}

  static async open(): Promise<RawDuckDb> {
    const instance = await DuckDBInstance.create(":memory:", {
      threads: String(cpus().length),
      memory_limit: "2048MiB",
    });
    const connection = await instance.connect();
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    return new RawDuckDb(connection);
  }

  /** Attaches a read copy that the service also has open, read-only. */
  async attach(path: string, alias: string): Promise<void> {
    await this.connection.run(`ATTACH '${path}' AS ${alias} (READ_ONLY)`);
  }

  /** The rows as JSON text, via JavaScript objects. */
  async json(sql: string): Promise<string> {
    return JSON.stringify(await this.rows(sql));
  }

  /** The rows as JSON text produced by DuckDB itself, as bytes. */
  async jsonInSql(sql: string): Promise<Uint8Array> {
    const reader = await this.connection.runAndReadAll(
      `SELECT encode(string_agg(to_json(q)::VARCHAR, ',')) FROM (${sql}) q`,
    );
    const value = reader.getRows()[0]?.[0];
    return value instanceof DuckDBBlobValue ? value.bytes : new Uint8Array();
  }

  async rows(sql: string): Promise<Record<string, unknown>[]> {
    return (await this.connection.runAndReadAll(sql)).getRowObjectsJson() as Record<string, unknown>[];
  }
}
