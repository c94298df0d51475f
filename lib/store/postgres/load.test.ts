import { Readable } from "node:stream";
import pg from "pg";
import { beforeEach, expect, test } from "vitest";
import { emptyDatabase } from "@/lib/testing/database";
import { type Load, listObjects, loadDatabase } from "./load";
import { migrate, migrationsFolder, readMigrations } from "./migrate";

const SCHEMA = `
  CREATE TABLE parent (id bigserial PRIMARY KEY, doubled bigint GENERATED ALWAYS AS (id * 2) STORED, favourite bigint,
    stamped text);
  CREATE TABLE child (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, parent bigint NOT NULL REFERENCES parent ON
    DELETE CASCADE DEFERRABLE INITIALLY DEFERRED);
  ALTER TABLE parent ADD FOREIGN KEY (favourite) REFERENCES child;
  INSERT INTO parent (stamped) VALUES ('of the migration');
  CREATE FUNCTION stamp() RETURNS trigger AS $$ BEGIN NEW.stamped := 'stamped'; RETURN NEW; END $$ LANGUAGE plpgsql;
  CREATE TRIGGER stamp BEFORE INSERT ON parent FOR EACH ROW EXECUTE FUNCTION stamp();`;

const migrations = [{ name: "1_schema", checksum: "a".repeat(64), sql: SCHEMA }];
const ROWS: Record<string, string> = { parent: "7\t70\tas it was\n8\t\\N\t\\N\n", child: "70\t7\n71\t8\n" };
const tables = [
  { name: "parent", columns: ["id", "favourite", "stamped"], rows: 2 },
  { name: "child", columns: ["id", "parent"], rows: 2 },
];
const sequences = [
  { name: "parent_id_seq", value: "8" },
  { name: "child_id_seq", value: "71" },
];

let url = "";
beforeEach(async () => {
  url = await emptyDatabase();
});

const load = (changes: Partial<Load> = {}, rows = ROWS) =>
  loadDatabase(
    url,
    { migrations, tables, sequences, rowsOf: ({ name }) => Readable.from([Buffer.from(rows[name] ?? "")]), ...changes },
    () => undefined,
  );

async function ask(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test(
  "rows that refer to each other in a circle come in as they were, in place of what migrations put there, past " +
    "triggers and computed columns",
  async () => {
    await load();
    expect(await ask("SELECT id::int, doubled::int, favourite::int, stamped FROM parent ORDER BY id")).toEqual([
      { id: 7, doubled: 14, favourite: 70, stamped: "as it was" },
      { id: 8, doubled: 16, favourite: null, stamped: null },
    ]);
  },
);

test("afterwards sequences continue, triggers fire, and foreign keys hold as they were declared", async () => {
  await load();
  expect(await ask("INSERT INTO parent DEFAULT VALUES RETURNING id::int, stamped")).toEqual([
    { id: 9, stamped: "stamped" },
  ]);
  expect(await ask("INSERT INTO child (parent) VALUES (9) RETURNING id::int")).toEqual([{ id: 72 }]);
  await expect(ask("INSERT INTO child (parent) VALUES (99)")).rejects.toThrow(/foreign key/);
  const declared = await ask(
    "SELECT pg_get_constraintdef(oid) AS is, convalidated FROM pg_constraint WHERE contype = 'f' ORDER BY 1",
  );
  expect(declared).toEqual([
    { is: "FOREIGN KEY (favourite) REFERENCES child(id)", convalidated: true },
    {
      is: "FOREIGN KEY (parent) REFERENCES parent(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED",
      convalidated: true,
    },
  ]);
});

test.each<[string, () => Promise<void>, RegExp]>([
  ["a row that refers to nothing", () => load({}, { ...ROWS, child: "70\t7\n71\t99\n" }), /foreign key/],
  ["a row twice", () => load({}, { ...ROWS, child: "70\t7\n70\t8\n" }), /duplicate key/],
  [
    "a count that is not so",
    () => load({ tables: tables.map((table) => ({ ...table, rows: 3 })) }),
    /has 2 rows after loading, but the backup says 3/,
  ],
  [
    "rows that break off",
    () =>
      load({
        rowsOf: () =>
          new Readable({
            read: function () {
              this.destroy(new Error("torn"));
            },
          }),
      }),
    /torn|COPY/,
  ],
  [
    "a table that the migrations do not make",
    () => load({ tables: [...tables, { name: "other", columns: ["id"], rows: 0 }] }),
    /"other" does not exist/,
  ],
])("%s leaves the database empty", async (_name, attempt, message) => {
  await expect(attempt()).rejects.toThrow(message);
  expect(await listObjects(url)).toEqual([]);
});

test("an owner of the database who is not a superuser can load it", async () => {
  await load();
  expect(
    await ask(
      "SELECT current_user AS who, (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS super, " +
        "count(*)::int AS n FROM child",
    ),
  ).toEqual([{ who: "parquetry", super: false, n: 2 }]);
});

test("a load gives the enums, tables and indexes that the migrations give one by one", async () => {
  const shape = () =>
    ask(
      "SELECT t.typname::text AS of, string_agg(e.enumlabel, ',' ORDER BY e.enumsortorder) AS is FROM pg_enum e " +
        "JOIN pg_type t ON t.oid = e.enumtypid GROUP BY 1 UNION ALL SELECT conname::text, pg_get_constraintdef(oid) FROM " +
        "pg_constraint WHERE connamespace = current_schema()::regnamespace UNION ALL SELECT indexname::text, indexdef " +
        "FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1, 2",
    );
  await migrate(url, migrationsFolder());
  const stepwise = await shape();
  url = await emptyDatabase();
  const all = readMigrations(migrationsFolder());
  await load({ migrations: all, tables: [{ name: "_prisma_migrations", columns: ["id"], rows: 0 }], sequences: [] });
  expect(await shape()).toEqual(stepwise);
  expect(stepwise.length).toBeGreaterThan(100);
});
