import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { beforeEach, describe, expect, test } from "vitest";
import { readSettings } from "@/lib/kernel/env";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { addCurrentKey, createKeyRing, dropKeysBut, keyRing } from "@/lib/storage/key-ring";
import type { Author } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { untilLocksAwaited } from "@/lib/testing/locks-awaited";
import { newWorkspace } from "@/lib/testing/workspace";
import { ensureKeyRing } from "./ensure-key-ring";
import { open, seal } from "./envelope";
import { rotateSecrets } from "./rotate";
import { openSecret, removeSecret, storeSecret, storeSecretAnew } from "./secrets";

const state = useTestState();

const NOW = new Date();
const AUTHOR: Author = { actor: "service" };

beforeEach(async () => {
  const { prisma } = await database();
  await prisma.sourceCredential.deleteMany();
  await prisma.sealingKeyFingerprint.deleteMany();
  useSettings({});
});

function useSettings(settings: Readonly<Record<string, string>>): void {
  forgetProcessWide("settings");
  const { DATABASE_URL = "", PARQUETRY_DATA_DIR } = state.settings();
  processWide("settings", () => readSettings({ DATABASE_URL, PARQUETRY_DATA_DIR, ...settings }));
}

const names = () => keyRing().map(({ name }) => name);

/** Rows in many workspaces at once, each sealed like any other; the token of a row is its id. */
async function fill(count: number): Promise<void> {
  const { prisma } = await database();
  await ensureKeyRing();
  const ring = keyRing();
  const { workspaceId } = await newWorkspace();
  const rows = Array.from({ length: count }, (_, at) => {
    const row = { id: crypto.randomUUID(), workspaceId, name: `k${at}`, kind: "bearer" as const, field: null };
    return { ...row, ...seal(ring, row, JSON.stringify({ kind: "bearer", token: row.id })) };
  });
  await prisma.sourceCredential.createMany({ data: rows });
}

/** Opens every row with the current ring. */
async function openAll(): Promise<{ sealedWith: Set<string>; rows: number }> {
  const { prisma } = await database();
  const rows = await prisma.sourceCredential.findMany();
  const ring = keyRing();
  for (const row of rows) expect(JSON.parse(open(ring, row))).toEqual({ kind: "bearer", token: row.id });
  return { sealedWith: new Set(rows.map(({ sealedWith }) => sealedWith)), rows: rows.length };
}

async function noted(current: string) {
  const { prisma } = await database();
  return await prisma.auditEvent.findMany({
    where: { action: "secret.rotated", subject: current },
    select: { actor: true, details: true },
  });
}

/** Runs `work` within a transaction of another connection, after `statement`. */
async function meanwhile<T>(
  statement: string,
  values: string[],
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const { pool } = await database();
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query(statement, values);
    return await work(client);
  } finally {
    await client.query("COMMIT");
    client.release();
  }
}

