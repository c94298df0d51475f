import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { env, readSettings } from "@/lib/kernel/env";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { finishBackground } from "@/lib/store/background";
import { closeDatabase } from "@/lib/store/postgres/database";

/** A separate data folder with its own embedded PostgreSQL, which can be killed. Call at the top of a file. */
export function useKillableState(overrides: () => Readonly<Record<string, string>>): { folder(): string } {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "parquetry-kills-"));
    chmodSync(folder, 0o755); // the user that runs PostgreSQL must reach it
    forgetProcessWide("settings");
    const settings = {
      PARQUETRY_SECRET: "test-secret-test-secret-test-secret!",
      PARQUETRY_LOG_LEVEL: "error",
      EMBEDDED_POSTGRES_SYNC: "false",
    };
    processWide("settings", () => readSettings({ PARQUETRY_DATA_DIR: folder, ...settings, ...overrides() }));
  });
  afterAll(async () => {
    await finishBackground().catch(() => undefined); // it would reopen the database
    await closeDatabase();
    forgetProcessWide("settings");
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder: () => folder };
}

/** `parquetry worker` as a separate process with this process's settings, restarted whenever it ends. */
export class WorkerProcess {
  output = "";
  private child: ChildProcess;
  private isStopped = false;
  private readonly variables: Readonly<Record<string, string>>;

  constructor(variables: Readonly<Record<string, string>>) {
    this.variables = variables;
    this.child = this.start();
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  private start(): ChildProcess {
    const { PARQUETRY_DATA_DIR, PARQUETRY_SECRET = "" } = env();
    const child = spawn(process.execPath, ["lib/start/command-line.ts", "worker"], {
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "test",
        EMBEDDED_POSTGRES_SYNC: "false",
        PARQUETRY_DATA_DIR,
        PARQUETRY_SECRET,
        ...this.variables,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        this.output += String(chunk);
      });
    child.once("exit", () => {
      if (!this.isStopped) this.child = this.start();
    });
    return child;
  }

  kill(): void {
    this.child.kill("SIGKILL");
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    const ended = once(this.child, "exit");
    this.child.kill("SIGTERM");
    await ended;
  }
}

interface Process {
  pid: number;
  parent: number;
  command: string;
}

function processes(): Process[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

const isSandbox = ({ command }: Process): boolean => command.includes("sandbox.js");

/** The sandbox of a worker; undefined while it has none. */
export const sandboxOf = (worker: number): number | undefined =>
  processes().find((each) => each.parent === worker && isSandbox(each))?.pid;

/** Sandboxes over a data folder, whoever started them; none if the system does not list processes. */
export function sandboxesOver(folder: string): number[] {
  return processes().flatMap((each) => {
    try {
      return isSandbox(each) && readlinkSync(`/proc/${each.pid}/cwd`).startsWith(folder) ? [each.pid] : [];
    } catch {
      return [];
    }
  });
}

/** The server of a data folder, and the processes that serve its clients. */
export function databaseProcesses(folder: string): { server: number; clients: number[] } {
  const server = Number(readFileSync(join(folder, "postgres", "cluster", "postmaster.pid"), "utf8").split("\n")[0]);
  const own = processes().filter(({ parent }) => parent === server);
  return { server, clients: own.filter(({ command }) => command.includes("[local]")).map(({ pid }) => pid) };
}

/** Paths of the files below a folder that contain a string, plain or in Base64. */
export async function filesHolding(folder: string, text: string): Promise<string[]> {
  const forms = [text, Buffer.from(text).toString("base64").replace(/=+$/, "")].map((form) => Buffer.from(form));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0)); // it has been deleted in the meantime
    if (forms.some((form) => bytes.includes(form))) found.push(path);
  }
  return found;
}

/** Kills a process. Returns false if it has ended since it was looked up. */
export function killProcess(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}
