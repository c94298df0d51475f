import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import type { BackupManifest } from "@/lib/schemas/backup";
import { listObjects } from "@/lib/store/postgres/load";
import { migrate, migrationsFolder } from "@/lib/store/postgres/migrate";
import { callCommand, callCommandAt } from "@/lib/testing/command";
import { useTestState } from "@/lib/testing/database";
import { type Place, succeedAt, usePlaces } from "@/lib/testing/places";
import { readManifest, writeManifest } from "./manifest";

const state = useTestState({ PARQUETRY_SECRET: "" });
const { folder, newName, emptyPlace } = usePlaces();
const here = (): Place => ({ PARQUETRY_DATA_DIR: state.dataDir(), DATABASE_URL: state.databaseUrl() });
const json = async (args: string[], place: Record<string, string>) =>
  JSON.parse((await succeedAt(place, ...args, "--json")).stdout);

async function ask<R extends object>({ DATABASE_URL }: Place, sql: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}

const databaseOf = ({ DATABASE_URL }: Place) => new URL(DATABASE_URL).pathname.slice(1);
const COUNTERS = 30_000;

const SHAPE = `
  SELECT 'constraint', conrelid::regclass::text, conname::text, pg_get_constraintdef(oid), convalidated::text FROM
    pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT 'index', tablename, indexname, indexdef, '' FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT 'trigger', tgrelid::regclass::text, tgname::text, pg_get_triggerdef(oid), tgenabled::text FROM
    pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2, 3`;

let backup = "";
beforeAll(async () => {
  const file = join(folder, "rows.csv");
  writeFileSync(file, "id\n1\n2\n");
  const words = ["--dataset", "d", "--table", "t", "--title", "T", "--publisher", "P", "--license", "MIT"];
  await callCommand("publish", file, ...words);
  await ask(
    here(),
    `INSERT INTO "Counter" SELECT md5(i::text) || md5((i + 1)::text), 'x', now(), i FROM generate_series(1, ${COUNTERS}) i`,
  );
  await callCommand("key", "create", "--email", "reader@example.com");
  backup = newName();
  await callCommand("backup", backup);
});

/** The same backup with a different manifest. */
async function altered(change: (manifest: BackupManifest) => void): Promise<string> {
  const copy = newName();
  cpSync(backup, copy, { recursive: true });
  const manifest = await readManifest(copy);
  change(manifest);
  await writeManifest(copy, manifest);
  return copy;
}

describe("a restore requires an empty target", () => {
  test.each<[string, (place: Place) => Promise<unknown> | unknown, RegExp]>([
    [
      "a data folder with a file",
      ({ PARQUETRY_DATA_DIR }) => [mkdirSync(PARQUETRY_DATA_DIR), writeFileSync(join(PARQUETRY_DATA_DIR, "x"), "x")],
      /is not empty; it contains x\./,
    ],
    [
      "a database with a table",
      (place) => ask(place, "CREATE TABLE mine (id int)"),
      /database of DATABASE_URL is not empty; it contains table mine\./,
    ],
    [
      "a database that a service has opened",
      ({ DATABASE_URL }) => migrate(DATABASE_URL, migrationsFolder()),
      /and \d+ more/,
    ],
    ["a database with a type", (place) => ask(place, `CREATE TYPE "Plan" AS ENUM ('a')`), /type Plan/],
  ])("%s is rejected and left unchanged", async (_name, occupy, message) => {
    const place = await emptyPlace();
    await occupy(place);
    const before = [
      existsSync(place.PARQUETRY_DATA_DIR) && readdirSync(place.PARQUETRY_DATA_DIR),
      await listObjects(place.DATABASE_URL),
    ];
    expect(await callCommandAt(place, ...["restore", backup])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(message),
    });
    expect([
      existsSync(place.PARQUETRY_DATA_DIR) && readdirSync(place.PARQUETRY_DATA_DIR),
      await listObjects(place.DATABASE_URL),
    ]).toEqual(before);
  });

  test("maintenance mode may be on already, and remains on", async () => {
    const place = await emptyPlace();
    await succeedAt({ PARQUETRY_DATA_DIR: place.PARQUETRY_DATA_DIR }, "maintenance", "on");
    await succeedAt(place, "restore", backup);
    expect(readdirSync(place.PARQUETRY_DATA_DIR).sort()).toEqual(["blobs", "maintenance.json", "secret"]);
  });
});