describe("a rotation", () => {
  test("seals every row under a new key, drops the old one, and is in the audit log", async () => {
    await fill(120);
    const [old = ""] = names();
    const rotation = await rotateSecrets(NOW);
    expect(rotation).toMatchObject({ resealed: 120, unused: [old], unopened: [] });
    expect(names()).toEqual([rotation.current]);
    expect(rotation.current).not.toBe(old);
    expect(await openAll()).toEqual({ sealedWith: new Set([rotation.current]), rows: 120 });
    expect(await noted(rotation.current)).toEqual([
      { actor: "operator", details: { resealed: 120, unused: [old], unopened: 0 } },
    ]);
  });

  test("without secrets still changes the key", async () => {
    const [old = ""] = names();
    expect(await rotateSecrets(NOW)).toMatchObject({ resealed: 0, unused: [old] });
  });

  test("leaves what it cannot open unchanged, with its key, and names it", async () => {
    await fill(3);
    const { prisma } = await database();
    const [damaged, foreign] = await prisma.sourceCredential.findMany({ orderBy: { name: "asc" } });
    if (!damaged || !foreign) throw new Error("no rows");
    await prisma.sourceCredential.update({ where: { id: damaged.id }, data: { sealed: new Uint8Array(40) } });
    await prisma.sourceCredential.update({ where: { id: foreign.id }, data: { sealedWith: "of-elsewhere" } });
    const [old = ""] = names();
    const rotation = await rotateSecrets(NOW);
    expect(rotation).toMatchObject({ resealed: 1, unused: [] });
    expect(rotation.unopened.map(({ name }) => name).sort()).toEqual([damaged.name, foreign.name].sort());
    expect(names()).toEqual([rotation.current, old]);
    expect(await prisma.sourceCredential.findUnique({ where: { id: foreign.id } })).toEqual({
      ...foreign,
      sealedWith: "of-elsewhere",
    });
    await prisma.sourceCredential.deleteMany({ where: { id: { in: [damaged.id, foreign.id] } } });
    expect((await rotateSecrets(NOW)).unused.sort()).toEqual([old, rotation.current].sort());
  });

  test(
    "loses nothing of what is stored, replaced, deleted and used meanwhile, and two at once wait for " + "each other",
    async () => {
      await fill(150);
      const workspaces = await Promise.all(Array.from({ length: 3 }, newWorkspace));
      const last = new Map<string, string>();
      const rotating = { on: true };
      const write = async (workspaceId: string, name: string) => {
        for (let turn = 0; rotating.on; turn += 1) {
          const token = `${workspaceId} ${name} ${turn}`.replaceAll(" ", "/");
          if (turn % 7 === 6) {
            await removeSecret(AUTHOR, workspaceId, name);
            last.delete(`${workspaceId} ${name}`);
          } else {
            const exists = last.has(`${workspaceId} ${name}`);
            if (exists) await storeSecretAnew(AUTHOR, workspaceId, name, { kind: "bearer", token }, NOW);
            else await storeSecret(AUTHOR, workspaceId, { name, kind: "bearer", token }, NOW);
            last.set(`${workspaceId} ${name}`, token);
            expect(await openSecret(workspaceId, name, "r", NOW)).toEqual({ kind: "bearer", token });
          }
        }
      };
      const writers = workspaces.flatMap(({ workspaceId }) => ["a", "b"].map((name) => write(workspaceId, name)));
      for (let turn = 0; turn < 2; turn += 1) await Promise.all([rotateSecrets(NOW), rotateSecrets(NOW)]);
      rotating.on = false;
      await Promise.all(writers);
      for (const [key, token] of last) {
        const [workspaceId = "", name = ""] = key.split(" ");
        expect(await openSecret(workspaceId, name, "r", NOW)).toEqual({ kind: "bearer", token });
      }
      expect(last.size).toBeGreaterThan(0);
      expect(names()).toHaveLength(1);
    },
  );
});

describe("the ring and a row change one after the other", () => {
  const bearer = { kind: "bearer", token: "t" } as const;

  test("secrets stored and replaced while the ring changes wait, and are sealed with the new key", async () => {
    const { workspaceId } = await newWorkspace();
    await storeSecret(AUTHOR, workspaceId, { name: "old", ...bearer }, NOW);
    const lock = "SELECT pg_advisory_xact_lock(hashtextextended('secrets-keys', 0))";
    const stored = await meanwhile(lock, [], async () => {
      const storing = [
        storeSecret(AUTHOR, workspaceId, { name: "new", ...bearer }, NOW),
        storeSecretAnew(AUTHOR, workspaceId, "old", bearer, NOW),
        rotateSecrets(NOW),
      ];
      await untilLocksAwaited(storing.length);
      addCurrentKey(NOW);
      return { storing }; // not the promises themselves, which would be awaited
    });
    await Promise.all(stored.storing);
    const { prisma } = await database();
    const rows = await prisma.sourceCredential.findMany({ where: { workspaceId } });
    expect(rows.map(({ sealedWith }) => sealedWith)).toEqual([keyRing()[0].name, keyRing()[0].name]);
    for (const row of rows) expect(JSON.parse(open(keyRing(), row))).toEqual(bearer);
  });

  test("a secret opened while it is re-encrypted waits for the new key", async () => {
    const { workspaceId } = await newWorkspace();
    await storeSecret(AUTHOR, workspaceId, { name: "k", ...bearer }, NOW);
    const lock = `SELECT FROM "SourceCredential" WHERE "workspaceId" = $1 FOR UPDATE`;
    const { opening } = await meanwhile(lock, [workspaceId], async (client) => {
      const row = (await client.query(`SELECT * FROM "SourceCredential" WHERE "workspaceId" = $1`, [workspaceId]))
        .rows[0];
      const ring = addCurrentKey(NOW);
      const { sealed, sealedWith } = seal(ring, row, open(ring, row));
      dropKeysBut(new Set());
      await client.query(`UPDATE "SourceCredential" SET sealed = $1, "sealedWith" = $2 WHERE id = $3`, [
        Buffer.from(sealed),
        sealedWith,
        row.id,
      ]);
      const opening = openSecret(workspaceId, "k", "r", NOW);
      await untilLocksAwaited(1);
      return { opening };
    });
    expect(await opening).toEqual(bearer);
  });
});

