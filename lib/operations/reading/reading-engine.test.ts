import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { parseQuery, runQuery } from "@/lib/engine/run/query";
import { Failure } from "@/lib/kernel/errors";
import { blobFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { locateTable } from "./locate-table";
import { sealedVersion } from "./read-version";
import { closeReadingEngine, readingEngine } from "./reading-engine";

useTestState();

const TIER = { rowsMax: 10_000, bytesMax: 8 << 20 };

afterAll(async () => {
  await closeReadingEngine();
});

async function publishNumbers(): Promise<string> {
  const lines = Array.from({ length: 3000 }, (_, index) => `${(index * 7919) % 3001},${Math.sqrt(index)}`);
  return (await publishText("numbers", `n,root\n${lines.join("\n")}\n`)).table_id;
}

async function readAll(tableId: string): Promise<string> {
  const query = parseQuery(parseJsonBody('{"columns":["n","root"],"limit":10000}'), TIER);
  const version = sealedVersion(await locateTable(tableId, undefined));
  const page = await runQuery(await readingEngine(), version, query, TIER, {
    secret: Buffer.alloc(32),
    queryId: "qry_test",
    elapsedMs: () => 0,
  });
  return JSON.stringify(JSON.parse(Buffer.from(page.body).toString()).rows);
}

test("no changed byte of a stored file reaches a query or a read copy", async () => {
  const tableId = await publishNumbers();
  const { digest, copyPath } = sealedVersion(await locateTable(tableId, undefined));
  const parquetPath = blobFile(digest);
  const rows = await readAll(tableId);
  await closeReadingEngine();
  rmSync(copyPath);
  const bytes = readFileSync(parquetPath);
  chmodSync(parquetPath, 0o644);
  for (let at = 100; at < bytes.length; at += Math.ceil(bytes.length / 25)) {
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 0x10, at);
    writeFileSync(parquetPath, damaged);
    const code = await readAll(tableId).catch((error: unknown) => (error instanceof Failure ? error.code : error));
    expect([at, code]).toEqual([at, "integrity_failure"]);
  }
  await (await readingEngine()).copies.settled();
  expect(existsSync(copyPath)).toBe(false);
  writeFileSync(parquetPath, bytes);
  expect(await readAll(tableId)).toBe(rows);
});
