import { expect, test } from "vitest";
import { database } from "@/lib/store/database";
import { withBlobsLock } from "@/lib/store/versions";
import { useTestState } from "@/lib/testing/database";
import { startUpkeep } from "./upkeep";

useTestState();

/** Of this database: other tests have theirs on the same server. */
const WAITING = `SELECT 1 FROM pg_locks WHERE NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

test("stopping waits for the round in progress, which would open the database again after it was closed", async () => {
  const { pool } = await database();
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = withBlobsLock(() => {
    held.resolve();
    return released.promise;
  });
  await held.promise;
  const errors: unknown[] = [];
  const stop = startUpkeep((error) => errors.push(error), 1);
  const waiting = async () => (await pool.query(WAITING)).rowCount;
  await expect.poll(waiting).toBe(1);
  let isStopped = false;
  const stopping = stop(new Promise(() => undefined)).then(() => {
    isStopped = true;
  });
  expect([await waiting(), isStopped]).toEqual([1, false]);
  released.resolve();
  await Promise.all([holding, stopping]);
  expect([await waiting(), isStopped, errors]).toEqual([0, true, []]);
});
