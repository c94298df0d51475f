import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import type { BuildPlan } from "@/lib/builds/plan";
import { type SandboxEvent, SandboxFailure } from "@/lib/sandbox/events";

import { runSandbox } from "@/lib/sandbox/run-sandbox";
import { sandboxProgram } from "./sandbox-program";

const LIMITS = { rows: 1_000_000, unpackedBytes: 64 * 2 ** 20, diskMb: 512, seconds: 120 };

/** One source of a run, and its limits. */
export interface Given {
  format: string;
  options?: object;
  archive?: object;
  raw: readonly Buffer[];
  mode?: "sample" | "full";
  limits?: Partial<BuildPlan["limits"]>;
  /** Of the source, in the recipe. */
  sourceLimits?: object;
  /** Other members of the source. */
  source?: object;
  memoryMb?: number;
  /** The rest of a recipe; without it sources are only decoded. */
  recipe?: object;
}

/** Lines as a file's bytes. */
export const csv = (...lines: string[]): Buffer => Buffer.from(`${lines.join("\n")}\n`);

/** Gives the test file a folder of runs over the compiled sandbox. Call at its top. */
export function useSandbox() {
  let root = "";
  let program = "";
  let count = 0;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "run-sandbox-"));
    program = await sandboxProgram();
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  /** A run's folder with its raw files and its plan, as a worker leaves it to the sandbox. */
  async function runFolder(given: Given): Promise<{ folder: string; plan: BuildPlan }> {
    count += 1;
    const folder = join(root, `${count}`);
    await mkdir(join(folder, "raw"), { recursive: true });
    for (const [at, bytes] of given.raw.entries()) await writeFile(join(folder, "raw", `${at}`), bytes);
    const plan = planOf(given);
    await writeFile(join(folder, "plan.json"), JSON.stringify(plan));
    return { folder, plan };
  }

  async function run(given: Given, signal = new AbortController().signal) {
    const { folder, plan } = await runFolder(given);
    const events: SandboxEvent[] = [];
    const outcome = await runSandbox({ folder, plan, signal, program, onEvent: (event) => void events.push(event) });
    const cells = await readFile(join(folder, "cells/1.csv"), "utf8").catch(() => "");
    return { folder, outcome, events, cells };
  }

  async function failureOf(given: Given, signal?: AbortSignal): Promise<SandboxFailure> {
    const failure = await run(given, signal).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SandboxFailure);
    return failure as SandboxFailure;
  }

  return { root: () => root, program: () => program, runFolder, run, failureOf };
}

function planOf(given: Given) {
  const { format, options = {}, archive, raw, mode = "full", limits, memoryMb = 256, recipe = {} } = given;
  const parts = raw.map((_, at) => ({ partition: raw.length > 1 ? `p${at}` : null, file: `raw/${at}` }));
  const url = "https://office.example.org/data";
  const own = {
    ...(archive && { archive }),
    ...(given.sourceLimits && { limits: given.sourceLimits }),
    ...given.source,
  };
  const source = { name: "office", kind: "http", url, reader: { format, options }, ...own };
  return {
    plan: "service-plan.v1",
    mode,
    dataset: { slug: "x", title: "X" },
    recipe: JSON.stringify({ ...recipe, sources: [source] }),
    lock: null,
    previous: {},
    now: "2026-11-21T00:00:00Z",
    sources: [{ name: "office", ordinal: 1, parts }],
    limits: { ...LIMITS, ...limits },
    engine: { duckdb: "1.5.6", readers: 1, memoryMb, threads: 1 },
  } as unknown as BuildPlan;
}
