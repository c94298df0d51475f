import { chownSync, existsSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { platform, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { textIfThere } from "@/lib/kernel/missing-file";
import { sha256Hex } from "@/lib/kernel/sha256";
import { type Identity, runProgram } from "./postgres-programs";

/**
 * Where a server listens: the folder of its socket, or the loopback address of one that an earlier version left
 * running.
 */
export interface Listening {
  host: string;
  port: number;
}

const PORT = 5432; // part of the socket's name only: nothing listens on the network
const ATTEMPTS = 200;
const SOCKET_PATH_BYTES_MAX = 103; // macOS; Linux allows 107

/**
 * The server of `cluster`, started unless it is running. `answers` tells whether a server that seems to be running
 * accepts connections. It is called only where nobody else can impersonate the server, because it sends a password.
 */
export async function ensureRunning(
  pgCtl: string,
  cluster: string,
  identity: Identity,
  sync: boolean,
  answers: (listening: Listening) => Promise<boolean>,
): Promise<Listening> {
  let failure: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const running = await findRunning(cluster, identity);
    if (running && (await answers(running))) return running;
    failure = await start(pgCtl, cluster, identity, sync).catch((error: unknown) => error);
    // a stopping or starting server still holds the folder
    if (failure) await new Promise((resolve) => setTimeout(resolve, 300));
  }
  throw new Error("The embedded PostgreSQL did not start.", { cause: failure });
}

/**
 * Where the server listens according to `postmaster.pid`. Undefined if somebody else could be listening there by now:
 * the file survives a killed server, and anybody could take its port or its folder in the temporary folder.
 */
export async function findRunning(cluster: string, identity: Identity): Promise<Listening | undefined> {
  const lines = textIfThere(join(cluster, "postmaster.pid"))?.split("\n") ?? [];
  const [pid, , , port, socketFolder, address] = lines.map((line) => line.trim());
  if (socketFolder && isPrivate(socketFolder, identity)) return { host: socketFolder, port: Number(port) };
  if (!socketFolder && address && (await isServerOf(cluster, Number(pid), identity)))
    return { host: address, port: Number(port) };
  return undefined;
}

/** Whether only the user that runs the server can enter a folder. */
function isPrivate(path: string, identity: Identity): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === ownerOf(identity) && (found.mode & 0o077) === 0;
}

const ownerOf = (identity: Identity) => identity.uid ?? process.getuid?.();

/**
 * Whether a process is the server of this cluster: run by the server's user, with the cluster's path in its command
 * line.
 */
async function isServerOf(cluster: string, pid: number, identity: Identity): Promise<boolean> {
  if (!(pid > 0)) return false;
  const [uid, command] =
    platform() === "linux"
      ? [lstatSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid, textIfThere(`/proc/${pid}/cmdline`)]
      : await runProgram("ps", ["-o", "uid=,args=", "-p", String(pid)]).then(
          (line) => [Number.parseInt(line, 10), line] as const,
          () => [],
        );
  return uid === ownerOf(identity) && command !== undefined && command.includes(cluster);
}

async function start(pgCtl: string, cluster: string, identity: Identity, sync: boolean): Promise<void> {
  const folder = dirname(cluster);
  const log = join(folder, "postgres.log");
  if (!existsSync(log)) writeFileSync(log, "", { mode: 0o600 }); // it may quote the values of a failed statement
  handOver(log, identity);
  const settings = {
    port: String(PORT),
    listen_addresses: "",
    unix_socket_directories: `"${socketFolder(folder, identity).replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    max_connections: "200",
    ...(sync ? {} : { fsync: "off", full_page_writes: "off" }),
  };
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}=${quoteForShell(value)}`);
  await runProgram(
    pgCtl,
    ["start", "--wait", "--timeout=30", "--silent", `--pgdata=${cluster}`, `--log=${log}`, "-o", flags.join(" ")],
    identity,
  );
}

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * A folder for the socket that only the server's user can enter: next to the cluster or, if that path is too long, in
 * the temporary folder.
 */
function socketFolder(folder: string, identity: Identity): string {
  const beside = join(folder, "socket");
  const isShort = Buffer.byteLength(join(beside, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_BYTES_MAX;
  const name = sha256Hex(folder).slice(0, 16);
  const path = isShort ? beside : join(tmpdir(), `parquetry-socket-${name}`);
  if (!lstatSync(path, { throwIfNoEntry: false })) {
    mkdirSync(path, { mode: 0o700 });
    handOver(path, identity);
  }
  if (isPrivate(path, identity)) return path;
  throw new Error(
    `Unsafe folder: ${path} belongs to another user or is accessible to others. Remove it and start again.`,
  );
}

function handOver(path: string, { uid, gid }: Identity): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}