describe("a rotation that is killed", () => {
  const ROWS = 200; // four batches
  const LAST = `SELECT FROM "SourceCredential"
    WHERE id = (SELECT max(id::text)::uuid FROM "SourceCredential") FOR UPDATE`;

  /** A separate process that rotates. */
  function rotateApart(): { child: ChildProcess; ended: Promise<string | null> } {
    const { DATABASE_URL = "", PARQUETRY_DATA_DIR } = state.settings();
    const env = { PATH: "/usr/bin:/bin", NODE_ENV: "test" as const, DATABASE_URL, PARQUETRY_DATA_DIR };
    const child = spawn(process.execPath, ["lib/start/command-line.ts", "secrets", "rotate"], {
      env,
      stdio: "ignore",
    });
    return { child, ended: new Promise((resolve) => child.on("close", (_code, signal) => resolve(signal))) };
  }

  async function sealedWith(): Promise<Map<string, number>> {
    const { pool } = await database();
    const { rows } = await pool.query<{ name: string; rows: number }>(
      `SELECT "sealedWith" AS name, count(*)::int AS rows FROM "SourceCredential" GROUP BY 1`,
    );
    return new Map(rows.map(({ name, rows: count }) => [name, count]));
  }

  test("leaves every row readable, and the next one finishes it", async () => {
    await fill(ROWS);
    const [old = ""] = names();
    await meanwhile(LAST, [], async () => {
      const { child, ended } = rotateApart();
      await untilLocksAwaited(1);
      child.kill("SIGKILL");
      expect(await ended).toBe("SIGKILL");
    });
    const half = await sealedWith();
    expect([...half.keys()].sort()).toEqual(names().sort());
    expect(half.size).toBe(2);
    const [current = ""] = names();
    const left = half.get(old) ?? 0;
    await openAll();

    const rotation = await rotateSecrets(NOW);
    expect(rotation).toEqual({ current, resealed: left, unused: [old], unopened: [] });
    expect(await openAll()).toEqual({ sealedWith: new Set([current]), rows: ROWS });
    expect(names()).toEqual([current]);
    expect(readdirSync(state.dataDir()).sort()).toEqual(["secret", "secrets-keys.json"]);
  });
});

describe("with the ring in the settings", () => {
  const base64 = randomBytes(32).toString("base64");

  test(
    "a rotation seals to its first key and tells which keys can go; the data folder's ring can be moved " + "there",
    async () => {
      await fill(5);
      const [{ name, key }] = keyRing();
      useSettings({ PARQUETRY_SECRETS_KEYS: `mine:${base64},${name}:${Buffer.from(key).toString("base64")}` });
      expect(await rotateSecrets(NOW)).toEqual({ current: "mine", resealed: 5, unused: [name], unopened: [] });
      useSettings({ PARQUETRY_SECRETS_KEYS: `mine:${base64}` });
      expect(await openAll()).toEqual({ sealedWith: new Set(["mine"]), rows: 5 });
      expect(await rotateSecrets(NOW)).toEqual({ current: "mine", resealed: 0, unused: [], unopened: [] });
    },
  );
});

test("a database restored with its ring opens; with another ring it names what it cannot open", async () => {
  await fill(1);
  const kept = join(state.dataDir(), "kept");
  mkdirSync(kept);
  const ring = join(state.dataDir(), "secrets-keys.json");
  copyFileSync(ring, join(kept, "ring"));
  rmSync(ring);
  createKeyRing();
  await expect(openAll()).rejects.toMatchObject({
    code: "integrity_failure",
    message: expect.stringMatching(/secret k0: .* which is not in the key ring/),
  });
  copyFileSync(join(kept, "ring"), ring);
  expect((await openAll()).rows).toBe(1);
});
