import { type ChildProcess, spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { BuildPlan } from "@/lib/builds/plan";
import { inSpan, timed } from "@/lib/kernel/telemetry";
import {
  LINE_CHARACTERS_MAX,
  LINES_MAX,
  OUTCOME_FILE,
  type SandboxEvent,
  SandboxFailure,
  type SandboxOutcome,
} from "./events";

import { type Isolation, isolation } from "./isolation";

export interface SandboxCall {
  /** Contains `plan.json` and all files that it names. All output is written there too. */
  folder: string;
  plan: Pick<BuildPlan, "limits" | "engine">;
  signal: AbortSignal;
  onEvent(event: SandboxEvent): void;
  /** Path of the compiled sandbox; by default next to the compiled server. */
  program?: string;
}

const MIB = 1024 * 1024;
const WATCH_MS = 250;
const DISK_EVERY = 4;
const KILL_AFTER_MS = 5_000;
const STDERR_BYTES = 16 * 1024;
/**
 * In addition to DuckDB's limit: Node's heap of up to 512 MiB, and memory that DuckDB freed but the allocator keeps,
 * some 250 MiB after 10,000,000 rows.
 */
const RESIDENT_SLACK_MB = 768;
const ADDRESS_SLACK_MB = 4096;
const HEAP_MB = 512;

/**
 * Runs a plan in a child process and returns its outcome. Rejects with `SandboxFailure`: what was wrong with the data,
 * which limit was exceeded, `cancelled`, or `sandbox_crashed`. Do not trust any file before hashing it.
 */
export const runSandbox = (call: SandboxCall): Promise<SandboxOutcome> =>
  inSpan("sandbox", () => timed("sandboxes", {}, () => runInSandbox(call)));

async function runInSandbox(call: SandboxCall): Promise<SandboxOutcome> {
  if (call.signal.aborted) throw cancelled();
  const child = start(call, await isolation());
  const ended = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code ?? signal ?? 1));
  });
  let passed: SandboxFailure | undefined;
  const stop = (why: SandboxFailure) => {
    passed ??= why;
    killGroup(child, "SIGKILL");
  };
  const cancel = () => endGently(child, () => stop(cancelled()));
  call.signal.addEventListener("abort", cancel, { once: true });
  const watch = watchLimits(child, call, stop);
  const heard = listen(child, call, stop);
  try {
    const exit = await ended;
    await heard.done;
    if (call.signal.aborted) throw cancelled();
    return await result(call, { exit, passed, ...heard.state });
  } finally {
    clearInterval(watch);
    call.signal.removeEventListener("abort", cancel);
    killGroup(child, "SIGKILL");
  }
}

function start({ folder, plan, program }: SandboxCall, here: Isolation): ChildProcess {
  const { memoryMb } = plan.engine;
  const limits = here.hasLimits
    ? [
        "prlimit",
        `--as=${(memoryMb + ADDRESS_SLACK_MB) * MIB}`,
        `--fsize=${plan.limits.diskMb * MIB}`,
        `--cpu=${plan.limits.seconds + 1}`,
        "--core=0",
        "--nofile=256",
      ]
    : [];
  const nice = here.hasNice ? ["nice", "-n", "10"] : [];
  const script = program ?? join(import.meta.dirname, "sandbox.js");
  const node = [
    ...[process.execPath, `--max-old-space-size=${HEAP_MB}`, "--disable-wasm-trap-handler"],
    ...permissions(script, folder),
  ];
  const [command = "", ...args] = [...(here.withoutNetwork ?? []), ...nice, ...limits, ...node, script];
  return spawn(command, args, {
    cwd: folder,
    detached: true, // a separate process group, so that nothing is left behind
    stdio: ["pipe", "pipe", "pipe"], // nothing is written to its input, whose end shows that this process is gone
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      TZ: "UTC",
      LANG: "C.UTF-8",
      NODE_ENV: "production",
      UV_THREADPOOL_SIZE: "4",
      PARQUETRY_RUN_FOLDER: folder,
    },
  });
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // it has ended
  }
}

function endGently(child: ChildProcess, kill: () => void): void {
  killGroup(child, "SIGTERM");
  const timer = setTimeout(kill, KILL_AFTER_MS);
  child.once("close", () => clearTimeout(timer));
}

