import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { version as duckdbVersion } from "@duckdb/node-api";

/** One line: date, machine and versions. */
export function runLine(rows: number): string {
  const next = (JSON.parse(readFileSync("node_modules/next/package.json", "utf8")) as { version: string }).version;
  const cores = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const versions = `Node ${process.versions.node}, DuckDB ${duckdbVersion()}, Next ${next}`;
  return (
    `${new Date().toISOString().slice(0, 16)}Z, ${cores.length} × ${cores[0]?.model.trim()}, ${memory}, ` +
    `${versions}; b10 of ${rows.toLocaleString("en")} rows.`
  );
}
