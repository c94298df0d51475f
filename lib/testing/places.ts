import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { callCommandAt } from "./command";
import { emptyDatabase } from "./database";

/** The data folder and database that a command uses. */
export interface Place {
  [name: string]: string;
  PARQUETRY_DATA_DIR: string;
  DATABASE_URL: string;
}

/** Gives the test file its own folder, and unused places and names in it. Call at its top. */
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

/** Runs a command at a place, and fails with its output if it fails. */
export async function succeedAt(place: Record<string, string>, ...args: string[]) {
  const done = await callCommandAt(place, ...args);
  expect([args[0], done.code, done.code === 0 ? "" : done.stderr]).toEqual([args[0], 0, ""]);
  return done;
}
