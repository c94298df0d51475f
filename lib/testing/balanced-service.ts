import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, vi } from "vitest";
import { balancerConfig } from "./balancer";
import { freePort, freePorts } from "./free-port";
import { InstanceProcess } from "./instance-process";

/** Those of `balancerConfig`. */
const BACKENDS = 2;

export const hasBalancer = (): boolean => spawnSync("haproxy", ["-v"]).error === undefined;

/** Instances of the whole service behind HAProxy. */
export class BalancedService {
  #balancer: ChildProcess | undefined;
  readonly url: string;

  private constructor(
    private readonly folder: string,
    readonly instances: readonly InstanceProcess[],
    private readonly port: number,
  ) {
    this.url = `http://127.0.0.1:${port}`;
  }

  /**
   * As many instances as there are settings, which are given the URL of the load balancer. `folder` is for its own
   * files. Nothing is started yet.
   */
  static async prepare(folder: string, settings: (url: string) => readonly Readonly<Record<string, string>>[]) {
    const port = await freePort();
    const each = settings(`http://127.0.0.1:${port}`);
    const ports = await freePorts(each.length);
    const instances = each.map((own, place) => new InstanceProcess(ports[place] ?? 0, own));
    return new BalancedService(folder, instances, port);
  }

  async start(): Promise<void> {
    for (const instance of this.instances) await instance.start();
    const file = join(this.folder, "haproxy.cfg");
    const running = this.instances.map(({ port }) => ({ name: `on${port}`, host: "127.0.0.1", port }));
    const config = { bind: `127.0.0.1:${this.port}`, instances: running, socket: this.#socket };
    writeFileSync(file, balancerConfig(config));
    this.#balancer = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "ignore", "inherit"] });
    await this.allInUse();
  }

  /** Ends one instance after another by SIGTERM, each of them once the load balancer uses the one before again. */
  async restartEach(): Promise<void> {
    for (const instance of this.instances) {
      await instance.end("SIGTERM");
      await instance.start();
      await this.allInUse();
    }
  }

  /** Resolves once the load balancer uses every instance. */
  async allInUse(): Promise<void> {
    await vi.waitFor(async () => expect(await this.#inUse()).toBe(BACKENDS * this.instances.length), 60_000);
  }

  /** In how many places of its backends it uses an instance. */
  async #inUse(): Promise<number> {
    const socket = connect(this.#socket);
    socket.end("show stat\n");
    const lines = await text(socket).catch(() => "");
    return lines.split("\n").filter((line) => /^(?:instances|connector),on\d+,.*,UP,/.test(line)).length;
  }

  async stop(): Promise<void> {
    const balancer = this.#balancer;
    if (balancer && balancer.exitCode === null) {
      const ended = once(balancer, "exit");
      if (balancer.kill("SIGINT")) await ended;
    }
    await Promise.all(this.instances.map((instance) => instance.end("SIGINT")));
  }

  get #socket(): string {
    return join(this.folder, "haproxy.sock");
  }
}