test("maintenance mode and unfinished uploads of the time of the backup are not restored", async () => {
  await ask(here(), `INSERT INTO "Maintenance" VALUES (1, 'Back at noon.', 60, now())`);
  await ask(
    here(),
    `INSERT INTO "UnfinishedUpload"
       (id, "workspaceId", digest, "totalBytes", name, "fileName", "storedBytes", parts, "changedAt")
     SELECT gen_random_uuid(), id, 'd', 2, 'n', '', 1, '{1}', now() FROM "Workspace"`,
  );
  const [made, place] = [newName(), await emptyPlace()];
  try {
    await succeedAt(here(), "backup", made);
    await succeedAt(place, "restore", made);
    expect(await ask(here(), `SELECT FROM "UnfinishedUpload"`)).toHaveLength(1);
    expect(await ask(place, `SELECT FROM "UnfinishedUpload"`)).toEqual([]);
    expect(await json(["maintenance", "status"], place)).toEqual({ state: "off" });
  } finally {
    await ask(here(), `DELETE FROM "Maintenance"`);
  }
});

test("a folder that is not a backup, or an unfinished one, is rejected", async () => {
  const place = await emptyPlace();
  const half = `${newName()}.unfinished-1-ab`;
  mkdirSync(half);
  for (const [path, message] of [
    [newName(), /is not a backup: manifest\.json is missing/],
    [half, /is not a backup: manifest\.json is missing\. It was never completed/],
    [
      await altered((manifest) => Object.assign(manifest, { format: "parquetry-backup.v9" })),
      /Unsupported backup format parquetry-backup\.v9 \(expected parquetry-backup\.v1\)/,
    ],
    [
      await altered((manifest) =>
        Object.assign(manifest, { blobs: [{ file: "blobs/../../x", bytes: 1, sha256: "a".repeat(64) }] }),
      ),
      /manifest is not valid/,
    ],
    [
      await altered(({ migrations }) => migrations.push({ name: "29990101000000_later", checksum: "a".repeat(64) })),
      /migration 29990101000000_later.*Update this service first/,
    ],
    [
      await altered(({ migrations }) => Object.assign(migrations[0] ?? {}, { checksum: "a".repeat(64) })),
      /_init\)\. Update this service first/,
    ],
  ] as const)
    expect(await callCommandAt(place, ...["restore", path])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(message),
    });
  expect(existsSync(place.PARQUETRY_DATA_DIR)).toBe(false);
});

test("constraints, indexes and triggers are restored and active", async () => {
  const place = await emptyPlace();
  await succeedAt(place, "restore", backup);
  expect(await ask(place, SHAPE)).toEqual(await ask(here(), SHAPE));
  await expect(ask(place, `UPDATE "Version" SET rows = rows + 1`)).rejects.toThrow(/immutable/);
  await expect(ask(place, `DELETE FROM "AuditEvent"`)).rejects.toThrow(/only ever added to/);
  await expect(ask(place, `INSERT INTO "Connection" VALUES (gen_random_uuid(), gen_random_uuid())`)).rejects.toThrow(
    /foreign key/,
  );
});

