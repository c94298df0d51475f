import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { sha256Hex } from "@/lib/kernel/sha256";
import { failingUpkeep } from "@/lib/operations/upkeep-status";
import { doctor } from "@/lib/publish/doctor";
import { runsDir, tempDir } from "@/lib/storage/paths";
import { withBlobsLock } from "@/lib/store/datasets/versions";
import { database } from "@/lib/store/postgres/database";
import { addArtifacts } from "@/lib/store/runs/artifacts";
import { artifactFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { storedRun } from "@/lib/testing/stored-run";
import { newWorkspace } from "@/lib/testing/workspace";
import { runUpkeep, startUpkeep } from "./upkeep";

useTestState();

/** Of this database: other tests have theirs on the same server. */
const WAITING = `SELECT 1 FROM pg_locks WHERE NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

test("stopping waits for the round in progress, which would open the database again after it was closed", async () => {
  const { pool } = await database();
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = withBlobsLock(() => {
    held.resolve();
    return released.promise;
  });
  await held.promise;
  const errors: unknown[] = [];
  const stop = startUpkeep((error) => errors.push(error), 1);
  const waiting = async () => (await pool.query(WAITING)).rowCount;
  await expect.poll(waiting).toBe(1);
  let isStopped = false;
  const stopping = stop(new Promise(() => undefined)).then(() => {
    isStopped = true;
  });
  expect([await waiting(), isStopped]).toEqual([1, false]);
  released.resolve();
  await Promise.all([holding, stopping]);
  expect([await waiting(), isStopped, errors]).toEqual([0, true, []]);
});

test("a step that fails is said to anybody without its cause, and by doctor with it", async () => {
  const first = new Date("2026-11-01T10:00:00Z");
  mkdirSync(dirname(runsDir()), { recursive: true });
  writeFileSync(runsDir(), "no folder");
  await expect(runUpkeep(first)).rejects.toThrow("steps failed");
  await expect(runUpkeep(new Date("2026-11-01T11:00:00Z"))).rejects.toThrow("steps failed");
  const failing = await failingUpkeep();
  expect(failing).toEqual([{ step: "run_folders", text: "deleting folders of runs that have ended", since: first }]);
  expect(JSON.stringify(failing)).not.toContain(runsDir());
  expect((await doctor({ fix: false })).filter(({ problem }) => problem === "upkeep_failing")).toEqual([
    {
      problem: "upkeep_failing",
      subject: expect.stringMatching(/^deleting folders .* since 2026-11-01T10:00:00\.000Z: .*\/runs/),
      fixed: false,
    },
  ]);
  rmSync(runsDir());
  await runUpkeep(new Date());
  expect(await failingUpkeep()).toEqual([]);
});

test("what killed publications and uploads left is removed after an hour; work of living processes stays", async () => {
  mkdirSync(join(tempDir(), "publish-999999999-dead", "spill"), { recursive: true });
  const left = (name: string) => join(tempDir(), name);
  const files = [
    join("publish-999999999-dead", "stage.duckdb"),
    "upload-999999999-dead",
    `upload-${process.pid}-alive`,
  ];
  for (const name of [...files, "duckdb_temp_storage-0.tmp"]) writeFileSync(left(name), "x");
  await runUpkeep(new Date());
  expect(readdirSync(tempDir()).length).toBe(4);
  await runUpkeep(new Date(Date.now() + 3_601_000));
  expect(readdirSync(tempDir()).sort()).toEqual(["duckdb_temp_storage-0.tmp", `upload-${process.pid}-alive`]);
});

test("an artifact stays known until its bytes are gone; bytes that another one needs stay", async () => {
  const { prisma } = await database();
  const { workspaceId } = await newWorkspace();
  const now = new Date();
  const texts = ["expired", "shared"];
  const artifacts = texts.map((text) => {
    const about = { name: `${text}.json`, mediaType: "", bytes: text.length, digest: sha256Hex(text) };
    return { kind: "checks" as const, ...about, expiresAt: new Date(now.getTime() + 1000) };
  });
  const needed = artifacts
    .slice(1)
    .map((artifact) => ({ ...artifact, expiresAt: new Date(now.getTime() + 3_600_000) }));
  await prisma.$transaction(async (transaction) => {
    await addArtifacts(transaction, (await storedRun(transaction, workspaceId)).id, artifacts, now);
    await addArtifacts(transaction, (await storedRun(transaction, workspaceId)).id, needed, now);
  });
  const [expired = "", shared = ""] = texts.map((text) => artifactFile(sha256Hex(text)));
  mkdirSync(dirname(shared), { recursive: true });
  writeFileSync(shared, "shared");
  mkdirSync(join(expired, "held"), { recursive: true }); // which cannot be removed as a file
  const later = new Date(now.getTime() + 2000);
  await expect(runUpkeep(later)).rejects.toThrow();
  expect(await prisma.runArtifact.count()).toBe(3);
  rmSync(expired, { recursive: true });
  writeFileSync(expired, "expired");
  await runUpkeep(later);
  expect(await prisma.runArtifact.count()).toBe(1);
  expect([existsSync(expired), existsSync(shared)]).toEqual([false, true]);
});
