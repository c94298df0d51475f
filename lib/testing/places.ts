import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { callCommandAt } from "./command";
import { emptyDatabase } from "./database";

/** Where a command works: a data folder and a database. */
export interface Place {
  [name: string]: string;
  PARQUETRY_DATA_DIR: string;
  DATABASE_URL: string;
}

/** Gives the test file a folder of its own, and places and names in it that nothing is at. Call at its top. */
export function usePlaces() {
  const folder = mkdtempSync(join(tmpdir(), "parquetry-places-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let names = 0;
  const newName = (): string => join(folder, `n${names++}`);
  const emptyPlace = async (): Promise<Place> => ({
    PARQUETRY_DATA_DIR: newName(),
    DATABASE_URL: await emptyDatabase(),
  });
  return { folder, newName, emptyPlace };
}

/** Runs a command at a place, and fails with what it said when it fails. */
export async function succeedAt(place: Record<string, string>, ...args: string[]) {
  const done = await callCommandAt(place, ...args);
  expect([args[0], done.code, done.code === 0 ? "" : done.stderr]).toEqual([args[0], 0, ""]);
  return done;
}
