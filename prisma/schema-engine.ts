import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import { PrismaPGlite } from "pglite-prisma-adapter";

export const SCHEMA = join(import.meta.dirname, "schema.prisma");
export const MIGRATIONS = join(import.meta.dirname, "migrations");

interface SchemaEngine {
  applyMigrations(input: object): Promise<unknown>;
  diff(input: object): Promise<{ exitCode: number; stdout: string | null }>;
}

const filters = { externalTables: [], externalEnums: [] };

/**
 * The SQL that takes a database with all migrations applied to what schema.prisma says; empty when nothing is missing.
 * Runs Prisma's schema engine as WebAssembly over an in-memory PostgreSQL: no engine binary, no server.
 */
export async function pendingSql(): Promise<string> {
  const files = [{ path: SCHEMA, content: readFileSync(SCHEMA, "utf8") }];
  const engine = await newEngine(files);
  await engine.applyMigrations({ migrationsList: migrationsList(), filters });
  const diff = await engine.diff({
    from: { tag: "schemaDatasource", files, configDir: dirname(SCHEMA) },
    to: { tag: "schemaDatamodel", files },
    script: true,
    exitCode: true,
    filters,
  });
  return diff.exitCode === 0 ? "" : (diff.stdout ?? "");
}

async function newEngine(files: readonly { path: string; content: string }[]): Promise<SchemaEngine> {
  const folder = dirname(createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm"));
  const glue = await import(pathToFileURL(join(folder, "schema_engine_bg.js")).href);
  const { instance } = await WebAssembly.instantiate(readFileSync(join(folder, "schema_engine_bg.wasm")), {
    "./schema_engine_bg.js": glue,
  });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  const pglite = new PGlite("memory://", { extensions: { pg_trgm } });
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPGlite(pglite));
  return glue.SchemaEngine.new({ datamodels: files.map(({ path, content }) => [path, content]) }, () => {}, adapter);
}

function migrationsList(): object {
  const lock = join(MIGRATIONS, "migration_lock.toml");
  const names = existsSync(MIGRATIONS)
    ? readdirSync(MIGRATIONS, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
        .sort()
    : [];
  const content = (name: string) => ({
    tag: "ok",
    value: readFileSync(join(MIGRATIONS, name, "migration.sql"), "utf8"),
  });
  return {
    baseDir: MIGRATIONS,
    lockfile: { path: "migration_lock.toml", content: existsSync(lock) ? readFileSync(lock, "utf8") : null },
    shadowDbInitScript: "",
    migrationDirectories: names.map((path) => ({
      path,
      migrationFile: { path: "migration.sql", content: content(path) },
    })),
  };
}
