import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withWriter } from "@/lib/engine/duckdb/duckdb";
import { type Caller, type Engine, type EngineOptions, openEngine } from "@/lib/engine/duckdb/engine";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { parseQuery, runQuery, type Tier } from "@/lib/engine/run/query";
import type { SealedVersion } from "@/lib/engine/run/sealed-version";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { Failure } from "@/lib/kernel/errors";
import { copyParquet } from "@/lib/publish/seal";

const CONTEXT = { secret: Buffer.from("a secret of the tests, of 32 bytes"), queryId: "qry_test", elapsedMs: () => 0 };

export const KEY_TIER: Tier = { rowsMax: 10_000, bytesMax: 8 * 1024 * 1024 };

/** A folder with an engine that reads only Parquet, and other things that the engine's tests share. */
export interface EngineFixture {
  folder: string;
  options: EngineOptions;
  engine: Engine;
  close: () => Promise<void>;
}

export async function openFixture(name: string): Promise<EngineFixture> {
  const folder = await mkdtemp(join(tmpdir(), `parquetry-${name}-`));
  const options = {
    parquetDir: join(folder, "blobs"),
    copiesDir: join(folder, "copies"),
    tempDir: join(folder, "tmp"),
    threads: 2,
    memoryMb: 1024,
    tempMb: 256,
    queriesAtOnce: 2,
    queueMs: 10_000,
    timeoutMs: 60_000,
    copiesMb: 0,
  };
  const engine = await openEngine(options);
  const close = async () => {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { folder, options, engine, close };
}

export const column = (name: string, type: string, storage: string) => ({ name, type, storage });

/** Writes a version's Parquet from a SELECT, as publishing would. */
export async function seal(
  { options }: EngineFixture,
  name: string,
  select: string,
  columns: SealedVersion["columns"],
  codec: "zstd" | "snappy" = "zstd",
): Promise<SealedVersion & { parquetPath: string }> {
  const parquetPath = join(options.parquetDir, `${name}.parquet`);
  const rows = await withWriter({ tempDir: options.tempDir, memoryMb: 1024, threads: 2 }, async (connection) => {
    await connection.run("SET TimeZone = 'UTC'");
    const bench = {
      run: async (sql: string) => void (await connection.run(sql)),
      rows: async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson() as string[][],
    };
    await copyParquet(bench, select, parquetPath, { codec, rowsPerGroup: 8192 });
    return Number(
      (await connection.runAndReadAll(`SELECT count(*) FROM ${quoteLiteral(parquetPath)}`)).getRows()[0]?.[0],
    );
  });
  const digest = Buffer.from(name).toString("hex").padStart(64, "0");
  return {
    tableId: "00000000-0000-4000-8000-000000000001",
    versionId: "00000000-0000-4000-8000-000000000002",
    digest,
    publishedAt: "2026-01-01T00:00:00.000Z",
    rows,
    columns,
    parquetPath,
    withParquet: (read) => read(parquetPath),
    copyPath: join(options.copiesDir, `${digest}.duckdb`),
  };
}

/** Sends a query as a caller would, with a body or its JSON text. */
export async function ask(on: Engine, version: SealedVersion, body: unknown, tier = KEY_TIER, caller: Caller = {}) {
  const parsed = parseQuery(parseJsonBody(typeof body === "string" ? body : JSON.stringify(body)), tier);
  const page = await runQuery(on, version, parsed, tier, { ...CONTEXT, ...caller });
  return { page, text: Buffer.from(page.body).toString(), reply: JSON.parse(Buffer.from(page.body).toString()) };
}

/** The failure that rejects a request. Throws if it was answered or crashed. */
export async function rejection(run: Promise<unknown>): Promise<Failure> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Failure)) throw new Error(`Expected a rejection, got ${error}`);
  return error;
}
