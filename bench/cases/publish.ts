import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { mixedRowsSql, wideRowsSql } from "../generated";
import { median } from "../measure";
import type { Options } from "../options";
import type { Taken } from "../publishing/taken";
import { line, ms, type Outcome } from "../report";
import { say } from "../say";

const ROUNDS = 3;
const FOLDER = resolve(".data-bench-publish");
const PEAK_MB = 2_048;

/** Publishing a CSV file of b10, alternating with DuckDB's own COPY of it with declared types, and two wide files. */
export async function measurePublishing({ rows }: Options): Promise<Outcome> {
  mkdirSync(FOLDER, { recursive: true });
  const file = await csvOf(`b10-${rows}`, mixedRowsSql(rows));
  const [published, copied]: [Taken[], Taken[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    published.push(await run("publish", file, `round-${round}`));
    copied.push(await run("copy", file, ""));
  }
  await rm(`${file}.parquet`, { force: true });
  const wide = await run("publish", await csvOf("wide-500", wideRowsSql(500, 1_000)), "wide-500");
  const widest = await run("publish", await csvOf("wide-5000", wideRowsSql(5_000, 100)), "wide-5000");
  const ofBoth = outcome(published, copied, (await stat(file)).size);
  return {
    ...ofBoth,
    lines: [
      ...ofBoth.lines,
      line("500 columns of 1,000 rows, processor time", wide.busyMs / 1_000, { most: 5 }, " s"),
      line("5,000 columns of 100 rows", widest.ms / 1_000, { most: 60 }, " s"),
      line("peak memory of these", widest.peakMb, { most: PEAK_MB }, " MiB"),
    ],
  };
}

/** The path of a CSV file with these rows, which is written once. */
async function csvOf(name: string, select: string): Promise<string> {
  const file = join(FOLDER, `${name}.csv`);
  if (existsSync(file)) return file;
  say(`publish: writing ${name}.csv`);
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(`COPY (${select}) TO '${file}' (FORMAT csv, HEADER)`);
  instance.closeSync();
  return file;
}

/** In a separate process and data folder, so that nothing remains of the previous round. */
async function run(how: "publish" | "copy", file: string, slug: string): Promise<Taken> {
  const program = join(import.meta.dirname, "../publishing/run.ts");
  const folder = join(FOLDER, "data");
  await rm(folder, { recursive: true, force: true });
  const { status, stdout } = spawnSync(process.execPath, ["--import", "tsx", program, how, file, slug], {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    env: { ...process.env, PARQUETRY_DATA_DIR: folder, UV_THREADPOOL_SIZE: "16" },
  });
  if (status !== 0) throw new Error(`Reading the file failed: ${how}`);
  const taken = JSON.parse(stdout) as Taken;
  await rm(folder, { recursive: true, force: true });
  say(`publish: ${how}: ${ms(taken.ms)} ms, ${ms(taken.busyMs)} busy, ${taken.peakMb.toFixed(0)} MiB`);
  return taken;
}

function outcome(published: readonly Taken[], copied: readonly Taken[], bytes: number): Outcome {
  const of = (all: readonly Taken[], value: (taken: Taken) => number | undefined) =>
    median(all.map((taken) => value(taken) ?? Number.NaN));
  const total = of(published, (taken) => taken.ms);
  const peakMb = Math.max(...published.map((taken) => taken.peakMb));
  return {
    lines: [
      line("publishing / DuckDB's own typed COPY", total / of(copied, (taken) => taken.ms), { most: 4 }),
      {
        ...{ what: "the same by processor time", goal: "", met: null },
        measured: (of(published, (taken) => taken.busyMs) / of(copied, (taken) => taken.busyMs)).toFixed(2),
      },
      line("peak memory of publishing", peakMb, { most: PEAK_MB }, " MiB"),
    ],
    figures: {
      head: [`CSV of ${(bytes / 1e6).toFixed(0)} MB`, "ms", "share"],
      rows: [
        ...(published[0]?.steps ?? []).map(({ name }, at) => {
          const taken = of(published, ({ steps }) => steps[at]?.ms);
          return [name, ms(taken), `${((100 * taken) / total).toFixed(0)} %`];
        }),
        ["published", ms(total), "100 %"],
        ["DuckDB's own typed COPY, not sorted", ms(of(copied, (taken) => taken.ms)), ""],
      ],
    },
  };
}
