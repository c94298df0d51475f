import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MadeTable } from "./made-table";

export interface PythonTable {
  header: string[];
  rows: (string | null)[][];
}

const PROGRAM = join(import.meta.dirname, "read-tables.py");
const OUTPUT_BYTES = 256 * 1024 * 1024;

/** A reader of made tables in Python, in an environment of its own; undefined without Python 3 and pip. */
export function pythonReader(folder: string): ((tables: readonly MadeTable[]) => PythonTable[]) | undefined {
  const environment = join(folder, "venv");
  const python = join(environment, "bin", "python");
  const run = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: "ignore" }).status === 0;
  const isReady =
    run("python3", "-m", "venv", environment) && run(python, "-m", "pip", "install", "-q", "openpyxl", "pyarrow");
  if (!isReady) return undefined;
  let batches = 0;
  return (tables) => {
    batches += 1;
    const own = join(folder, `python-${batches}`);
    mkdirSync(own);
    const asked = tables.map(({ bytes, about }, at) => {
      const path = join(own, `${at}`);
      writeFileSync(path, bytes);
      return JSON.stringify({ path, ...about });
    });
    const { stdout, stderr, status } = spawnSync(python, [PROGRAM], {
      ...{ input: asked.join("\n"), encoding: "utf8", maxBuffer: OUTPUT_BYTES },
    });
    if (status !== 0) throw new Error(stderr);
    return stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as PythonTable);
  };
}
