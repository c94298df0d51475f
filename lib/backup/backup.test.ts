import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey } from "@/lib/access/use-keys";
import { publishTable } from "@/lib/publish/publish";
import { hashFile } from "@/lib/storage/blobs";
import { OPERATOR } from "@/lib/store/audit";
import { countRequest } from "@/lib/store/counters";
import { database } from "@/lib/store/database";
import { listObjects } from "@/lib/store/load";
import { ensurePerson } from "@/lib/store/people";
import { blobFile } from "@/lib/testing/blob-file";
import { callCommand, callCommandAt, runCommand } from "@/lib/testing/command";
import { emptyDatabase, useTestState } from "@/lib/testing/database";
import { rotateSecrets } from "@/lib/vault/rotate";
import { storeSecret } from "@/lib/vault/secrets";
import { makeBackup } from "./backup";
import { checkBackup, filesOf } from "./check";
import { readManifest } from "./manifest";

const state = useTestState({ PARQUETRY_SECRET: "" }); // so that one is made in the data folder
const folder = mkdtempSync(join(tmpdir(), "parquetry-backups-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let places = 0;
/** An empty data folder and database for a command. */
const emptyPlace = async () => ({
  PARQUETRY_DATA_DIR: join(folder, `place-${places++}`),
  DATABASE_URL: await emptyDatabase(),
});
const newFolder = () => join(folder, `backup-${places++}`);
async function succeed(place: Record<string, string>, ...args: string[]) {
  const done = await callCommandAt(place, ...args);
  expect([args[0], done.code, done.code === 0 ? "" : done.stderr]).toEqual([args[0], 0, ""]);
  return done;
}
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
 * Everybody who writes, until stopped: publishers, makers of keys, counters of requests. Returns how often each did.
 */
function keepWriting(workspaceId: string, userId: string): () => Promise<number[]> {
  let going = true;
  const loop = async (work: (turn: number) => Promise<unknown>) => {
    let turn = 0;
    for (; going; turn += 1) await work(turn);
    return turn;
  };
  const startAt = new Date();
  const window = (name: string) => ({ name, startAt, lengthMs: 60_000, limit: 1_000_000 });
  const work = Promise.all([
    loop((turn) => publish(`load-${turn % 3}`, 10 + turn)),
    loop((turn) => createKey({ kind: "use", name: `key ${turn}`, workspaceId, userId, expiresAt: null }, OPERATOR)),
    loop((turn) => countRequest(`subject ${turn % 7}`, window("m"), window("d"))),
  ]);
  return async () => {
    going = false;
    return await work;
  };
}

describe("backups made while others publish, make keys and count", () => {
  const made: string[] = [];

  beforeAll(async () => {
    const { workspaceId, userId } = await ensurePerson("writer@example.com", OPERATOR);
    await publish("first", 100);
    const stop = keepWriting(workspaceId, userId);
    for (let turn = 0; turn < 2; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      made.push((await makeBackup(newFolder(), { keys: true })).folder);
    }
    for (const turns of await stop()) expect(turns).toBeGreaterThan(2);
  });

  test("each is of one moment: what one transaction writes is in it whole, and every blob that it names", async () => {
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

  test(
    "each restores to exactly that: every row of every table, every blob, every key file; and passes verify and " +
      "doctor",
    async () => {
      for (const backup of made) {
        const place = await emptyPlace();
        const { stdout } = await succeed(place, "restore", backup, "--json");
        const { tables } = await readManifest(backup);
        expect(JSON.parse(stdout)).toMatchObject({ tables: tables.length, same_secret: true, newer_migrations: [] });
        const again = newFolder();
        await succeed(place, "backup", again);
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
        expect(JSON.parse((await succeed(place, "verify", "--json")).stdout)).toMatchObject({ bad: [] });
        expect(JSON.parse((await succeed(place, "doctor", "--json")).stdout)).toEqual([]);
      }
    },
  );
});

test("made while the secrets' keys are rotated, each holds the key of every secret that it holds", async () => {
  const { workspaceId } = await ensurePerson("writer@example.com", OPERATOR);
  for (let at = 0; at < 60; at += 1)
    await storeSecret(OPERATOR, workspaceId, { name: `s${at}`, kind: "bearer", token: `token ${at}` }, new Date());
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

describe("a byte that is not as it was", () => {
  let backup = "";
  let files: string[] = [];
  beforeAll(async () => {
    backup = (await makeBackup(newFolder(), { keys: true })).folder;
    files = filesOf(await readManifest(backup)).map(({ file }) => file);
  });

  /** Changes a file for the time of `work`, without touching the data folder that may share its bytes. */
  async function changed(
    file: string,
    change: (bytes: Buffer) => Buffer | undefined,
    work: () => Promise<void>,
  ): Promise<void> {
    const path = join(backup, file);
    const good = readFileSync(path);
    const bad = change(Buffer.from(good));
    rmSync(path);
    if (bad) writeFileSync(path, bad);
    await work();
    rmSync(path, { force: true });
    writeFileSync(path, good);
  }

  const flip = (at: (length: number) => number) => (bytes: Buffer) => {
    const index = at(bytes.length);
    bytes[index] = (bytes[index] ?? 0) ^ (1 << (index % 8));
    return bytes;
  };

  test("in any file is found and named, and so is a file that is cut or gone", async () => {
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      for (const at of [(length: number) => length - 1, (length: number) => Math.floor(Math.random() * length)])
        await changed(file, flip(at), async () =>
          expect((await checkBackup(backup)).problems).toEqual([{ file, problem: "damaged" }]),
        );
      await changed(
        file,
        (bytes) => bytes.subarray(1),
        async () => expect((await checkBackup(backup)).problems).toEqual([{ file, problem: "damaged" }]),
      );
      await changed(
        file,
        () => undefined,
        async () => expect((await checkBackup(backup)).problems).toEqual([{ file, problem: "missing" }]),
      );
    }
    expect((await checkBackup(backup)).problems).toEqual([]);
  });

  test("in the manifest or in its checksum is found, wherever it is", async () => {
    for (const file of ["manifest.json", "manifest.json.sha256"]) {
      const { size } = statSync(join(backup, file));
      for (let at = 0; at < size; at += Math.ceil(size / 80))
        await changed(
          file,
          flip(() => at),
          async () => expect(checkBackup(backup)).rejects.toThrow(/manifest\.json/),
        );
      await changed(
        file,
        () => undefined,
        async () => expect(checkBackup(backup)).rejects.toThrow(`is not a backup: ${file} is missing`),
      );
    }
  });

  test("is refused by restore in words that name it, before anything is written", async () => {
    const table = files.find((file) => file.includes("Version")) ?? "";
    const blob = files.find((file) => file.startsWith("blobs/")) ?? "";
    for (const file of [table, blob, "keys/secret", "manifest.json"]) {
      const place = await emptyPlace();
      await changed(
        file,
        flip((length) => length >> 1),
        async () => {
          expect(await callCommandAt(place, "restore", backup)).toMatchObject({
            code: 1,
            stderr: expect.stringContaining(file),
          });
        },
      );
      expect(existsSync(place.PARQUETRY_DATA_DIR)).toBe(false);
      expect(await listObjects(place.DATABASE_URL)).toEqual([]);
    }
  });

  test("fails the command that checks, which names it", async () => {
    const check = () => callCommand("backup", "--check", backup, "--json");
    expect(JSON.parse((await check()).stdout)).toMatchObject({ problems: [] });
    await changed(
      "keys/secret",
      flip(() => 0),
      async () => {
        const refused = await check();
        expect(refused).toMatchObject({ code: 1 });
        expect(JSON.parse(refused.stdout).problems).toEqual([{ file: "keys/secret", problem: "damaged" }]);
      },
    );
  });
});

describe("what a backup is", () => {
  test("private to its owner, and of the names that it has for good", async () => {
    const { folder: backup } = await makeBackup(newFolder(), { keys: true });
    expect(statSync(backup).mode & 0o777).toBe(0o700);
    const { tables, keys } = await readManifest(backup);
    for (const { file } of [...tables, ...(keys ?? [])])
      expect([file, statSync(join(backup, file)).mode & 0o777]).toEqual([file, 0o600]);
    expect(readdirSync(backup).sort()).toEqual(["blobs", "database", "keys", "manifest.json", "manifest.json.sha256"]);
  });

  test("linked to the blobs on their own disk, copied to another", async () => {
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

  test("without keys it holds no secret, says so, and the restored service is told that its keys are void", async () => {
    const backup = newFolder();
    const { stderr, stdout } = await callCommand("backup", backup, "--without-keys", "--json");
    expect(stderr).toMatch(/keep the files "secret" and "secrets-keys.json"/);
    expect(JSON.parse(stdout).keys).toBeNull();
    expect(readdirSync(backup)).not.toContain("keys");
    const place = await emptyPlace();
    const restored = await succeed(place, "restore", backup, "--json");
    expect(restored.stderr).toMatch(/not the one that the backup was made under/);
    expect(JSON.parse(restored.stdout).same_secret).toBe(false);
    const secret = readFileSync(join(state.dataDir(), "secret"), "utf8");
    const told = await succeed({ ...(await emptyPlace()), PARQUETRY_SECRET: secret }, "restore", backup, "--json");
    expect(JSON.parse(told.stdout).same_secret).toBe(true);
  });

  test("never written over anything", async () => {
    const taken = newFolder();
    mkdirSync(taken);
    await expect(makeBackup(taken, { keys: true })).rejects.toThrow(/already exists/);
  });
});

describe("nothing is left of a backup that does not come to its end", () => {
  const leftovers = (target: string) => readdirSync(folder).filter((name) => name.startsWith(basename(target)));

  test("when the disk takes no more", async () => {
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

  test("when a blob is damaged or gone: all of them are named", async () => {
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

  test("when the database's connection breaks", async () => {
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

  test("when it is stopped", async () => {
    const target = newFolder();
    await expect(makeBackup(target, { keys: true }, { signal: AbortSignal.timeout(5) })).rejects.toThrow(
      /Stopped|timeout/,
    );
    expect(leftovers(target)).toEqual([]);
  });

  test("when there is nothing to back up: no database is made for it", async () => {
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
