import type { Caller, Engine } from "@/lib/engine/duckdb/engine";
import { resultColumns } from "@/lib/engine/plan/result-columns";
import { type Iteration, iterateRows, wholePlan } from "@/lib/engine/run/iterate-rows";
import type { SealedVersion } from "@/lib/engine/run/sealed-version";
import { rowsAsCsv } from "@/lib/engine/sql/row-csv";
import { csvHeader, csvLines } from "./text";

/**
 * All rows of a version, or of a plan over it, as CSV in the form of CSV pages, in pieces of about 1 MiB. DuckDB writes
 * the lines, fifteen times as fast as this process; only tables with lists, structs or json are written here.
 */
export async function* csvTable(
  engine: Engine,
  version: SealedVersion,
  caller: Caller,
  iteration: Iteration = { plan: wholePlan(version) },
): AsyncGenerator<Buffer> {
  const columns = resultColumns(iteration.plan, version.columns);
  yield csvHeader(columns);
  const form = rowsAsCsv(columns);
  for await (const { parts } of iterateRows(engine, version, { ...iteration, form }, caller))
    yield form ? Buffer.concat([...parts, Buffer.from("\r\n")]) : csvLines({ columns, rowParts: parts });
}
