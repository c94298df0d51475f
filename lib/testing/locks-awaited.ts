import { expect } from "vitest";
import { database } from "@/lib/store/postgres/database";

const AWAITED =
  "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

/** Resolves once `count` connections to the test's database wait for a lock held by another one. */
export async function untilLocksAwaited(count: number): Promise<void> {
  const { pool } = await database();
  await expect.poll(async () => (await pool.query<{ n: number }>(AWAITED)).rows[0]?.n).toBe(count);
}
