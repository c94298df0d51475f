import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** The folder of this release. */
export const THIS_RELEASE = resolve(import.meta.dirname, "../..");

/** An instance of the whole service as a process, which the test ends and starts again. */
export class InstanceProcess {
  #child: ChildProcess | undefined;
  /** The folder of the release that it starts. */
  release = THIS_RELEASE;
  readonly url: string;

  constructor(
    readonly port: number,
    private readonly settings: Readonly<Record<string, string>>,
  ) {
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Starts it with its settings; resolves once it says that it is ready. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, ["lib/start/server.ts"], {
      cwd: this.release,
      env: {
        ...{ PATH: process.env.PATH, NODE_ENV: "production", UV_THREADPOOL_SIZE: "64", PARQUETRY_LOG_LEVEL: "warn" },
        ...{ HOST: "127.0.0.1", WORKERS: "0", PARQUETRY_SHOWCASE: "false" },
        ...{ LIMIT_CATALOGUE_MINUTE: "1000000", LIMIT_PAGE_MINUTE: "1000000" },
        ...{ ...this.settings, PORT: String(this.port) },
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
    this.#child = child;
    while (!(await this.#isReady())) {
      if (hasEnded(child)) throw new Error(`The instance ended by ${child.exitCode ?? child.signalCode}`);
      await wait(100); // the first start builds the pages
    }
  }

  #isReady(): Promise<boolean> {
    return fetch(`${this.url}/readyz`, { headers: { connection: "close" } }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** Ends it; resolves once it has ended. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || hasEnded(child)) return;
    const exit = once(child, "exit");
    if (child.kill(signal)) await exit;
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;
