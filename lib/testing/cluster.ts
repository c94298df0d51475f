import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { BalancedService, hasBalancer } from "./balanced-service";
import { useTestState } from "./database";
import { WorkerProcess } from "./killable-service";
import { NEEDS_OBJECT_STORE, ObjectStoreServer, objectStoreProgram } from "./object-store";
import { PostgresServer, programsOfMajor } from "./postgres-versions";
import { RedisServer } from "./redis-server";
import type { Ask } from "./uploading-builder";

const MAJOR = 15;
const SECRET = "test-secret-test-secret-test-secret!";

/** What this machine lacks to run a cluster; empty if it has everything. */
export function missingForCluster(): string {
  if (!hasBalancer()) return "haproxy";
  if (objectStoreProgram() === undefined) return NEEDS_OBJECT_STORE;
  return programsOfMajor(MAJOR) === undefined ? `PostgreSQL ${MAJOR}` : "";
}

/**
 * The topology of `deploy/compose.yaml` as processes on free ports: HAProxy, two instances and a worker, each with an
 * empty data folder of its own, PostgreSQL, Redis and SeaweedFS.
 */
export class Cluster {
  readonly #places = mkdtempSync(join(tmpdir(), "parquetry-cluster-"));
  #worker: WorkerProcess | undefined;
  private constructor(
    readonly database: PostgresServer,
    readonly redis: RedisServer,
    readonly objects: ObjectStoreServer,
  ) {
    chmodSync(this.#places, 0o755);
  }
  service!: BalancedService;
  /** The settings of the operator's commands. */
  settings: Readonly<Record<string, string>> = {};

  /** With everything but its instances and worker, which are started by `startProcesses`. */
  static async prepare(limits: Readonly<Record<string, string>>): Promise<Cluster> {
    const cluster = new Cluster(
      await PostgresServer.start(programsOfMajor(MAJOR) ?? ""),
      await RedisServer.start(),
      await ObjectStoreServer.start(),
    );
    const secrets = { PARQUETRY_SECRET: SECRET, PARQUETRY_SECRETS_KEYS: `k1:${randomBytes(32).toString("base64")}` };
    const stores = {
      ...{ DATABASE_URL: cluster.database.url, REDIS_URL: cluster.redis.url },
      ...cluster.objects.settings(),
    };
    cluster.service = await BalancedService.prepare(cluster.folder("balancer"), (url) => {
      const shared = { ...stores, ...secrets, ...limits, PARQUETRY_BASE_URL: url };
      const of = (name: string) => ({ ...shared, PARQUETRY_DATA_DIR: cluster.folder(name) });
      cluster.settings = of("operator");
      return [of("one"), of("two")].map((own) => ({ ...own, PARQUETRY_TRUSTED_PROXIES: "127.0.0.1" }));
    });
    return cluster;
  }

  async startProcesses(): Promise<void> {
    await this.service.start();
    this.#worker = new WorkerProcess({ ...this.settings, PARQUETRY_DATA_DIR: this.folder("worker") });
  }

  /** Both instances, each asked directly. */
  get instances(): readonly [Ask, Ask] {
    const [one, two] = this.service.instances.map(
      ({ url }): Ask =>
        (path, init) =>
          fetch(`${url}${path}`, init),
    );
    if (!one || !two) throw new Error("there are two instances");
    return [one, two];
  }

  /** The folder of one process. */
  folder(name: string): string {
    const path = join(this.#places, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** Ends what is running, and removes everything. */
  async remove(): Promise<void> {
    await this.#worker?.stop();
    await this.service.stop();
    for (const server of [this.database, this.redis, this.objects]) await server.remove();
    rmSync(this.#places, { recursive: true, force: true });
  }
}

/**
 * Starts a cluster for a suite of tests, whose own process gets the operator's settings. Call at the top of the suite.
 */
export function useCluster(limits: Readonly<Record<string, string>>): () => Cluster {
  let cluster: Cluster | undefined;
  const own: Record<string, string> = {};
  beforeAll(async () => {
    cluster = await Cluster.prepare(limits);
    Object.assign(own, cluster.settings);
  });
  afterAll(() => cluster?.remove());
  useTestState(own);
  beforeAll(() => cluster?.startProcesses());
  return () => {
    if (!cluster) throw new Error("the cluster has not started yet");
    return cluster;
  };
}
