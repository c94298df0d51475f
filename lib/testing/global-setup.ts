import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { compiledProgram } from "@/lib/start/programs";
import { digestSources } from "@/lib/start/sources";
import { openEmbeddedPostgres } from "@/lib/store/postgres/embedded-postgres";
import { migrate } from "@/lib/store/postgres/migrate";
import { ask, superuserUrl } from "./superuser";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

/**
 * One real PostgreSQL per test run. Each test file that needs it gets a clone of the migrated template (database.ts).
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // once, rather than in the first test that calls it
  await compiledProgram(process.cwd(), "command-line", digestSources(process.cwd()).program);
  const folder = mkdtempSync(join(tmpdir(), "parquetry-test-"));
  chmodSync(folder, 0o755);
  const server = await openEmbeddedPostgres(join(folder, "postgres"), false);
  // a database per test file, in each of which PostgreSQL would look for what to clean up, several times a second
  for (const sql of ["ALTER ROLE parquetry CREATEDB", "ALTER SYSTEM SET autovacuum = off", "SELECT pg_reload_conf()"])
    await ask(superuserUrl(join(folder, "postgres"), "postgres"), sql);
  await migrate(server.url, join(process.cwd(), "prisma", "migrations"));
  project.provide("postgresUrl", server.url);
  return async () => {
    await server.release();
    rmSync(folder, { recursive: true, force: true });
  };
}
