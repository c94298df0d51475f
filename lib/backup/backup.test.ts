import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { createKey } from "@/lib/access/use-keys";
import { publishTable } from "@/lib/publish/publish";
import { hashFile } from "@/lib/storage/blobs";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { ensurePerson } from "@/lib/store/people/people";
import { database } from "@/lib/store/postgres/database";
import { countRequest } from "@/lib/store/usage/counters";
import { blobFile } from "@/lib/testing/blob-file";
import { callCommand, callCommandAt, runCommand } from "@/lib/testing/command";
import { emptyDatabase, useTestState } from "@/lib/testing/database";
import { succeedAt, usePlaces } from "@/lib/testing/places";
import { rotateSecrets } from "@/lib/vault/rotate";
import { storeSecret } from "@/lib/vault/secrets";
import { makeBackup } from "./backup";
import { checkBackup } from "./check";
import { readManifest } from "./manifest";

const state = useTestState({ PARQUETRY_SECRET: "" }); // so that one is made in the data folder
const { folder, newName: newFolder, emptyPlace } = usePlaces();
const here = () => ({ PARQUETRY_DATA_DIR: state.dataDir(), DATABASE_URL: state.databaseUrl() });

async function publish(dataset: string, rows: number): Promise<void> {
  const file = join(folder, `${dataset}.csv`);
  writeFileSync(file, `id,text\n${Array.from({ length: rows }, (_, row) => `${row},text ${row}\n`).join("")}`);
  const about = {
    slug: dataset,
    title: "T",
    summary: "s",
    description: "d",
    publisher: { name: "P" },
    license: "MIT",
    topics: ["a"],
  };
  await publishTable({ file, dataset: about, table: { slug: "t", name: "T" } }, { now: () => new Date() });
}

/** The rows of every table of a backup, as text. */
async function rowsOf(backup: string): Promise<Record<string, string[]>> {
  const { tables } = await readManifest(backup);
  const lines = (file: string) =>
    gunzipSync(readFileSync(join(backup, file)))
      .toString()
      .split("\n")
      .slice(0, -1);
  return Object.fromEntries(tables.map(({ name, file }) => [name, lines(file)]));
}

/**
 * Concurrent writers, until stopped: publishers, key creators, request counters. `allWrote` resolves once each has
 * written that often.
 */
function keepWriting(workspaceId: string, userId: string) {
  let going = true;
  let next = Promise.withResolvers<void>();
  const turns = new Map<string, number>();
  const loop = async (name: string, work: (turn: number) => Promise<unknown>) => {
    for (let turn = 0; going; turn += 1) {
      await work(turn);
      turns.set(name, turn + 1);
      next.resolve();
      next = Promise.withResolvers();
    }
  };
  const startAt = new Date();
  const window = (name: string) => ({ name, startAt, lengthMs: 60_000, limit: 1_000_000 });
  const work = Promise.all([
    loop("publish", (turn) => publish(`load-${turn % 3}`, 10 + turn)),
    loop("create a key", (turn) =>
      createKey({ kind: "use", name: `key ${turn}`, workspaceId, userId, expiresAt: null }, ADMINISTRATOR),
    ),
    loop("count", (turn) => countRequest(`subject ${turn % 7}`, window("m"), window("d"))),
  ]);
  const stop = async () => {
    going = false;
    await work;
  };
  const allWrote = async (times: number) => {
    while (turns.size < 3 || Math.min(...turns.values()) < times) await next.promise;
  };
  return { allWrote, stop };
}

