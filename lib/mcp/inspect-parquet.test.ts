import { createReadStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { withWriter } from "@/lib/engine/duckdb/duckdb";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { execute } from "@/lib/operations/execute";
import { storeUpload } from "@/lib/operations/sources/uploads";
import { useOffice } from "@/lib/testing/office";
import { ownerOf } from "@/lib/testing/owner";

const place = await useOffice();
const folder = mkdtempSync(join(tmpdir(), "parquetry-parquet-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Stores a Parquet file of these rows as an upload; returns its size. */
async function uploadParquet(name: string, sql: string): Promise<number> {
  const file = join(folder, `${name}.parquet`);
  await withWriter({ tempDir: join(folder, "spill"), memoryMb: 256, threads: 1 }, async (connection) => {
    await connection.run(`COPY (${sql}) TO ${quoteLiteral(file)} (FORMAT parquet)`);
  });
  const { workspaceId, userId } = place.builder;
  const body = { chunks: createReadStream(file), declaredBytes: undefined, declaredDigest: undefined, mediaType: "" };
  const path = { workspace_id: workspaceId, name };
  await execute(storeUpload, { path, query: { file_name: `${name}.parquet` }, body }, ownerOf(userId));
  return statSync(file).size;
}

test.each([
  ["small", 1000],
  ["larger than what is read of other files", 600_000],
])("a Parquet file, %s, is inspected by its own types, and its rows are built", async (_, rows) => {
  const name = `rows-${rows}`;
  const size = await uploadParquet(
    name,
    `SELECT range AS id, hash(range)::VARCHAR AS word, DATE '2026-01-01' + (range % 9)::INTEGER AS day,
     range / 4 AS value FROM range(${rows})`,
  );
  const found = await place.call("start_source_inspection", {
    ...{ source: { kind: "upload", upload: name }, wait_ms: 20_000 },
  });
  expect(found).toMatchObject({
    ...{ state: "done", tried: true, warnings: [] },
    transport: { bytes: size, bytes_read: size, media_type: null },
    format: { value: "parquet" },
    reader: { format: "parquet" },
    columns: [
      { name: "id", type: "int64" },
      { name: "word", type: "string" },
      { name: "day", type: "date" },
      { name: "value", type: "float64" },
    ],
  });
  const dataset = await place.register(
    `Parquet of ${rows}`,
    place.recipe((document) =>
      Object.assign(document, {
        sources: [{ ...found.source, name: "office" }],
        tables: [{ name: "levels", from: "office", steps: found.table.steps, columns: found.table.columns }],
      }),
    ),
  );
  const run = await place.sample(dataset);
  const read = Math.min(rows, 10_000);
  expect(run).toMatchObject({
    state: "awaiting_approval",
    result: { sampled: [{ rows: read, of: rows }], tables: [{ rows: read }] },
  });
});
