import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { freePort } from "./free-port";

/** A real Redis on a free port with its own folder and password, which the test stops, kills and restarts. */
export class RedisServer {
  readonly password = "a-password-that-no-log-may-hold";
  private readonly folder = mkdtempSync(join(tmpdir(), "parquetry-redis-"));
  private child: ChildProcess | undefined;
  private constructor(private readonly port: number) {}

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.restart();
    return server;
  }

  get url(): string {
    return `redis://:${this.password}@127.0.0.1:${this.port}`;
  }

  /** Restarts it from its append-only file; resolves once it answers. */
  async restart(): Promise<void> {
    const settings = [
      "--port",
      String(this.port),
      "--bind",
      "127.0.0.1",
      "--dir",
      this.folder,
      "--requirepass",
      this.password,
    ];
    this.child = spawn("redis-server", [...settings, "--save", "", "--appendonly", "yes", "--appendfsync", "always"], {
      stdio: "ignore",
    });
    for (let attempt = 0; attempt < 100 && !(await this.answers()); attempt += 1) await wait(50);
  }

  /** Ends it without warning. */
  async kill(): Promise<void> {
    if (this.child?.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill("SIGKILL");
    await once(this.child, "exit");
  }

  /** Makes it keep its connections without answering, or resume. */
  hang(on: boolean): void {
    this.child?.kill(on ? "SIGSTOP" : "SIGCONT");
  }

  async remove(): Promise<void> {
    this.hang(false);
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs one command on a separate connection. */
  async ask(command: string, ...args: string[]): Promise<unknown> {
    const client = new Redis(this.url, { lazyConnect: true, retryStrategy: () => null });
    client.on("error", () => {});
    try {
      await client.connect();
      return await client.call(command, ...args);
    } finally {
      client.disconnect();
    }
  }

  private answers(): Promise<boolean> {
    return this.ask("PING").then(
      () => true,
      () => false,
    );
  }
}
