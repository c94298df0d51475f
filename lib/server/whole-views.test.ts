import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withWriter } from "@/lib/engine/duckdb/duckdb";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { finishBackground } from "@/lib/store/background";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { startInstance } from "@/lib/testing/instance";
import { trialRuns } from "@/lib/testing/property";
import { publishFile } from "@/lib/testing/publish-text";
import { fetchAsPage, sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";

/** As many rows as the trial specifies. */
const ROWS = trialRuns("VIEW_ROWS", 100_000);
/** What the garbage collector may leave lying about, however many rows there are. */
const GROWTH_MAX = 256 * 2 ** 20;

useTestState();
const folder = mkdtempSync(join(tmpdir(), "parquetry-whole-views-"));
let instance: Awaited<ReturnType<typeof startInstance>>;
let url = "";
let cookie = "";

beforeAll(async () => {
  const file = join(folder, "rows.parquet");
  const select =
    "SELECT i AS id, i % 7 AS part, hash(i) % 1000 / 8.0 AS level, TIMESTAMPTZ '2001-01-01 00:00:00+00' + to_seconds(i) " +
    `AS at, 'station ' || (hash(i) % 229) AS station, hash(i * 3) % 100000 AS delay FROM range(${ROWS}) t(i)`;
  await withWriter({ tempDir: folder, memoryMb: 512, threads: 1 }, (connection) =>
    connection.run(`COPY (${select}) TO ${quoteLiteral(file)} (FORMAT parquet)`),
  );
  const { table_id } = await publishFile("whole-views", file);
  const { workspaceId, userId } = await newWorkspace();
  cookie = await sessionCookie(userId);
  instance = await startInstance();
  url = `${instance.url}/api/account/workspaces/${workspaceId}/tables/${table_id}`;
});
afterAll(async () => {
  await instance.close();
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (form: string, query: object) =>
  fetchAsPage(`${url}/rows.${form}?${new URLSearchParams({ query: JSON.stringify(query) })}`, cookie);

async function downloads(): Promise<number> {
  await finishBackground();
  const { prisma } = await database();
  return prisma.download.count();
}

/** Six rows of seven. */
const VIEW = { filters: [{ column: "part", operator: "gt", value: 0 }] };
const KEPT = Array.from({ length: ROWS % 7 }).filter((_, part) => part > 0).length + Math.floor(ROWS / 7) * 6;

/** Reads a file to its end, into a file, and returns how much the process grew after the first tenth of it. */
async function receive(form: string, query: object) {
  const path = join(folder, `view.${form}`);
  const before = process.cpuUsage();
  const reply = await ask(form, query);
  expect([reply.status, reply.headers.get("x-service-rows")]).toEqual([200, String(KEPT)]);
  const out = createWriteStream(path);
  const sizes: number[] = [];
  let bytes = 0;
  for await (const chunk of reply.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    sizes.push(process.memoryUsage.rss());
    if (!out.write(chunk)) await once(out, "drain");
  }
  await new Promise<void>((resolve) => void out.end(resolve));
  const growth = Math.max(...sizes) - Math.max(...sizes.slice(0, Math.ceil(sizes.length / 10)));
  const { user, system } = process.cpuUsage(before);
  const mebibytes = (count: number) => Math.round(count / 2 ** 20);
  process.stdout.write(
    `${KEPT} rows as ${form}: ${mebibytes(bytes)} MiB, ${((user + system) / 1e6).toFixed(1)} s of processor time, ` +
      `at most ${mebibytes(Math.max(...sizes))} MiB of memory, ${mebibytes(growth)} MiB more than in the first tenth\n`,
  );
  return { path, growth };
}

/** The number of rows in a file, and the sum of their ids. */
const summary = (read: string) =>
  withWriter({ tempDir: folder, memoryMb: 512, threads: 1 }, async (connection) => {
    const reader = await connection.runAndReadAll(`SELECT count(*), count(DISTINCT id), sum(id)::VARCHAR FROM ${read}`);
    return reader.getRows()[0]?.map(String);
  });

const SUM = [KEPT, KEPT, ROWS > 0 ? expectedSum() : 0].map(String);

function expectedSum(): bigint {
  let sum = 0n;
  for (let id = 0; id < ROWS; id += 1) if (id % 7 > 0) sum += BigInt(id);
  return sum;
}

test.each(["csv", "parquet"])(
  "every row of a filtered view as %s, once, in flat memory, counted once",
  async (form) => {
    const before = await downloads();
    const { path, growth } = await receive(form, VIEW);
    const read = form === "csv" ? `read_csv(${quoteLiteral(path)})` : `read_parquet(${quoteLiteral(path)})`;
    expect(await summary(read)).toEqual(SUM);
    expect(growth).toBeLessThan(GROWTH_MAX);
    expect(await downloads()).toBe(before + 1);
  },
);

test("the same in another order", async () => {
  const { path, growth } = await receive("csv", { ...VIEW, order_by: [{ column: "delay", direction: "desc" }] });
  expect(await summary(`read_csv(${quoteLiteral(path)})`)).toEqual(SUM);
  const isSorted = `(SELECT id, delay > lag(delay) OVER () AS wrong FROM read_csv(${quoteLiteral(path)})) WHERE wrong`;
  expect((await summary(isSorted))?.[0]).toBe("0");
  expect(growth).toBeLessThan(GROWTH_MAX);
});
