import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SETTINGS } from "@/lib/kernel/env";
import { publishTable } from "@/lib/publish/publish";
import { residentBytes } from "@/lib/sandbox/run-sandbox";
import { database } from "@/lib/store/postgres/database";
import { connectBuilder } from "@/lib/testing/builder";
import { useKillableState, WorkerProcess } from "@/lib/testing/killable-service";
import { trialRuns } from "@/lib/testing/property";

/** As many rows as the trial specifies; 10,000,000 rows are 1 GiB. */
const ROWS = trialRuns("BIG_CSV_ROWS", 20_000);
/** The suite only shows that queries continue; the trial measures how much slower they are. */
const [QUERIES, READ_ROWS] = ROWS > 1_000_000 ? [200, 200_000] : [10, 20_000];
const WATCH_MS = 250;
const LIMITS = Object.keys(SETTINGS.shape).filter((name) => name.startsWith("LIMIT_"));
const ROOMY: Record<string, string> = Object.fromEntries(LIMITS.map((name) => [name, "1000000"]));

/** A separate process that serves one file, so that it takes nothing from the queries timed here. */
const SERVE = `
  import { createReadStream, statSync } from "node:fs";
  import { createServer } from "node:http";
  const server = createServer((request, reply) => {
    reply.writeHead(200, { "content-type": "text/csv", "content-length": statSync(process.argv[1]).size });
    createReadStream(process.argv[1], { highWaterMark: 1 << 20 }).on("error", () => reply.destroy()).pipe(reply);
  });
  server.listen(0, "127.0.0.1", () => process.stdout.write(String(server.address().port)));`;

let source: ChildProcess;
let worker: WorkerProcess;
let builder: Awaited<ReturnType<typeof connectBuilder>>;
let settings: Record<string, string> = {};
const state = useKillableState(() => ROOMY);

