import { database } from "./database";

/**
 * Runs `work` while this process holds the advisory locks that `sql` acquires on a dedicated connection. The locks
 * therefore end with the process.
 */
export async function withLocks<T>(
  { sql, values }: { sql: string; values: string[] },
  work: () => Promise<T>,
): Promise<T> {
  const { pool } = await database();
  const client = await pool.connect();
  let isBroken = false;
  try {
    await client.query(sql, values);
    return await work();
  } finally {
    await client.query("SELECT pg_advisory_unlock_all()").catch(() => {
      isBroken = true;
    });
    client.release(isBroken);
  }
}
