import { expect, test } from "vitest";
import { takeQuery } from "@/lib/limits/rate-limit";
import { useTestState } from "@/lib/testing/database";
import { database, lookUp } from "./database";
import { databaseFailure } from "./database-failure";

useTestState({ DATABASE_TIMEOUT_MS: "3000" });

test("a statement that takes longer than the setting allows is reported as a temporary outage", async () => {
  const error = await lookUp("slow", "SELECT pg_sleep(3600)", []).catch((thrown: unknown) => thrown);
  expect(databaseFailure(error)).toMatchObject({ status: 503, retryAfterSeconds: 5 });
});

test("counters that somebody holds are waited for as long, and no request passes uncounted", async () => {
  const { pool } = await database();
  const holding = await pool.connect();
  await holding.query('BEGIN; LOCK TABLE "Counter"');
  const counted = takeQuery("key", { minute: 9, day: 9 });
  await expect(counted).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });
  await holding.query("ROLLBACK");
  holding.release();
  expect((await takeQuery("key", { minute: 9, day: 9 })).rejectedBy).toBe(null);
});
