import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { processWide } from "@/lib/kernel/process-wide";

/** What can be withheld from a child on this machine, and how. */
export interface Isolation {
  /** The command that runs another without network access; undefined if the kernel does not allow it. */
  withoutNetwork: readonly string[] | undefined;
  /** Whether `prlimit` can bound address space, file size and processor time. */
  hasLimits: boolean;
  /** Whether resident memory can be watched. */
  hasProc: boolean;
  /** Whether sandboxes run at a lower priority than everything else. */
  hasNice: boolean;
}

const run = promisify(execFile);
const PROBE_MS = 5_000;

/** Probed once per process. */
export const isolation = (): Promise<Isolation> => processWide("sandbox-isolation", probe);

async function probe(): Promise<Isolation> {
  const [asRoot, asUser, hasLimits, hasNice] = await Promise.all([
    works(["unshare", "-n", "true"]),
    works(["unshare", "-Urn", "true"]),
    works(["prlimit", "--nofile=256", "true"]),
    works(["nice", "-n", "10", "true"]),
  ]);
  const withoutNetwork = asRoot ? ["unshare", "-n"] : asUser ? ["unshare", "-Urn"] : undefined;
  return { withoutNetwork, hasLimits, hasNice, hasProc: existsSync("/proc/self/status") };
}

async function works([command = "", ...args]: readonly string[]): Promise<boolean> {
  return await run(command, args, { timeout: PROBE_MS }).then(
    () => true,
    () => false,
  );
}

/** For administrators: which limits of a sandbox hold on this machine. */
export async function describeIsolation(): Promise<{ name: string; holds: boolean; note: string }[]> {
  const { withoutNetwork, hasLimits, hasProc, hasNice } = await isolation();
  return [
    { name: "secrets and database", holds: true, note: "the child's environment contains neither" },
    { name: "files", holds: true, note: "its JavaScript and its DuckDB are locked to the run's folder" },
    { name: "time, disk, rows, unpacked bytes", holds: true, note: "counted and watched by its parent" },
    {
      name: "network",
      holds: withoutNetwork !== undefined,
      note: withoutNetwork?.join(" ") ?? "unshare is not allowed",
    },
    { name: "address space, file size, processor time", holds: hasLimits, note: hasLimits ? "prlimit" : "no prlimit" },
    {
      name: "resident memory",
      holds: hasProc,
      note: hasProc ? "watched every 250 ms" : "no /proc: only DuckDB's limit",
    },
    { name: "priority", holds: hasNice, note: hasNice ? "nice 10" : "no nice" },
  ];
}
