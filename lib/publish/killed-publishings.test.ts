import { randomBytes } from "node:crypto";
import { appendFileSync, copyFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ListMultipartUploadsCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { env } from "@/lib/kernel/env";
import { blobStore } from "@/lib/storage/blob-store";
import { tempDir } from "@/lib/storage/paths";
import { isRunning } from "@/lib/storage/temp-leftovers";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { NEEDS_OBJECT_STORE, ObjectStoreServer, objectStoreProgram } from "@/lib/testing/object-store";
import { propertyParameters, trialRuns } from "@/lib/testing/property";
import { PublisherProcess } from "@/lib/testing/publisher-process";
import { numbersFrom } from "@/lib/testing/seeded-numbers";
import { doctor } from "./doctor";
import { verifyBlobs } from "./verify";

const PUBLISHINGS = trialRuns("PUBLISHINGS", 8);
const AT_ONCE = 2;
/** Every twentieth file is sent in parts. */
const LARGE_EVERY = 20;
const LARGE_BYTES = 24_000_000;
const LINE_BYTES = 3_000;

const needs = objectStoreProgram() === undefined ? NEEDS_OBJECT_STORE : "";

describe.skipIf(needs)(needs || "publications into an object store whose processes are killed", () => {
  const own: Record<string, string> = {};
  let objects: ObjectStoreServer;
  beforeAll(async () => {
    objects = await ObjectStoreServer.start();
    Object.assign(own, objects.settings());
  });
  const state = useTestState(own);
  afterAll(() => objects?.remove());

  const random = numbersFrom(propertyParameters(0).seed);
  let large = "";
  beforeAll(() => {
    large = join(state.dataDir(), "large.csv");
    const lines = Array.from({ length: LARGE_BYTES / LINE_BYTES }, () => randomBytes(LINE_BYTES).toString("base64"));
    writeFileSync(large, `text\n${lines.join("\n")}\n`);
  });

  /** A file whose content no other has. */
  function newFile(turn: number): string {
    const file = join(state.dataDir(), `file-${turn}.csv`);
    if (turn % LARGE_EVERY === LARGE_EVERY / 4) copyFileSync(large, file);
    else writeFileSync(file, `text\n${Array.from({ length: 500 }, (_, row) => `row ${row}\n`).join("")}`);
    appendFileSync(file, `turn ${turn}\n`);
    return file;
  }

  /** How long the publications took that were not killed, from their first step on. */
  const wholeMs: number[] = [];
  const reported: string[] = [];

  /** Publishes a file, and kills its process once that part of the usual time has passed. */
  async function publish(turn: number, dataset: string, part: number): Promise<void> {
    const file = newFile(turn);
    const { PARQUETRY_DATA_DIR, PARQUETRY_SECRET = "" } = env();
    const settings = { DATABASE_URL: state.databaseUrl(), PARQUETRY_DATA_DIR, PARQUETRY_SECRET, ...own };
    const publisher = new PublisherProcess(file, dataset, settings);
    const usualMs = wholeMs.length === 0 ? 0 : (wholeMs.toSorted((a, b) => a - b)[wholeMs.length >> 1] ?? 0);
    let beganMs = 0;
    publisher.onStep("reading", () => {
      beganMs = performance.now();
      if (Number.isFinite(part)) void wait(usualMs * part).then(() => publisher.kill());
    });
    const { signal, output } = await publisher.ended;
    if (signal === null && turn % LARGE_EVERY !== LARGE_EVERY / 4) wholeMs.push(performance.now() - beganMs);
    const version = /version_id\s+(\S+)/.exec(output)?.[1];
    if (version !== undefined) reported.push(version);
    else expect([signal, signal === null ? output : ""]).toEqual(["SIGKILL", ""]);
    rmSync(file);
  }

  async function digestsOfVersions(): Promise<string[]> {
    const { prisma } = await database();
    const versions = await prisma.version.findMany({ select: { digest: true }, distinct: ["digest"] });
    return versions.map(({ digest }) => digest).sort();
  }

  /** As the store itself lists them. */
  async function stored(): Promise<string[]> {
    const keys: string[] = [];
    const page = { Bucket: objects.bucket, Prefix: "blobs/" };
    let ContinuationToken: string | undefined;
    do {
      const listed = await objects.client().send(new ListObjectsV2Command({ ...page, ContinuationToken }));
      keys.push(...(listed.Contents ?? []).map(({ Key = "" }) => Key));
      ContinuationToken = listed.NextContinuationToken;
    } while (ContinuationToken !== undefined);
    const { Uploads = [] } = await objects.client().send(new ListMultipartUploadsCommand({ Bucket: objects.bucket }));
    return [...keys, ...Uploads.map(({ Key }) => `${Key} in parts`)].sort();
  }

  test(`leave each version's bytes, and no others once doctor has run, at ${PUBLISHINGS} moments`, async () => {
    const never = Number.POSITIVE_INFINITY;
    for (let place = 0; place < AT_ONCE; place += 1) await publish(-1 - place, `killed-${place}`, never);
    let turn = 0;
    const publishers = Array.from({ length: AT_ONCE }, async (_, place) => {
      while (turn < PUBLISHINGS) {
        turn += 1;
        await publish(turn, `killed-${place}`, random() * 1.2);
      }
    });
    await Promise.all(publishers);
    const { prisma } = await database();
    const versions = await prisma.version.findMany({ include: { currentOf: true }, orderBy: { sequence: "asc" } });
    const ids = new Set(versions.map(({ id }) => id));
    expect(reported.filter((id) => !ids.has(id))).toEqual([]);
    for (const one of Map.groupBy(versions, ({ tableId }) => tableId).values())
      expect(one.map(({ sequence, currentOf }) => [sequence, currentOf !== null])).toEqual(
        one.map((_, at) => [at + 1, at === one.length - 1]),
      );
    expect((await verifyBlobs()).bad).toEqual([]);

    const found = await doctor({ fix: true, olderThanMs: 0 });
    expect(await stored()).toEqual((await digestsOfVersions()).map((digest) => blobStore().keyOf(digest)).sort());
    expect(readdirSync(tempDir()).filter((name) => !isRunning(name))).toEqual([]);
    expect(await doctor({ fix: false, olderThanMs: 0 })).toEqual([]);
    expect((await verifyBlobs()).bad).toEqual([]);
    for (let place = 0; place < AT_ONCE; place += 1) await publish(-3 - place, `killed-${place}`, never);

    const unreported = versions.length - reported.length + AT_ONCE;
    const left = Object.entries(Object.groupBy(found, ({ problem }) => problem));
    process.stdout.write(
      `${PUBLISHINGS} publishings: ${reported.length - 2 * AT_ONCE} ended first, ${unreported} were killed after the ` +
        `version was there; removed: ${left.map(([name, some = []]) => `${some.length} ${name}`).join(", ")}\n`,
    );
  });
});
