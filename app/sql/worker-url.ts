import "server-only";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

let known: string | undefined;

/** Where the build has the worker's script; undefined without a build. */
export function sqlWorkerUrl(): string | undefined {
  const path = join(process.cwd(), ".next", "sql-worker");
  if (known === undefined && existsSync(path)) known = `/_next/static/sql/${readFileSync(path, "utf8")}`;
  return known;
}
