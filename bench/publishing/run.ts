// Reads a CSV file into Parquet in its own process, either as publishing does or with DuckDB alone, and prints the time
// and memory it took
import { cpus } from "node:os";
import { DuckDBInstance } from "@duckdb/node-api";
import { publishTable } from "@/lib/publish/publish";
import { closeDatabase, database } from "@/lib/store/postgres/database";
import { say } from "../say";
import type { Taken } from "./taken";

const [how, file = "", slug = ""] = process.argv.slice(2);
const steps: { name: string; at: number }[] = [];
if (how === "publish") await database();
const [startedAt, before] = [performance.now(), process.cpuUsage()];
await (how === "publish" ? publish() : copy());
const [ms, { user, system }] = [performance.now() - startedAt, process.cpuUsage(before)];
const taken: Taken = {
  ms,
  busyMs: (user + system) / 1_000,
  peakMb: process.resourceUsage().maxRSS / 1_024,
  steps: steps.map(({ name, at }, index) => ({ name, ms: (steps[index + 1]?.at ?? startedAt + ms) - at })),
};
await closeDatabase();
say(JSON.stringify(taken));

async function publish(): Promise<void> {
  const dataset = { slug, title: slug, publisher: { name: "Bench" }, license: "CC0-1.0" };
  const request = { file, dataset, table: { slug: "rows", name: "Rows" }, orderBy: ["seen_at"] };
  await publishTable(request as Parameters<typeof publishTable>[0], {
    now: () => new Date(),
    progress: (name) => void steps.push({ name: name.replace(/\d+ /, ""), at: performance.now() }),
  });
}

/** What somebody would write who knows the types and trusts the file. */
async function copy(): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { threads: String(cpus().length), memory_limit: "2048MiB" });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  const types = {
    ...{ id: "BIGINT", random_id: "BIGINT", score: "DOUBLE", amount: "DOUBLE", code: "VARCHAR", kind: "VARCHAR" },
    ...{ shop: "VARCHAR", seen_at: "TIMESTAMPTZ", due: "DATE", paid: "BOOLEAN", reading: "DOUBLE", note: "VARCHAR" },
  };
  const columns = Object.entries(types).map(([name, type]) => `'${name}': '${type}'`);
  await connection.run(
    `COPY (FROM read_csv('${file}', header = true, auto_detect = false, columns = {${columns.join(", ")}}))
     TO '${file}.parquet' (FORMAT parquet, COMPRESSION zstd)`,
  );
  instance.closeSync();
}