function watchLimits(child: ChildProcess, { folder, plan }: SandboxCall, stop: (why: SandboxFailure) => void) {
  const residentMax = (plan.engine.memoryMb + RESIDENT_SLACK_MB) * MIB;
  const diskMax = plan.limits.diskMb * MIB;
  const startedAt = performance.now();
  let round = 0;
  return setInterval(() => {
    round += 1;
    if (performance.now() - startedAt > plan.limits.seconds * 1000)
      stop(new SandboxFailure("time_exceeded", `The run took longer than ${plan.limits.seconds} s.`));
    void residentBytes(child.pid ?? 0).then((bytes) => {
      if (bytes > residentMax) stop(new SandboxFailure("memory_exceeded", "The run exceeded its memory limit."));
    });
    if (round % DISK_EVERY !== 0) return;
    void folderBytes(folder).then((bytes) => {
      if (bytes > diskMax) stop(new SandboxFailure("disk_exceeded", "The run exceeded its disk space limit."));
    });
  }, WATCH_MS);
}

interface Heard {
  failed: { code: SandboxFailure["code"]; message: string; at: SandboxFailure["at"] } | undefined;
  isDone: boolean;
  stderr: string;
}

/** The child's output is bounded, and parsed as untrusted. */
function listen(child: ChildProcess, { onEvent }: SandboxCall, stop: (why: SandboxFailure) => void) {
  const state: Heard = { failed: undefined, isDone: false, stderr: "" };
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    state.stderr = (state.stderr + text).slice(-STDERR_BYTES);
  });
  let lines = 0;
  const done = new Promise<void>((resolve) => {
    if (!child.stdout) return resolve();
    const reader = createInterface({ input: child.stdout });
    reader.on("line", (line) => {
      lines += 1;
      const event = lines > LINES_MAX ? undefined : eventOf(line);
      if (!event) return stop(new SandboxFailure("sandbox_crashed", "The sandbox sent an unexpected message."));
      if ("failed" in event) state.failed = event.failed;
      else if ("done" in event) state.isDone = true;
      else onEvent(event);
    });
    reader.once("close", resolve);
  });
  return { state, done };
}

function eventOf(line: string): SandboxEvent | undefined {
  try {
    return line.length > LINE_CHARACTERS_MAX ? undefined : (JSON.parse(line) as SandboxEvent);
  } catch {
    return undefined;
  }
}

async function result(
  { folder, plan }: SandboxCall,
  {
    exit,
    passed,
    failed,
    isDone,
    stderr,
  }: Heard & { exit: number | NodeJS.Signals; passed: SandboxFailure | undefined },
): Promise<SandboxOutcome> {
  if (passed) throw passed;
  if (failed) throw new SandboxFailure(failed.code, failed.message, failed.at);
  if (exit === "SIGXCPU")
    throw new SandboxFailure("time_exceeded", `The run took longer than ${plan.limits.seconds} s.`);
  if (exit === 0 && isDone) return JSON.parse(await readFile(join(folder, OUTCOME_FILE), "utf8")) as SandboxOutcome;
  if (/heap out of memory|bad_alloc|Cannot allocate memory|ENOMEM/.test(stderr))
    throw new SandboxFailure("memory_exceeded", "The run exceeded its memory limit.");
  throw Object.assign(new SandboxFailure("sandbox_crashed", `The sandbox ended unexpectedly (${exit}).`), { stderr });
}

const cancelled = (): SandboxFailure => new SandboxFailure("cancelled", "The run was cancelled.");

/**
 * Node's flags for what the child's JavaScript may touch: its program and the packages, to read; its folder, also to
 * write. It starts no process and no thread. DuckDB, which is native code and so not bound by this, has its own lock.
 */
function permissions(program: string, folder: string): string[] {
  const root = resolve(dirname(program), "../..");
  const read = [dirname(program), join(root, "package.json"), folder, ...packagesOf(root)];
  return [
    ...["--permission", "--allow-addons", "--disable-warning=SecurityWarning", `--allow-fs-write=${folder}`],
    ...read.map((path) => `--allow-fs-read=${path}`),
  ];
}

/** Modules are read by their real paths. */
function packagesOf(root: string): string[] {
  const path = join(root, "node_modules");
  try {
    return [path, realpathSync(path)];
  } catch {
    return [path];
  }
}

/** Resident memory of a process and all its children, in bytes; 0 if the system does not report it. */
export async function residentBytes(pid: number): Promise<number> {
  const own = await residentOf(pid);
  const children = await childrenOf(pid);
  const theirs = await Promise.all(children.map(residentBytes));
  return theirs.reduce((sum, bytes) => sum + bytes, own);
}

async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(status);
  return found ? Number(found[1]) * 1024 : 0;
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return text
    .split(" ")
    .map(Number)
    .filter((child) => child > 0);
}

/** Bytes of all files below a folder. Files that disappear in the meantime count as 0. */
async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return await folderBytes(path);
      return (await stat(path).catch(() => undefined))?.size ?? 0;
    }),
  );
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}
