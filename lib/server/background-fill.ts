import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";

/** A third of a reader's share where both want all of the processor; lower, and a busy machine would never be done. */
const NICENESS = 5;

/** Called with the exit code of a fill that ended, null for one that was killed; not for one that was stopped. */
type OnEnd = (code: number | null) => void;

/**
 * Fills the catalogue in a process of low priority, so that readers come first. Where the program is not compiled there
 * is none.
 */
export function startFilling(onEnd: OnEnd, program = join(import.meta.dirname, "showcase.js")): Filling {
  if (!existsSync(program)) return { stop: async () => undefined };
  const execArgv = [...process.execArgv, "--disable-warning=DeprecationWarning"]; // of packages
  const child = fork(program, { execArgv, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  let isStopped = false;
  child.once("exit", (code) => {
    if (!isStopped) onEnd(code);
  });
  yieldToOthers(child);
  return {
    async stop() {
      isStopped = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL"); // every moment is as good as any other, and the next start goes on from there
      await ended;
    },
  };
}

export interface Filling {
  /** Ends the process, if it has not ended. */
  stop(): Promise<void>;
}

/** Now, while it has one thread: those that it begins, and its own processes, inherit the priority. */
function yieldToOthers({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, NICENESS);
  } catch {
    // it has ended, or the system forbids it
  }
}
