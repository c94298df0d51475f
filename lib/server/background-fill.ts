import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";

/** A third of a reader's share when both want the whole processor. Any lower, and a busy machine would never finish. */
const NICENESS = 5;

/** Called with the exit code of a fill that ended; null if it was killed. Not called for one that was stopped. */
type OnEnd = (code: number | null) => void;

/**
 * Fills the catalogue in a process of low priority, so that readers come first. Does nothing if the program is not
 * compiled.
 */
export function startFilling(onEnd: OnEnd, program = join(import.meta.dirname, "showcase.js")): Filling {
  if (!existsSync(program)) return { stop: async () => undefined };
  const execArgv = [...process.execArgv, "--disable-warning=DeprecationWarning"]; // from packages
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
      child.kill("SIGKILL"); // safe at any moment: the next start resumes it
      await ended;
    },
  };
}

export interface Filling {
  /** Ends the process if it is still running. */
  stop(): Promise<void>;
}

/** Called while the process has one thread: threads and processes that it starts later inherit the priority. */
function yieldToOthers({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, NICENESS);
  } catch {
    // the process has ended, or the system forbids it
  }
}