beforeAll(async () => {
  const path = join(state.folder(), "big.csv");
  await writeRows(path);
  source = spawn(process.execPath, ["--input-type=module", "-e", SERVE, path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [port] = await once(source.stdout as NodeJS.ReadableStream, "data");
  settings = { ...ROOMY, SOURCE_PRIVATE_HOSTS: `127.0.0.1:${port}` };
  builder = await connectBuilder();
  worker = new WorkerProcess(settings);
});
afterAll(async () => {
  await worker?.stop();
  await builder?.close();
  source?.kill();
});

const DAY_MS = 86_400_000;
const FIRST_MS = Date.parse("2020-01-01T00:00:00Z");
const KINDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"];

function rowOf(at: number): string {
  const mixed = (at * 2_654_435_761) % 4_294_967_296;
  const time = new Date(FIRST_MS + at * 1000).toISOString().replace(".000Z", "Z");
  const day = new Date(FIRST_MS + (at % 2000) * DAY_MS).toISOString().slice(0, 10);
  const text = mixed.toString(16).padStart(8, "0").repeat(2);
  const nothing = at % 7 === 0 ? "" : (mixed / 1000).toFixed(3);
  const words = `"${KINDS[at % 10]}, then ${KINDS[mixed % 10]}"`;
  return (
    `${at},${mixed},${(mixed % 100_000) / 100},${text},${KINDS[at % 10]},g${mixed % 1000},${time},${day},` +
    `${at % 2 === 0},${nothing},${words}\n`
  );
}

async function writeRows(path: string): Promise<void> {
  const file = createWriteStream(path);
  file.write("id,random,amount,text,kind,group,time,day,flag,value,words\n");
  for (let at = 0; at < ROWS; at += 10_000) {
    const rows = Array.from({ length: Math.min(10_000, ROWS - at) }, (_, next) => rowOf(at + next));
    if (!file.write(rows.join(""))) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}

const recipe = () => `
schema_version: service-recipe.v1
sources:
  - {name: big, kind: http, url: "http://${settings.SOURCE_PRIVATE_HOSTS}/big.csv", reader: {format: csv}}
tables:
  - name: rows
    from: big
    steps:
      - {step: cast, columns: {id: int64, random: int64, amount: "decimal(9,2)", day: date, flag: boolean, value: float64}}
      - {step: parse, columns: [time], as: timestamp, date: {formats: ["%Y-%m-%dT%H:%M:%SZ"]}}
    columns:
      - {name: text, type: string}
      - {name: kind, type: string}
      - {name: group, type: string}
      - {name: words, type: string}
    checks:
      - {check: row_count, min: ${ROWS}, max: ${ROWS}, severity: warn}
      - {check: not_null, columns: [id]}
publish: {license: CC0-1.0, publisher: {name: Office}}
`;

async function call<T>(name: string, args: Record<string, unknown>): Promise<T> {
  const { structuredContent, content, isError } = await builder.client.callTool({ name, arguments: args });
  if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
  return structuredContent as T;
}

/** A table that people read in the meantime. */
async function readTable(): Promise<string> {
  const file = join(state.folder(), "read.csv");
  writeFileSync(
    file,
    `id,n\n${Array.from({ length: READ_ROWS }, (_, at) => `${at},${(at * 7919) % 1000}\n`).join("")}`,
  );
  const about = { title: "Read", summary: "", description: "", license: "CC0-1.0", topics: [] };
  const dataset = { ...about, slug: "read", publisher: { name: "Office" } };
  const now = () => new Date();
  return (await publishTable({ file, dataset, table: { slug: "t", name: "T" } }, { now })).table_id;
}

const p95 = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;

async function queryTime(tableId: string, nth: number): Promise<number> {
  const startedAt = performance.now();
  const filters = [{ column: "n", operator: "eq", value: nth % 1000 }];
  await call("query_table", { table_id: tableId, columns: ["id"], filters, limit: 50 });
  return performance.now() - startedAt;
}

/** Queries one after another, and the peak memory of worker and sandbox, until the run has left these states. */
async function watchRun(runId: string, tableId: string, states: readonly string[]) {
  const { prisma } = await database();
  const startedAt = performance.now();
  const times: number[] = [];
  let mostBytes = 0;
  const watch = setInterval(() => {
    void residentBytes(worker.pid).then((bytes) => {
      mostBytes = Math.max(mostBytes, bytes);
    });
  }, WATCH_MS);
  for (;;) {
    const run = await prisma.run.findUniqueOrThrow({ where: { id: runId } });
    if (!states.includes(run.state)) {
      clearInterval(watch);
      return { run, seconds: (performance.now() - startedAt) / 1000, times, mostBytes };
    }
    times.push(await queryTime(tableId, times.length));
  }
}

test("a large CSV file becomes a table, while queries continue", { timeout: 3_600_000 }, async () => {
  const tableId = await readTable();
  for (let nth = 0; nth < 20; nth += 1) await queryTime(tableId, nth); // warm
  const idle: number[] = [];
  for (let nth = 0; nth < QUERIES; nth += 1) idle.push(await queryTime(tableId, nth));
  const { dataset } = await call<{ dataset: { slug: string } }>("create_dataset", { title: "Big" });
  const registered = { dataset: dataset.slug, recipe: recipe(), start: true };
  const { run } = await call<{ run: { run_id: string } }>("register_recipe", registered);
  const { run_id } = run;
  await call("confirm_run", { run_id, wait_ms: 0 });
  const sample = await watchRun(run_id, tableId, ["planned", "queued", "running"]);
  expect(sample.run, worker.output).toMatchObject({ state: "awaiting_approval" });
  await call("approve_full_run", { run_id, recipe_digest: sample.run.recipeDigest, wait_ms: 0 });
  const full = await watchRun(run_id, tableId, ["queued_full", "running_full"]);
  expect(full.run, `${full.run.failureMessage}`).toMatchObject({ state: "sealed", outcome: "released" });
  const { prisma } = await database();
  const { version } = await prisma.release.findFirstOrThrow({ where: { runId: run_id }, include: { version: true } });
  expect(Number(version.rows)).toBe(ROWS);
  const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  const meanwhile = p95([...sample.times, ...full.times]);
  const events = await prisma.runEvent.findMany({ where: { runId: run_id }, orderBy: { seq: "asc" } });
  const first = events[0]?.at.getTime() ?? 0;
  process.stdout.write(
    `${ROWS} rows, ${mebibytes(statSync(join(state.folder(), "big.csv")).size)} MiB: ` +
      `sample ${sample.seconds.toFixed(1)} s, full run ${full.seconds.toFixed(1)} s, ` +
      `worker and sandbox at most ${mebibytes(Math.max(sample.mostBytes, full.mostBytes))} MiB, ` +
      `p95 of queries ${p95(idle).toFixed(1)} ms idle, ${meanwhile.toFixed(1)} ms meanwhile ` +
      `(${(meanwhile / p95(idle)).toFixed(2)} times)\n` +
      `${events.map(({ kind, at, message }) => `  ${((at.getTime() - first) / 1000).toFixed(1)} s ${kind}: ${message}`).join("\n")}\n`,
  );
});
