// Measures the running service against DuckDB, Next and nginx on this machine, and writes the results into README.md.
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "./bench";
import { measureAgain } from "./cases/again";
import { measureBands } from "./cases/bands";
import { measureBeside } from "./cases/beside";
import { measureCatalogue } from "./cases/catalogue";
import { measureClients } from "./cases/clients";
import { measureDownload } from "./cases/download";
import { measureFloor } from "./cases/floor";
import { measureMemory } from "./cases/memory";
import { measureOverload } from "./cases/overload";
import { measurePage } from "./cases/page";
import { measurePages } from "./cases/pages";
import { measurePagination } from "./cases/pagination";
import { measurePoint, measureWords } from "./cases/point";
import { measurePublishing } from "./cases/publish";
import { measureSite } from "./cases/site";
import { measureSoak } from "./cases/soak";
import { measureTelemetry } from "./cases/telemetry";
import { Client } from "./client";
import { runLine } from "./machine";
import { type CaseName, DATASETS_FULL, type Options, ROWS_FULL, readOptions } from "./options";
import { RawDuckDb } from "./raw";
import { markdown, type Outcome, writeSection } from "./report";
import { say } from "./say";
import { startService } from "./service";
import { type BenchTable, prepareTables, type Tables } from "./tables";

/** Cases with their own folders and services. */
const APART: Partial<Record<CaseName, (options: Options) => Promise<Outcome>>> = {
  bands: measureBands,
  catalogue: measureCatalogue,
  publish: measurePublishing,
};

const MEASURES: Partial<Record<CaseName, (bench: Bench) => Promise<Outcome>>> = {
  beside: measureBeside,
  again: measureAgain,
  point: measurePoint,
  page: measurePage,
  pagination: measurePagination,
  floor: measureFloor,
  pages: measurePages,
  download: measureDownload,
  clients: measureClients,
  overload: measureOverload,
  memory: measureMemory,
  soak: measureSoak,
  telemetry: measureTelemetry,
  site: measureSite,
  words: measureWords,
};

/** Cases that repeat the same requests and measure reading. */
const UNCACHED: readonly CaseName[] = [
  "beside",
  "point",
  "page",
  "pagination",
  "floor",
  "clients",
  "overload",
  "words",
];

/** Cases that read no row of b10, so their figures hold for any size of it. */
const WITHOUT_B10: readonly CaseName[] = [
  "beside",
  "again",
  "floor",
  "pages",
  "overload",
  "site",
  "bands",
  "telemetry",
];

const options = readOptions(process.argv.slice(2));
process.env.PARQUETRY_DATA_DIR = resolve(".data-bench");
for (const [name, measure] of Object.entries(APART))
  if (options.cases.includes(name as CaseName)) report(name as CaseName, await measure(options), options);
const rest = options.cases.filter((name) => !(name in APART));
const tables = rest.length > 0 ? await prepareTables(options.rows, rest.includes("download")) : undefined;
for (const name of rest) if (tables) await runCase(name, tables, options);
if (!options.keep) await rm(process.env.PARQUETRY_DATA_DIR, { recursive: true, force: true });
process.exit(0);

/** Each case gets a freshly started service, so that none inherits another's memory. */
async function runCase(name: CaseName, tables: Tables, options: Options): Promise<void> {
  const { port, haste, minutes } = options;
  const service = await startService(port, UNCACHED.includes(name) ? { RESULT_CACHE_MB: "0" } : {});
  const client = new Client(service.url, service.key);
  try {
    for (const table of [tables.flights, tables.b10, tables.tiny]) await untilCopied(client, table);
    const bench = { service, client, raw: await RawDuckDb.open(), tables, port, haste, minutes };
    const outcome = await MEASURES[name]?.(bench);
    if (outcome) report(name, outcome, options);
  } finally {
    client.close();
    await service.stop();
  }
}

/** Prints the outcome. Full runs are also written into the README. */
function report(name: CaseName, outcome: Outcome, { rows, haste, datasets }: Options): void {
  const text = markdown(outcome, runLine(rows));
  say(`\n## ${name}\n${text}`);
  const isFull = name === "catalogue" ? datasets === DATASETS_FULL : rows === ROWS_FULL || WITHOUT_B10.includes(name);
  if (haste === 1 && isFull) writeSection(name, text);
}

/** The first query builds a missing read copy in the background. */
async function untilCopied(client: Client, { tableId, columns }: BenchTable): Promise<void> {
  const body = { columns: [columns[0]?.name ?? ""], limit: 1 };
  const answer = await client.query({ tableId, body });
  if (answer.status !== 200) throw new Error(`The service answers ${answer.status}: ${answer.body.toString()}`);
  await sleep(200);
}