describe("backups taken during publications, key creation and counting", () => {
  const made: string[] = [];

  beforeAll(async () => {
    const { workspaceId, userId } = await ensurePerson("writer@example.com", ADMINISTRATOR);
    await publish("first", 100);
    const { allWrote, stop } = keepWriting(workspaceId, userId);
    for (const times of [2, 4]) {
      await allWrote(times);
      made.push((await makeBackup(newFolder(), { keys: true })).folder);
    }
    await stop();
  });

  test("each is consistent: it contains complete transactions and every blob that its rows refer to", async () => {
    const versions: number[] = [];
    for (const backup of made) {
      const rows = await rowsOf(backup);
      const created = rows.AuditEvent?.filter((line) => line.includes("\tkey.created\t"));
      expect(created?.length).toBe(rows.AccessKey?.length);
      const { blobs, tables } = await readManifest(backup);
      const digests = new Set(
        rows.Version?.map(
          (line) => line.split("\t")[tables.find(({ name }) => name === "Version")?.columns.indexOf("digest") ?? -1],
        ),
      );
      expect(new Set(blobs.map(({ sha256 }) => sha256))).toEqual(digests);
      for (const { name, rows: count } of tables) expect([name, rows[name]?.length]).toEqual([name, count]);
      versions.push(rows.Version?.length ?? 0);
    }
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(versions.at(-1)).toBeGreaterThan(versions[0] ?? 0);
  });

  test("each restores to exactly the same rows, blobs and key files, and passes verify and doctor", async () => {
    for (const backup of made) {
      const place = await emptyPlace();
      const { stdout } = await succeedAt(place, "restore", backup, "--json");
      const { tables } = await readManifest(backup);
      expect(JSON.parse(stdout)).toMatchObject({ tables: tables.length, same_secret: true, newer_migrations: [] });
      const again = newFolder();
      await succeedAt(place, "backup", again);
      const [before, after] = [await rowsOf(backup), await rowsOf(again)];
      const restored = after.AuditEvent?.pop();
      expect(restored).toContain("\tservice.restored\toperator\t");
      expect(after).toEqual(before);
      expect((await readManifest(again)).blobs).toEqual((await readManifest(backup)).blobs);
      expect(readFileSync(join(place.PARQUETRY_DATA_DIR, "secret"))).toEqual(
        readFileSync(join(state.dataDir(), "secret")),
      );
      expect(statSync(join(place.PARQUETRY_DATA_DIR, "secret")).mode & 0o777).toBe(0o600);
      expect(readdirSync(place.PARQUETRY_DATA_DIR).sort()).toEqual(["blobs", "secret"]);
      expect(JSON.parse((await succeedAt(place, "verify", "--json")).stdout)).toMatchObject({ bad: [] });
      expect(JSON.parse((await succeedAt(place, "doctor", "--json")).stdout)).toEqual([]);
    }
  });
});

test("each one taken during a key rotation contains the key of every secret in it", async () => {
  const { workspaceId } = await ensurePerson("writer@example.com", ADMINISTRATOR);
  for (let at = 0; at < 60; at += 1)
    await storeSecret(ADMINISTRATOR, workspaceId, { name: `s${at}`, kind: "bearer", token: `token ${at}` }, new Date());
  const sealedWith = new Set<string>();
  let going = true;
  const rotating = (async () => {
    while (going) await rotateSecrets(new Date());
  })();
  for (let turn = 0; turn < 5; turn += 1) {
    const { folder: backup } = await makeBackup(newFolder(), { keys: true });
    const { keys } = JSON.parse(readFileSync(join(backup, "keys", "secrets-keys.json"), "utf8")) as {
      keys: { name: string }[];
    };
    const { tables } = await readManifest(backup);
    const column = tables.find(({ name }) => name === "SourceCredential")?.columns.indexOf("sealedWith") ?? -1;
    const used = new Set((await rowsOf(backup)).SourceCredential?.map((line) => line.split("\t")[column] ?? ""));
    expect(keys.map(({ name }) => name)).toEqual(expect.arrayContaining([...used]));
    for (const name of used) sealedWith.add(name);
  }
  going = false;
  await rotating;
  expect(sealedWith.size).toBeGreaterThan(1);
});

