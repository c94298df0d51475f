import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { balancerConfig } from "./balancer";
import { freePort } from "./free-port";

export const hasBalancer = (): boolean => spawnSync("haproxy", ["-v"]).error === undefined;

const statusOf = (url: string): Promise<number> =>
  fetch(url, { headers: { connection: "close" } }).then(
    ({ status }) => status,
    () => 0,
  );

/** Instances of the whole service over one data folder, behind HAProxy. To be used within a test. */
export class BalancedService {
  readonly #folder: string;
  readonly #instances = new Map<number, ChildProcess>();
  #balancer: ChildProcess | undefined;
  port = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async start(instances: number): Promise<void> {
    for (let started = 0; started < instances; started += 1) await this.#startInstance(await freePort());
    this.port = await freePort();
    const file = join(this.#folder, "haproxy.cfg");
    const running = [...this.#instances.keys()].map((port) => ({ name: `on${port}`, host: "127.0.0.1", port }));
    const socket = join(this.#folder, "haproxy.sock");
    writeFileSync(file, balancerConfig({ bind: `127.0.0.1:${this.port}`, instances: running, socket }));
    this.#balancer = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "ignore", "inherit"] });
    await this.#allInUse();
  }

  /** Ends one instance after another by SIGTERM, each of them once the load balancer uses the one before again. */
  async restartEach(): Promise<void> {
    for (const [port, child] of [...this.#instances]) {
      await ended(child, "SIGTERM");
      await this.#startInstance(port);
      await this.#allInUse();
    }
  }

  /** Resolves once the load balancer uses every instance. */
  async #allInUse(): Promise<void> {
    const used = async () => {
      const socket = connect(join(this.#folder, "haproxy.sock"));
      socket.end("show stat\n");
      const lines = await text(socket).catch(() => "");
      return lines.split("\n").filter((line) => /^instances,on\d+,.*,UP,/.test(line)).length;
    };
    await expect.poll(used, { timeout: 60_000 }).toBe(this.#instances.size);
  }

  async stop(): Promise<void> {
    for (const child of [this.#balancer, ...this.#instances.values()]) if (child) await ended(child, "SIGINT");
  }

  async #startInstance(port: number): Promise<void> {
    const child = spawn(process.execPath, ["lib/start/server.ts"], {
      cwd: resolve(import.meta.dirname, "../.."),
      env: {
        ...{ PATH: process.env.PATH, NODE_ENV: "production", UV_THREADPOOL_SIZE: "64", PARQUETRY_LOG_LEVEL: "warn" },
        ...{ PORT: String(port), HOST: "127.0.0.1", PARQUETRY_DATA_DIR: join(this.#folder, "data"), WORKERS: "0" },
        ...{ PARQUETRY_SHOWCASE: "false", LIMIT_CATALOGUE_MINUTE: "1000000", LIMIT_PAGE_MINUTE: "1000000" },
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
    this.#instances.set(port, child);
    const readiness = () => statusOf(`http://127.0.0.1:${port}/readyz`);
    await expect.poll(readiness, { timeout: 600_000 }).toBe(200); // the first start builds the pages
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = once(child, "exit");
  if (child.exitCode === null && child.signalCode === null && child.kill(signal)) await exit;
}
