import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withWriter } from "@/lib/engine/duckdb/duckdb";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { finishBackground } from "@/lib/store/background";
import { database } from "@/lib/store/postgres/database";
import { blobFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { startInstance } from "@/lib/testing/instance";
import { publishFile } from "@/lib/testing/publish-text";
import { fetchAsPage, sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";

// every piece is read from the Parquet file
useTestState({ READ_COPIES_MB: "0" });

/** Texts that do not compress: more than the system's buffers hold. */
const SELECT = `SELECT ${Array.from({ length: 8 }, (_, at) => `md5((i * 8 + ${at})::VARCHAR)`).join(" || ")} AS text
  FROM range(100000) t(i)`;
const folder = mkdtempSync(join(tmpdir(), "parquetry-broken-views-"));
let instance: Awaited<ReturnType<typeof startInstance>>;
let cookie = "";
let workspaceId = "";

beforeAll(async () => {
  const person = await newWorkspace();
  ({ workspaceId } = person);
  cookie = await sessionCookie(person.userId);
  instance = await startInstance();
});
afterAll(async () => {
  await instance.close();
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

async function publish(slug: string): Promise<{ url: string; digest: string }> {
  const file = join(folder, `${slug}.parquet`);
  await withWriter({ tempDir: folder, memoryMb: 512, threads: 1 }, (connection) =>
    connection.run(`COPY (${SELECT}) TO ${quoteLiteral(file)} (FORMAT parquet)`),
  );
  const { table_id, content_digest } = await publishFile(slug, file);
  const url = `${instance.url}/api/account/workspaces/${workspaceId}/tables/${table_id}`;
  return { url, digest: content_digest.replace("sha256:", "") };
}

const ask = (url: string) => fetchAsPage(url, cookie);

async function downloads(): Promise<number> {
  await finishBackground();
  const { prisma } = await database();
  return prisma.download.count();
}

test.each(["csv", "parquet", "xlsx"])(
  "%s whose rows cannot be read to the end is cut off, not counted",
  async (form) => {
    const { url, digest } = await publish(`broken-${form}`);
    const before = await downloads();
    const reply = await ask(`${url}/rows.${form}`);
    expect(reply.status).toBe(200);
    const parts = (reply.body as ReadableStream<Uint8Array>).getReader();
    await parts.read();
    writeFileSync(blobFile(digest), "no longer a Parquet file");
    const rest = async () => {
      for (;;) if ((await parts.read()).done) return;
    };
    await expect(rest()).rejects.toThrow("terminated");
    expect(await downloads()).toBe(before);
  },
);

test("what a reader leaves is not counted, and its place is free for the next one", async () => {
  const { url } = await publish("left");
  const before = await downloads();
  for (let left = 0; left < 10; left += 1) await (await ask(`${url}/rows.csv`)).body?.cancel();
  const query = encodeURIComponent('{"limit":3}');
  expect((await (await ask(`${url}/rows.csv?query=${query}`)).text()).split("\r\n")).toHaveLength(5);
  expect(await downloads()).toBe(before + 1);
});
