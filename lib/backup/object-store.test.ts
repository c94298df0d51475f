import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blobFileIn } from "@/lib/testing/blob-file";
import { runCommand } from "@/lib/testing/command";
import { emptyDatabase } from "@/lib/testing/database";
import { NEEDS_OBJECT_STORE, ObjectStoreServer, objectStoreProgram } from "@/lib/testing/object-store";
import { type Place, usePlaces } from "@/lib/testing/places";
import { readManifest } from "./manifest";

const needs = objectStoreProgram() === undefined ? NEEDS_OBJECT_STORE : "";
const SECRET = "test-secret-test-secret-test-secret!";
const TABLES = ["one", "two"];

describe.skipIf(needs)(needs || "a backup of a service whose files are in an object store", () => {
  const { newName, emptyPlace } = usePlaces();
  let objects: ObjectStoreServer;
  let source: Place;
  let backup = "";
  let digests: string[] = [];

  const inBucket = (place: Place, prefix: string): Place => ({ ...place, ...objects.settings(), S3_PREFIX: prefix });
  const at = async (place: Place, ...args: string[]) =>
    (await runCommand(args, { PARQUETRY_SECRET: SECRET, ...place })).stdout;
  const failureAt = async (place: Place, ...args: string[]) =>
    at(place, ...args).then(
      () => "succeeded",
      ({ stderr }) => String(stderr),
    );
  const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  const keyOf = (prefix: string, digest: string) => `${prefix}blobs/${digest.slice(0, 2)}/${digest}.parquet`;
  const storedAt = async (Key: string): Promise<string> => {
    const { Body } = await objects.client().send(new GetObjectCommand({ Bucket: objects.bucket, Key }));
    return sha256((await Body?.transformToByteArray()) ?? new Uint8Array());
  };
  const listed = async (Prefix: string): Promise<string[]> => {
    const { Contents } = await objects.client().send(new ListObjectsV2Command({ Bucket: objects.bucket, Prefix }));
    return (Contents ?? []).map(({ Key = "" }) => Key).sort();
  };

  beforeAll(async () => {
    objects = await ObjectStoreServer.start();
    source = inBucket({ PARQUETRY_DATA_DIR: newName(), DATABASE_URL: await emptyDatabase() }, "first/");
    for (const slug of TABLES) {
      const file = newName();
      writeFileSync(file, `id,word\n1,${slug}\n2,more\n`);
      const words = ["--dataset", slug, "--table", "rows", "--title", slug, "--publisher", "P", "--license", "MIT"];
      await at(source, "publish", file, ...words, "--format", "csv");
    }
    backup = newName();
    await at(source, "backup", backup);
    digests = (await readManifest(backup)).blobs.map(({ sha256: digest }) => digest);
  });
  afterAll(() => objects?.remove());

  test("it has the bytes of every file, and its check reads them", async () => {
    expect(await listed("first/blobs/")).toEqual(digests.map((digest) => keyOf("first/", digest)).sort());
    expect(digests).toHaveLength(TABLES.length);
    for (const digest of digests) expect(sha256(readFileSync(blobFileIn(backup, digest)))).toBe(digest);
    await at(source, "backup", "--check", backup);
    expect(readdirSync(source.PARQUETRY_DATA_DIR)).not.toContain("blobs");
  });

  test("it is restored into another place of a bucket, where every file is proven", async () => {
    const place = inBucket(await emptyPlace(), "second/");
    const [damaged = ""] = digests;
    // a file with this name that another restore left incomplete
    const left = { Bucket: objects.bucket, Key: keyOf("second/", damaged), Body: "PAR1" };
    await objects.client().send(new PutObjectCommand(left));
    await at(place, "restore", backup, "--json");
    expect(await listed("second/blobs/")).toEqual(digests.map((digest) => keyOf("second/", digest)).sort());
    for (const digest of digests) expect(await storedAt(keyOf("second/", digest))).toBe(digest);
    expect(await at(place, "verify", "--json")).toContain('"bad":[]');
    expect(readdirSync(place.PARQUETRY_DATA_DIR)).not.toContain("blobs");
    const again = newName();
    await at(place, "backup", again);
    const contents = async (folder: string) => (await readManifest(folder)).blobs;
    expect(await contents(again)).toEqual(await contents(backup));
  });

  test("it is restored into files, from which a backup goes back into a bucket", async () => {
    const files = await emptyPlace();
    await at(files, "restore", backup, "--json");
    for (const digest of digests)
      expect(sha256(readFileSync(blobFileIn(files.PARQUETRY_DATA_DIR, digest)))).toBe(digest);
    expect(await at(files, "verify", "--json")).toContain('"bad":[]');
    const again = newName();
    await at(files, "backup", again);
    const place = inBucket(await emptyPlace(), "third/");
    await at(place, "restore", again, "--json");
    expect(await at(place, "verify", "--json")).toContain('"bad":[]');
  });

  test("without files, it is of the database, and each file is proven in the bucket", async () => {
    const bucket = inBucket(await emptyPlace(), "sixth/");
    await at(bucket, "restore", backup, "--json");
    const light = newName();
    await at(bucket, "backup", light, "--without-files");
    expect(readdirSync(light).sort()).toEqual(["database", "keys", "manifest.json", "manifest.json.sha256"]);
    const manifest = await readManifest(light);
    expect([manifest.blobs_included, manifest.blobs]).toEqual([false, (await readManifest(backup)).blobs]);
    expect(await at(bucket, "backup", "--check", light, "--json")).toContain('"problems":[]');

    // a version that the backup does not have
    const file = newName();
    writeFileSync(file, "id,word\n1,later\n");
    const words = ["--dataset", "later", "--table", "rows", "--title", "L", "--publisher", "P", "--license", "MIT"];
    await at(bucket, "publish", file, ...words, "--format", "csv");
    const restored = inBucket(await emptyPlace(), "sixth/");
    await at(restored, "restore", light, "--json");
    expect(await at(restored, "verify", "--json")).toContain('"bad":[]');
    expect((await at(restored, "dataset", "list", "--json")).includes("later")).toBe(false);

    const [missing = "", damaged = ""] = digests;
    const placeOf = (digest: string) => ({ Bucket: objects.bucket, Key: keyOf("sixth/", digest) });
    const size = manifest.blobs.find(({ sha256: digest }) => digest === damaged)?.bytes ?? 0;
    await objects.client().send(new DeleteObjectCommand(placeOf(missing)));
    await objects.client().send(new PutObjectCommand({ ...placeOf(damaged), Body: Buffer.alloc(size) }));
    const problems = [missing, damaged].map((digest, at) => `${keyOf("", digest)}: ${["missing", "damaged"][at]}`);
    const empty = inBucket(await emptyPlace(), "sixth/");
    const told = await failureAt(empty, "restore", light);
    for (const problem of ["Nothing was restored", ...problems]) expect(told).toContain(problem);
    expect(await failureAt(bucket, "backup", "--check", light)).not.toBe("succeeded");
    expect(await failureAt(bucket, "backup", newName(), "--without-files")).toContain(`${missing} missing`);
    const files = await emptyPlace();
    expect(await failureAt(files, "backup", newName(), "--without-files")).toContain("are in the data folder");
  });

  test("missing and damaged files are named, and a store that is away, and nothing is left", async () => {
    const [missing = "", damaged = ""] = digests;
    const place = inBucket(await emptyPlace(), "fourth/");
    await at(place, "restore", backup, "--json");
    const { client, bucket } = { client: objects.client(), bucket: objects.bucket };
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: keyOf("fourth/", missing) }));
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: keyOf("fourth/", damaged), Body: "PAR1" }));
    const target = newName();
    const told = await failureAt(place, "backup", target);
    expect(told).toContain("files are missing or damaged");
    expect(told).toContain(`${missing} missing`);
    expect(told).toContain(`${damaged} damaged`);
    expect(readdirSync(join(target, "..")).filter((name) => name.includes(".unfinished-"))).toEqual([]);
    await objects.kill();
    const empty = inBucket(await emptyPlace(), "fifth/");
    expect(await failureAt(place, "backup", newName())).not.toBe("succeeded");
    expect(await failureAt(empty, "restore", backup)).toContain("The restore did not finish");
    await objects.restart();
  });
});
