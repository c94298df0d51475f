import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { callCommand } from "@/lib/testing/command";
import { emptyDatabase, useTestState } from "@/lib/testing/database";
import { succeedAt, usePlaces } from "@/lib/testing/places";
import { OTHER_MAJORS, PACKAGE, PostgresServer, programsOfMajor } from "@/lib/testing/postgres-versions";
import { ask } from "@/lib/testing/superuser";
import { migrate, migrationsFolder, readMigrations } from "./migrate";

const state = useTestState({ PARQUETRY_SECRET: "" });
const { newName } = usePlaces();

const LATER = `SELECT DISTINCT part::text AS part FROM "SearchText" WHERE part::text IN ('license', 'values') ORDER BY 1`;

let backup = "";
beforeAll(async () => {
  await callCommand("key", "create", "--email", "reader@example.com");
  const file = newName();
  writeFileSync(file, "place\nNairobi\n");
  const words = ["--dataset", "d", "--table", "t", "--title", "T", "--publisher", "P", "--license", "MIT"];
  await callCommand("publish", file, ...words, "--format", "csv");
  // values that migrations added to a type later, which a transaction that adds them cannot use before PostgreSQL 17
  expect(await ask(state.databaseUrl(), LATER)).toEqual([{ part: "license" }, { part: "values" }]);
  backup = newName();
  const { code, stderr } = await callCommand("backup", backup);
  expect([code, code === 0 ? "" : stderr]).toEqual([0, ""]);
});

const all = () => readMigrations(migrationsFolder()).map(({ name }) => name);

/** What the migrations make, in words that all versions share. */
const SHAPE = `SELECT table_name || '.' || column_name AS of, udt_name AS is FROM information_schema.columns
    WHERE table_schema = current_schema()
  UNION ALL SELECT t.typname, string_agg(e.enumlabel, ',' ORDER BY e.enumsortorder) FROM pg_enum e
    JOIN pg_type t ON t.oid = e.enumtypid GROUP BY 1
  UNION ALL SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema()
  UNION ALL SELECT tgname, tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2`;

async function shapeAt(connectionString: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(SHAPE)).rows;
  } finally {
    await client.end();
  }
}

test("PostgreSQL 18, the embedded one, applies every migration one by one", async () => {
  expect(await migrate(await emptyDatabase(), migrationsFolder())).toEqual(all());
});

for (const major of OTHER_MAJORS.keys()) {
  const programs = programsOfMajor(major);
  const title = `PostgreSQL ${major} applies every migration, and takes a backup that is restored into it`;
  test.skipIf(!programs)(
    programs ? title : `skipped: needs PostgreSQL ${major}, of the system or ${PACKAGE}`,
    async () => {
      const server = await PostgresServer.start(programs ?? "");
      onTestFinished(() => server.remove());
      const databaseAt = async (name: string): Promise<string> => {
        await ask(server.url, `CREATE DATABASE ${name} TEMPLATE template0`);
        return server.url.replace("/postgres?", `/${name}?`);
      };
      const stepwise = await databaseAt("stepwise");
      expect(await migrate(stepwise, migrationsFolder())).toEqual(all());
      const place = { PARQUETRY_DATA_DIR: newName(), DATABASE_URL: await databaseAt("restored") };
      const restored = await succeedAt(place, "restore", backup, "--json");
      expect(JSON.parse(restored.stdout)).toMatchObject({ newer_migrations: [], same_secret: true });
      expect(await shapeAt(place.DATABASE_URL)).toEqual(await shapeAt(stepwise));
      expect(JSON.parse((await succeedAt(place, "key", "list", "--json")).stdout)).toHaveLength(1);
      const used = { PARQUETRY_DATA_DIR: join(newName()), DATABASE_URL: stepwise };
      mkdirSync(used.PARQUETRY_DATA_DIR);
      await succeedAt(used, "key", "create", "--email", "reader@example.com");
      const again = newName();
      await succeedAt(used, "backup", again);
      await succeedAt({ PARQUETRY_DATA_DIR: newName(), DATABASE_URL: await databaseAt("again") }, "restore", again);
    },
  );
}
