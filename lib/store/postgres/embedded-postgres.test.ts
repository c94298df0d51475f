import { execFile } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { trialRuns } from "@/lib/testing/property";
import { ask, superuserUrl } from "@/lib/testing/superuser";
import { openEmbeddedPostgres } from "./embedded-postgres";
import { migrate, migrationsFolder } from "./migrate";

/** How often each of three users comes and goes. */
const TURNS = trialRuns("SERVER_TURNS", 8);

const folder = mkdtempSync(join(tmpdir(), "parquetry-cluster-"));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("two users share one server; the first to end leaves it to the other; written data remains", async () => {
  const [one, two] = await Promise.all([
    openEmbeddedPostgres(join(folder, "a")),
    openEmbeddedPostgres(join(folder, "a")),
  ]);
  await ask(one.url, "CREATE TABLE kept AS SELECT 42 AS answer");
  await one.release();
  expect(await ask(two.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
  await two.release();
  await expect(ask(two.url, "SELECT 1")).rejects.toThrow();
  const again = await openEmbeddedPostgres(join(folder, "a"));
  expect(await ask(again.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
  await again.release();
});

test("two that leave at once stop the server, even while connections of their pools are closing", async () => {
  const path = join(folder, "a");
  const left = await Promise.all([openEmbeddedPostgres(path), openEmbeddedPostgres(path)]);
  const closing = new pg.Client({ connectionString: left[0].url, application_name: "parquetry" });
  closing.on("error", () => {});
  await closing.connect();
  await Promise.all(left.map(({ release }) => release()));
  expect(existsSync(join(path, "cluster", "postmaster.pid"))).toBe(false);
});

test.each(["at once", "when it is greeted"])(
  "leaving completes although another user stops the server, whose connection is lost %s",
  async (when) => {
    const path = join(folder, "a");
    const server = await openEmbeddedPostgres(path);
    const [pid, , , port, sockets] = readFileSync(join(path, "cluster", "postmaster.pid"), "utf8").split("\n");
    const socket = join(sockets as string, `.s.PGSQL.${port}`);
    renameSync(socket, `${socket}.kept`);
    const exiting = createServer((connection) => {
      connection.on("error", () => {});
      // without a reason, as by a server that exits
      if (when === "at once") connection.destroy();
      else connection.once("data", () => connection.destroy());
      exiting.close();
      process.kill(Number(pid), "SIGINT");
    });
    await new Promise<void>((resume) => exiting.listen(socket, resume));
    await server.release();
    expect(existsSync(join(path, "cluster", "postmaster.pid"))).toBe(false);
  },
);

test("users that come while others leave are served, and the last one stops the server", async () => {
  const path = join(folder, "a");
  const comeAndGo = async () => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const server = await openEmbeddedPostgres(path);
      const stay = Math.random() * 5;
      try {
        for (let asked = 0; asked < stay; asked += 1)
          expect(await ask(server.url, "SELECT 42 AS answer")).toEqual([{ answer: 42 }]);
      } finally {
        await server.release();
      }
    }
  };
  await Promise.all([comeAndGo(), comeAndGo(), comeAndGo()]);
  expect(existsSync(join(path, "cluster", "postmaster.pid"))).toBe(false);
});

test("a connection from another program keeps the server running", async () => {
  const server = await openEmbeddedPostgres(join(folder, "a"));
  const looking = new pg.Client({ connectionString: server.url });
  await looking.connect();
  const other = await openEmbeddedPostgres(join(folder, "a"));
  await other.release();
  await server.release();
  expect((await looking.query("SELECT 42 AS answer")).rows).toEqual([{ answer: 42 }]);
  await looking.end();
  await (await openEmbeddedPostgres(join(folder, "a"))).release();
  await expect(ask(server.url, "SELECT 1")).rejects.toThrow();
});

test("stopping completes even if the next server is already running", async () => {
  const [server, other] = [
    await openEmbeddedPostgres(join(folder, "overtaken")),
    await openEmbeddedPostgres(join(folder, "a")),
  ];
  const pidFile = (name: string) => join(folder, name, "cluster", "postmaster.pid");
  const stopping = server.release();
  while (existsSync(pidFile("overtaken"))) await new Promise((resume) => setImmediate(resume));
  copyFileSync(pidFile("a"), pidFile("overtaken")); // as a server that another process started
  await stopping;
  expect(existsSync(pidFile("overtaken"))).toBe(true);
  await other.release();
});

test("a killed server is started again by its users, at the same address", async () => {
  const path = join(folder, "killed");
  const server = await openEmbeddedPostgres(path);
  const pid = () => Number(readFileSync(join(path, "cluster", "postmaster.pid"), "utf8").split("\n")[0]);
  const before = pid();
  process.kill(before, "SIGKILL");
  await expect.poll(() => ask(server.url, "SELECT 1 AS one").catch(() => [])).toEqual([{ one: 1 }]);
  expect(pid()).not.toBe(before);
  await server.release();
  await expect(ask(server.url, "SELECT 1")).rejects.toThrow();
});

test("a command that opens the database keeps its exit status", async () => {
  const work = promisify(execFile)(process.execPath, ["lib/start/command-line.ts", "key", "revoke", "nonsense"], {
    env: { NODE_ENV: "test", PATH: "/usr/sbin:/usr/bin:/sbin:/bin", PARQUETRY_DATA_DIR: join(folder, "b") },
  });
  await expect(work).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("Unknown key: nonsense") });
});