test("inconsistent rows or counts leave the database empty", async () => {
  const dataset = await altered(({ tables }) => {
    const [a, b] = ["Dataset", "Publisher"].map((name) => tables.find((table) => table.name === name));
    if (a && b) Object.assign(b, { columns: ["id", "slug", "name"], rows: a.rows });
  });
  const counted = await altered(({ tables }) => {
    for (const table of tables) if (table.name === "Counter") table.rows -= 1;
  });
  for (const [path, message] of [
    [dataset, /extra data after last expected column/],
    [counted, new RegExp(`Table Counter has ${COUNTERS} rows after loading, but the backup says ${COUNTERS - 1}`)],
  ] as const) {
    const place = await emptyPlace();
    expect(await callCommandAt(place, ...["restore", path])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(message),
    });
    expect(await listObjects(place.DATABASE_URL)).toEqual([]);
    expect(existsSync(join(place.PARQUETRY_DATA_DIR, "restore-unfinished"))).toBe(true);
  }
});

describe("a restore that is killed", () => {
  const start = (place: Place): { child: ChildProcess; ended: Promise<unknown> } => {
    const env = { NODE_ENV: "test" as const, PATH: "/usr/bin:/bin", ...place };
    const child = spawn(process.execPath, ["lib/start/command-line.ts", "restore", backup], {
      env,
      stdio: "ignore",
    });
    return { child, ended: new Promise((resolve) => child.once("close", resolve)) };
  };

  /** Whether the restore is copying rows. */
  const isCopying = async (place: Place) =>
    (await ask(here(), `SELECT FROM pg_stat_activity WHERE query LIKE 'COPY%' AND datname = '${databaseOf(place)}'`))
      .length > 0;

  const MOMENTS: readonly ((place: Place) => Promise<boolean>)[] = [async () => true, isCopying];

  /** Starts a restore and kills it once its marker exists and `isNow` holds. Starts over if it ended before that. */
  async function killAt(place: Place, isNow: (place: Place) => Promise<boolean>): Promise<void> {
    const marker = join(place.PARQUETRY_DATA_DIR, "restore-unfinished");
    const { child, ended } = start(place);
    const isMarked = () => existsSync(marker) && readFileSync(marker, "utf8") !== "";
    await expect.poll(() => isMarked() || child.exitCode !== null, { interval: 5 }).toBe(true);
    while (child.exitCode === null && !(await isNow(place)));
    child.kill("SIGKILL");
    await ended;
    if (existsSync(marker)) return;
    rmSync(place.PARQUETRY_DATA_DIR, { recursive: true });
    await killAt(Object.assign(place, await emptyPlace()), isNow);
  }

  test("is recognised: service, backup and restore reject the folder until it is emptied", async () => {
    const place = await emptyPlace();
    for (const isNow of MOMENTS) {
      await killAt(place, isNow);
      const marker = join(place.PARQUETRY_DATA_DIR, "restore-unfinished");
      expect(JSON.parse(readFileSync(marker, "utf8"))).toMatchObject({ from: backup });
      for (const args of [
        ["key", "list"],
        ["backup", newName()],
        ["restore", backup],
      ])
        expect(await callCommandAt(place, ...args)).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/in progress or was interrupted/),
        });
      // the server has noticed
      await expect.poll(() => listObjects(place.DATABASE_URL)).toEqual([]);
      rmSync(place.PARQUETRY_DATA_DIR, { recursive: true });
    }
    expect(await json(["restore", backup], place)).toMatchObject({ rows: expect.any(Number), same_secret: true });
    expect(existsSync(join(place.PARQUETRY_DATA_DIR, "restore-unfinished"))).toBe(false);
    expect(await ask(place, `SELECT count(*)::int AS n FROM "Counter"`)).toEqual([{ n: COUNTERS }]);
  });
});

