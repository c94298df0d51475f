import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { readSettings, type Settings } from "@/lib/kernel/env";
import { forgetAllProcessWide, forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { closeDatabase } from "@/lib/store/postgres/database";
import { flushUsage } from "@/lib/store/usage/usage-buffer";

const SECRET = "test-secret-test-secret-test-secret!";

/**
 * Gives the test file its own database and data folder in this process's settings, which `database()` and `env()` then
 * use. Call at the top of a test file; `overrides` changes further settings.
 */
export function useTestState(overrides: Readonly<Record<string, string>> = {}): {
  settings(): Settings;
  databaseUrl(): string;
  dataDir(): string;
} {
  let url = "";
  let dataDir = "";
  beforeAll(async () => {
    url = await migratedDatabase();
    dataDir = mkdtempSync(join(tmpdir(), "parquetry-data-"));
    // also for processes that the test starts without this setting
    if (overrides.PARQUETRY_SECRET === undefined) writeFileSync(join(dataDir, "secret"), SECRET, { mode: 0o600 });
    forgetAllProcessWide(); // what the previous file left running may have opened something by now
    const variables = {
      DATABASE_URL: url,
      PARQUETRY_DATA_DIR: dataDir,
      PARQUETRY_SECRET: SECRET,
      PARQUETRY_LOG_LEVEL: "silent",
      DATABASE_TIMEOUT_MS: "60000", // a busy machine responds late, and no test asserts a duration
      ...overrides,
    };
    processWide("settings", () => readSettings(variables));
  });
  afterAll(async () => {
    // otherwise it would be written a second later without a test's settings, to a database in this folder
    await flushUsage().catch(() => forgetProcessWide("usage-buffer"));
    await closeDatabase();
    forgetProcessWide("settings");
    rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    settings: () => readSettings({ DATABASE_URL: url, PARQUETRY_DATA_DIR: dataDir, ...overrides }),
    databaseUrl: () => url,
    dataDir: () => dataDir,
  };
}

/** A fresh copy of the migrated template, on the server of the test run; returns its URL. */
export function migratedDatabase(): Promise<string> {
  const templateUrl = inject("postgresUrl");
  return createDatabase(templateUrl, new URL(templateUrl).pathname.slice(1));
}

/** An empty database on the server of the test run; returns its URL. */
export const emptyDatabase = (): Promise<string> => createDatabase(inject("postgresUrl"), "template0");

async function createDatabase(serverUrl: string, template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const admin = new URL(serverUrl);
  admin.pathname = "/postgres";
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  } finally {
    await client.end();
  }
  admin.pathname = `/${name}`;
  return admin.href;
}