describe("a backup", () => {
  test("is readable by its owner only, and has its final name", async () => {
    const { folder: backup } = await makeBackup(newFolder(), { keys: true });
    expect(statSync(backup).mode & 0o777).toBe(0o700);
    const { tables, keys } = await readManifest(backup);
    for (const { file } of [...tables, ...(keys ?? [])])
      expect([file, statSync(join(backup, file)).mode & 0o777]).toEqual([file, 0o600]);
    expect(readdirSync(backup).sort()).toEqual(["blobs", "database", "keys", "manifest.json", "manifest.json.sha256"]);
  });

  test("hard-links blobs on the same disk and copies them to another", async () => {
    const near = await makeBackup(newFolder(), { keys: true });
    expect(near.linked).toBe(near.manifest.blobs.length);
    const far = await makeBackup(`/dev/shm/${basename(newFolder())}-${process.pid}`, { keys: true });
    try {
      expect(far.linked).toBe(
        statSync("/dev/shm").dev === statSync(state.dataDir()).dev ? far.manifest.blobs.length : 0,
      );
      expect((await checkBackup(far.folder)).problems).toEqual([]);
    } finally {
      rmSync(far.folder, { recursive: true });
    }
  });

  test("without keys contains no secret, says so, and makes the restored service report its keys invalid", async () => {
    const backup = newFolder();
    const { stderr, stdout } = await callCommand("backup", backup, "--without-keys", "--json");
    expect(stderr).toMatch(/keep the files "secret" and "secrets-keys.json"/);
    expect(JSON.parse(stdout).keys).toBeNull();
    expect(readdirSync(backup)).not.toContain("keys");
    const place = await emptyPlace();
    const restored = await succeedAt(place, "restore", backup, "--json");
    expect(restored.stderr).toMatch(/not the one that the backup was made under/);
    expect(JSON.parse(restored.stdout).same_secret).toBe(false);
    const secret = readFileSync(join(state.dataDir(), "secret"), "utf8");
    const told = await succeedAt({ ...(await emptyPlace()), PARQUETRY_SECRET: secret }, "restore", backup, "--json");
    expect(JSON.parse(told.stdout).same_secret).toBe(true);
  });

  test("never overwrites anything", async () => {
    const taken = newFolder();
    mkdirSync(taken);
    await expect(makeBackup(taken, { keys: true })).rejects.toThrow(/already exists/);
  });
});

describe("a backup that fails leaves nothing behind", () => {
  const leftovers = (target: string) => readdirSync(folder).filter((name) => name.startsWith(basename(target)));

  test("if the disk is full", async () => {
    const target = newFolder();
    const limited = `ulimit -f 8; exec ${process.execPath} lib/start/command-line.ts backup ${target}`;
    const { pool } = await database();
    await pool.query(
      `INSERT INTO "Counter" SELECT md5(i::text) || md5((i + 1)::text), 'x', now(), i FROM generate_series(1, 20000) i`,
    );
    await expect(runCommand([limited], here(), "shell")).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is full. No backup was created/),
    });
    expect(leftovers(target)).toEqual([]);
  });

  test("if blobs are damaged or missing, and every one of them is named", async () => {
    await publish("damaged", 50);
    const { manifest } = await makeBackup(newFolder(), { keys: true });
    const [gone, bad] = manifest.blobs.map(({ sha256 }) => blobFile(sha256));
    if (!gone || !bad) throw new Error("two blobs are needed");
    const good = [gone, bad].map((path) => readFileSync(path));
    rmSync(gone);
    rmSync(bad);
    writeFileSync(bad, "x");
    const target = newFolder();
    const names = [gone, bad].map((path, at) => `${basename(path, ".parquet")} ${at === 0 ? "missing" : "damaged"}`);
    await expect(makeBackup(target, { keys: true })).rejects.toThrow(names.join("\n  "));
    expect(leftovers(target)).toEqual([]);
    for (const [at, path] of [gone, bad].entries()) {
      writeFileSync(path, good[at] ?? "");
      expect((await hashFile(path)).digest).toBe(basename(path, ".parquet"));
    }
  });

  test("if the database connection breaks", async () => {
    const { pool } = await database();
    const target = newFolder();
    const cut = setInterval(
      () =>
        void pool
          .query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'COPY%' AND datname = " +
              "current_database()",
          )
          .catch(() => undefined),
      1,
    );
    try {
      await expect(makeBackup(target, { keys: true })).rejects.toThrow(/terminat|not queryable/i);
    } finally {
      clearInterval(cut);
    }
    expect(leftovers(target)).toEqual([]);
  });

  test("if it is stopped", async () => {
    const target = newFolder();
    await expect(makeBackup(target, { keys: true }, { signal: AbortSignal.timeout(5) })).rejects.toThrow(
      /Stopped|timeout/,
    );
    expect(leftovers(target)).toEqual([]);
  });

  test("if there is nothing to back up, and no database is created", async () => {
    const place = { PARQUETRY_DATA_DIR: join(folder, "nothing") };
    expect(await callCommandAt(place, "backup", newFolder())).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/The database does not exist yet/),
    });
    expect(existsSync(place.PARQUETRY_DATA_DIR)).toBe(false);
    const empty = { ...place, DATABASE_URL: await emptyDatabase() };
    expect(await callCommandAt(empty, "backup", newFolder())).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/The database is empty/),
    });
  });
});