describe("a backup of an older service", () => {
  test("is restored without migrating first; newer migrations run after the rows", async () => {
    const old = await emptyPlace();
    const first = newName();
    mkdirSync(first);
    cpSync(join(migrationsFolder(), "20261120000000_init"), join(first, "20261120000000_init"), { recursive: true });
    await migrate(old.DATABASE_URL, first);
    await ask(old, `INSERT INTO "User" (id, email) VALUES (gen_random_uuid(), 'old@example.com')`);
    mkdirSync(old.PARQUETRY_DATA_DIR);
    const older = newName();
    await succeedAt(old, "backup", older);
    expect((await readManifest(older)).migrations.map(({ name }) => name)).toEqual(["20261120000000_init"]);
    expect(await ask(old, `SELECT migration_name FROM _prisma_migrations`)).toHaveLength(1);
    const place = await emptyPlace();
    const { newer_migrations } = await json(["restore", older], place);
    expect(newer_migrations).toEqual(
      readdirSync(migrationsFolder()).filter((name) => /^\d+_/.test(name) && !name.endsWith("_init")),
    );
    expect(await ask(place, `SELECT email, "disabledAt" FROM "User"`)).toEqual([
      { email: "old@example.com", disabledAt: null },
    ]);
    expect(await listObjects(place.DATABASE_URL)).toEqual(await listObjects(state.databaseUrl()));
  });
});

test("every type of value is restored unchanged, whatever the server's settings", async () => {
  const from = await emptyPlace();
  await migrate(from.DATABASE_URL, migrationsFolder());
  const name = databaseOf(from);
  await ask(from, `ALTER DATABASE ${name} SET "DateStyle" = 'German, DMY'`);
  await ask(from, `ALTER DATABASE ${name} SET extra_float_digits = 0`);
  await ask(from, `ALTER DATABASE ${name} SET statement_timeout = 1000`);
  await ask(from, `ALTER DATABASE ${name} SET "TimeZone" = 'Asia/Kathmandu'`);
  const odd = String.raw`E'tab\t line\n back\\slash \\. \\N null é 🚀 "quoted" ''single'''`;
  await ask(
    from,
    `INSERT INTO "AuditEvent" (id, action, actor, details, at) VALUES (gen_random_uuid(), ${odd}, '', ` +
      `jsonb_build_object('x', ${odd}, 'n', 0.1::float8), '0044-03-15 12:00:00.123456 BC')`,
  );
  await ask(
    from,
    `INSERT INTO "AuditEvent" (id, action, actor, details) VALUES (gen_random_uuid(), '', '', '9007199254740993')`,
  );
  await ask(from, `INSERT INTO "Publisher" (id, slug, name) VALUES (gen_random_uuid(), '', ${odd})`);
  await ask(
    from,
    `INSERT INTO "Dataset" (id, slug, title, summary, description, "publisherId", topics, license, sources) ` +
      `SELECT gen_random_uuid(), 'd', '', '', '', id, ARRAY['a,b', '"', ${odd}, NULL, ''], '', '[]' FROM ` +
      `"Publisher"`,
  );
  await ask(
    from,
    `INSERT INTO "OneTimeToken" (hash, purpose, email, "expiresAt") VALUES (decode('00ff5c0a', 'hex'), ` +
      "'sign_in', '', 'infinity')",
  );
  await ask(
    from,
    `INSERT INTO "Usage" (day, "workspaceId", "keyId", "tableId", bytes) VALUES ('2026-02-01', ` +
      "gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 9223372036854775807)",
  );
  const all = `SELECT (SELECT jsonb_agg(to_jsonb(x)) FROM "AuditEvent" x WHERE action <> 'service.restored') AS a,
    (SELECT jsonb_agg(to_jsonb(x)) FROM "Dataset" x) AS d,
    (SELECT jsonb_agg(to_jsonb(x)) FROM "OneTimeToken" x) AS o, (SELECT jsonb_agg(to_jsonb(x)) FROM "Usage" x) AS u`;
  mkdirSync(from.PARQUETRY_DATA_DIR);
  const made = newName();
  await succeedAt(from, "backup", made);
  const to = await emptyPlace();
  await succeedAt(to, "restore", made);
  await ask(from, `ALTER DATABASE ${name} RESET ALL`);
  expect(await ask(to, all)).toEqual(await ask(from, all));
});