test("the service's role is no superuser: it creates what it needs, but cannot read the server's files", async () => {
  const server = await openEmbeddedPostgres(join(folder, "c"));
  try {
    expect(await migrate(server.url, migrationsFolder())).not.toEqual([]);
    const rights =
      "SELECT current_user AS name, rolsuper, rolcreaterole, rolbypassrls FROM pg_roles WHERE rolname = current_user";
    expect(await ask(server.url, rights)).toEqual([
      { name: "parquetry", rolsuper: false, rolcreaterole: false, rolbypassrls: false },
    ]);
    for (const sql of [
      "SELECT pg_read_file('/proc/self/environ')",
      "COPY (SELECT 1) TO PROGRAM 'id'",
      "SELECT * FROM pg_authid",
    ])
      await expect(ask(server.url, sql)).rejects.toThrow(/permission denied/);
  } finally {
    await server.release();
  }
});

test("a data folder that a superuser filled passes to the role at the next start, except for extensions", async () => {
  const path = join(folder, "d");
  const before = await openEmbeddedPostgres(path);
  const superuser = superuserUrl(path, "parquetry");
  await ask(superuser, "ALTER DATABASE parquetry OWNER TO postgres");
  await ask(superuser, "DROP ROLE parquetry").catch(() => undefined);
  await migrate(superuser, migrationsFolder());
  const objects = `SELECT pg_get_userbyid(relowner) AS owner FROM pg_class
    WHERE relnamespace = 'public'::regnamespace UNION
    SELECT pg_get_userbyid(typowner) FROM pg_type t WHERE typnamespace = 'public'::regnamespace AND NOT EXISTS (
      SELECT FROM pg_depend d WHERE d.objid = t.oid AND d.deptype = 'e') AND typelem = 0 UNION
    SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'parquetry'`;
  expect(await ask(superuser, objects)).toEqual([{ owner: "postgres" }]);
  await before.release();
  const [one, two] = await Promise.all([openEmbeddedPostgres(path), openEmbeddedPostgres(path)]);
  try {
    expect(await ask(one.url, objects)).toEqual([{ owner: "parquetry" }]);
    await ask(two.url, `ALTER TABLE "Dataset" ADD COLUMN later text; ALTER TYPE "Plan" ADD VALUE 'later'`);
    await ask(two.url, `DROP TRIGGER IF EXISTS none ON "Version"; TRUNCATE "Counter"; SELECT similarity('a', 'b')`);
    expect(await migrate(one.url, migrationsFolder())).toEqual([]);
  } finally {
    await one.release();
    await two.release();
  }
});
