import { once } from "node:events";
import { get } from "node:http";
import { type APIRequestContext, expect } from "@playwright/test";
import { tableOf } from "./catalogue";
import { newEmail, Person } from "./people";
import { rowsOf } from "./service";
import { test } from "./test";

// What the service records of reads: connections, download receipts, usage.

/** A use key of a new person, whose workspace has read nothing yet. */
async function newReader(name: string): Promise<{ id: string; key: string }> {
  const person = await new Person(newEmail(name)).signUp();
  return person.createKey((await person.account()).workspaces[0]?.id ?? "", name);
}

const query = (
  request: APIRequestContext,
  tableId: string,
  key: string,
  data: object = { columns: ["CO2"], limit: 3 },
) => request.post(`/api/v2/public/tables/${tableId}/query`, { data, headers: { "x-api-key": key } });

const current = (tableId: string) => `/api/v2/public/tables/${tableId}/current`;

test("fifty first reads at once connect the dataset to the workspace exactly once", async ({ request }) => {
  const { tableId } = await tableOf(request, "mauna-loa-co2");
  const reader = await newReader("first");
  const replies = await Promise.all(Array.from({ length: 50 }, () => query(request, tableId, reader.key)));
  expect(replies.map((reply) => reply.status())).toEqual(Array.from({ length: 50 }, () => 200));
  const connections = () =>
    rowsOf(
      `SELECT d.slug FROM "Connection" c JOIN "Dataset" d ON d.id = c."datasetId" JOIN "AccessKey" k ON ` +
        `k."workspaceId" = c."workspaceId" WHERE k.id = $1`,
      [reader.id],
    );
  await expect.poll(connections).toEqual([{ slug: "mauna-loa-co2" }]);
});

test(
  "each completed download leaves one receipt, without key or path; 304, HEAD, a range and an aborted one leave " +
    "none",
  async ({ request, baseURL }) => {
    const { tableId, version_id } = await tableOf(request, "us-flights-2001");
    const { key } = await newReader("receipts");
    const headers = { "x-api-key": key };
    const receipts = () =>
      rowsOf(`SELECT id, digest, bytes::int AS bytes, "keyHash", "pathHash" FROM "Download" WHERE "versionId" = $1`, [
        version_id,
      ]);
    const before = (await receipts()).length;
    const head = await request.head(current(tableId), { headers });
    const etag = head.headers().etag ?? "";
    expect((await request.get(current(tableId), { headers: { ...headers, "if-none-match": etag } })).status()).toBe(
      304,
    );
    expect((await request.get(current(tableId), { headers: { ...headers, range: "bytes=0-1048575" } })).status()).toBe(
      206,
    );
    await abortedDownload(`${baseURL}${current(tableId)}`, headers);
    const whole = await request.get(current(tableId), { headers });
    expect(whole.status()).toBe(200);
    await expect.poll(async () => (await receipts()).length).toBe(before + 1);
    // written after anything that the others would have left
    expect((await request.get(current(tableId), { headers })).status()).toBe(200);
    await expect.poll(async () => (await receipts()).length).toBeGreaterThan(before + 1);
    const kept = await receipts();
    expect(kept).toHaveLength(before + 2);
    const receipt = kept.at(-1);
    expect(receipt).toMatchObject({ digest: etag.slice(8, -1), bytes: (await whole.body()).byteLength });
    expect([receipt?.keyHash, receipt?.pathHash]).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
  },
);

/** Takes the first bytes of a body and disconnects. */
async function abortedDownload(url: string, headers: Record<string, string>): Promise<void> {
  const asked = get(url, { headers });
  const [reply] = (await once(asked, "response")) as [import("node:http").IncomingMessage];
  expect(reply.statusCode).toBe(200);
  await once(reply, "readable");
  reply.destroy();
}

test(
  "what a key read is counted by day and table within seconds: queries, rows and bytes as they were answered, " +
    "and whole downloads",
  async ({ request }) => {
    const { tableId, bytes } = await tableOf(request, "mauna-loa-co2");
    const reader = await newReader("counted");
    let answered = 0;
    for (const limit of [1, 10, 5])
      answered += (await (await query(request, tableId, reader.key, { columns: ["CO2"], limit })).body()).byteLength;
    expect((await query(request, tableId, reader.key, { columns: ["none"] })).status()).toBe(400);
    expect((await request.get(current(tableId), { headers: { "x-api-key": reader.key } })).status()).toBe(200);
    const usage = () =>
      rowsOf(
        `SELECT to_char(day, 'YYYY-MM-DD') AS day, "tableId", queries, downloads, rows::int AS rows, bytes::int ` +
          `AS bytes FROM "Usage" WHERE "keyId" = $1`,
        [reader.id],
      );
    const day = new Date().toISOString().slice(0, 10);
    await expect.poll(usage).toEqual([{ day, tableId, queries: 3, downloads: 1, rows: 16, bytes: answered + bytes }]);
  },
);
