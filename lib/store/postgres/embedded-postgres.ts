import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { textIfThere } from "@/lib/kernel/missing-file";
import { keepFromLogs } from "@/lib/kernel/secret-values";
import { CONNECT_MS } from "./migrate";
import { ensureRunning, type Listening } from "./postgres-process";
import { type Identity, type Programs, reachablePrograms, runProgram } from "./postgres-programs";
import { ensureServiceRole, SERVICE_ROLE, serviceRolePassword } from "./service-role";

const DATABASE = "parquetry";
const RETRY_MS = 1_000;
/** How long a server may take to respond before it is looked for again. */
const ANSWER_MS = 2_000;
const STOP_MS = 300_000; // a busy disk can take this long
const STOP_POLL_MS = 20;
/** Application names of the connection that holds the lock of a user, and of the one that looks for other users. */
const HOLDING = "parquetry holding";
const RELEASING = "parquetry releasing";
/** How often opening or leaving is tried while other processes stop the server. */
const ATTEMPTS = 10;
/** Errors of a server that is stopping, so that it ends or rejects connections, or that is gone. */
const STOPPING = new Set(["57P01", "57P03", "ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT"]);
/** Messages of pg, without a code, about a connection that ended without a reason or between two statements. */
const CONNECTION_LOST = /^Connection terminated|^Client has encountered a connection error/;
/** Advisory lock: shared by the users of the server, exclusive for the one that stops it. */
const IN_USE = 7_276_143;
const SUPERUSER = "postgres"; // also the system user that runs the server when the service is root

export interface EmbeddedServer {
  url: string;
  /** Stops the server unless another process still uses it. */
  release(): Promise<void>;
}

/**
 * Starts, or attaches to, the PostgreSQL server in `folder`. It listens on a socket that only its own user can reach;
 * the service connects as a role without superuser rights. The server is detached: a killed process leaves it running,
 * and the next start attaches to it. If the server is killed, the processes that use it start it again. Without `sync`
 * it does not wait for the disk, which suits data that may be lost in a power failure.
 */
export async function openEmbeddedPostgres(folder: string, sync = true): Promise<EmbeddedServer> {
  const cluster = join(folder, "cluster");
  const password = keepFromLogs(ensurePassword(folder));
  const identity = await postgresIdentity();
  const programs = await reachablePrograms(folder, identity);
  if (!existsSync(join(cluster, "PG_VERSION"))) await initialise(programs, folder, cluster, password, identity, sync);
  const superuserAt = (listening: Listening, database: string) =>
    urlOf(listening, { user: SUPERUSER, password, database });
  const start = () =>
    ensureRunning(programs.pgCtl, cluster, identity, sync, (listening) => answers(superuserAt(listening, SUPERUSER)));
  const rolePassword = keepFromLogs(serviceRolePassword(password));
  const serviceAt = (listening: Listening, database: string) =>
    urlOf(listening, { user: SERVICE_ROLE, password: rolePassword, database });
  let started: Listening | undefined;
  const stop = (running: Listening) =>
    stopUnlessUsed(programs.pgCtl, cluster, superuserAt(running, SUPERUSER), identity);
  const { running, lock } = await againWhile(isStopping, async () => {
    const running = await start();
    started = running;
    await ensureDatabase(superuserAt(running, SUPERUSER));
    await withClient(superuserAt(running, DATABASE), (client) => ensureServiceRole(client, rolePassword));
    // from another volume than the service's, whose database can therefore still be copied
    const restart = async () => existsSync(cluster) && (await start());
    return { running, lock: await holdServerLock(serviceAt(running, SUPERUSER), restart) };
  }).catch(async (error: unknown) => {
    if (started) await stop(started).catch(() => undefined);
    throw error;
  });
  const release = async () => {
    await lock.end();
    await stop(running);
  };
  return { url: serviceAt(running, DATABASE), release };
}

/** An error of a connection to a server that is stopping, or gone. */
const isStopping = (error: unknown): boolean => STOPPING.has((error as { code?: string }).code ?? "") || isLost(error);

/** A connection that is lost without a reason, as by a server that exits before it accepts it. */
const isLost = (error: unknown): boolean => error instanceof Error && CONNECTION_LOST.test(error.message);

/** The result of `work`, which is repeated, a few times at most, while it fails in that way. */
async function againWhile<T>(fails: (error: unknown) => boolean, work: () => Promise<T>, attempt = 1): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!fails(error) || attempt === ATTEMPTS) throw error;
    await sleep(attempt * STOP_POLL_MS); // a server that stops on a busy machine refuses connections for a while
    return againWhile(fails, work, attempt + 1);
  }
}

const urlOf = ({ host, port }: Listening, as: { user: string; password: string; database: string }): string =>
  `postgresql://${as.user}:${as.password}@localhost:${port}/${as.database}?host=${encodeURIComponent(host)}`;

/** If two processes start at once, the first one's password is used. */
function ensurePassword(folder: string): string {
  const path = join(folder, "password");
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(path)) {
    const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
    writeFileSync(draft, randomBytes(24).toString("hex"), { mode: 0o600 });
    try {
      linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(draft);
    }
  }
  return readFileSync(path, "utf8").trim();
}

/**
 * Creates the cluster under another name and renames it. If two processes start at once, the first one's is used, and a
 * killed process leaves nothing half-done.
 */
async function initialise(
  { initdb }: Programs,
  folder: string,
  cluster: string,
  password: string,
  identity: Identity,
  sync: boolean,
): Promise<void> {
  const draft = `${cluster}.${process.pid}.${randomBytes(4).toString("hex")}`;
  mkdirSync(draft, { mode: 0o700 });
  const passwordFile = `${draft}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (identity.uid !== undefined && identity.gid !== undefined) {
    chmodSync(folder, 0o711);
    for (const path of [draft, passwordFile]) chownSync(path, identity.uid, identity.gid);
  }
  const flags = [
    `--pgdata=${draft}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--locale=C",
    "--encoding=UTF8",
    ...(sync ? [] : ["--no-sync"]),
  ];
  try {
    await runProgram(initdb, flags, identity);
    if (!existsSync(cluster)) renameSync(draft, cluster);
  } catch (cause) {
    if (existsSync(join(cluster, "PG_VERSION"))) return;
    const hint = isRoot()
      ? ` As root, the user "${SUPERUSER}" must be able to reach ${folder}: set PARQUETRY_DATA_DIR to such a folder, ` +
        "or DATABASE_URL to a server."
      : "";
    throw new Error(`Cannot set up the embedded PostgreSQL.${hint}`, { cause });
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

const isRoot = () => process.getuid?.() === 0;

/** PostgreSQL refuses to run as root, so root delegates it to the user `postgres`. */
async function postgresIdentity(): Promise<Identity> {
  if (!isRoot()) return {};
  const id = async (flag: string) => {
    const number = Number((await runProgram("id", [flag, SUPERUSER], {})).trim());
    if (!(number > 0)) throw new Error(`The user ${SUPERUSER} has no user id`);
    return number;
  };
  await id("-u").catch(() => runProgram("useradd", ["--system", "--user-group", SUPERUSER], {}));
  return { uid: await id("-u"), gid: await id("-g") };
}

/**
 * A connection that shows other processes that this one still uses the server, however idle it is. If it ends
 * unexpectedly, so did the server: `restart` starts it again, or reports that there is none any more.
 */
async function holdServerLock(
  connectionString: string,
  restart: () => Promise<Listening | false>,
): Promise<{ end(): Promise<void> }> {
  let isOver = false;
  let restarting: Promise<void> | undefined;
  const connect = async () => {
    const connection = new pg.Client({ connectionString, keepAlive: true, application_name: HOLDING });
    connection.on("error", () => {}); // its end is handled below
    await connection.connect();
    // waits for a stop, which ends the connection
    await connection.query("SELECT pg_advisory_lock_shared($1)", [IN_USE]);
    // the one that stops the server may have ended, and left its lock, a moment before this connection does
    await withClient(connectionString, (client) => client.query("SELECT 1"), { application_name: HOLDING }).catch(
      async (error: unknown) => {
        await connection.end().catch(() => undefined);
        throw error;
      },
    );
    return connection.once("end", () => {
      restarting = again();
    });
  };
  const again = async () => {
    while (!isOver) {
      const isThere = await restart().catch(() => undefined);
      if (isThere === false) return;
      const connection = await connect().catch(() => undefined);
      if (connection) client = connection;
      if (connection) return;
      await sleep(RETRY_MS, undefined, { ref: false });
    }
  };
  let client = await connect();
  const end = async () => {
    isOver = true;
    await restarting;
    // the server ends the connection's process only later: of two users that leave at once, each would take the other's
    // lock for one in use
    await client.query("SELECT pg_advisory_unlock_shared($1)", [IN_USE]).catch(() => undefined);
    await client.end();
  };
  return { end };
}

/**
 * Several processes may leave at once: one of them stops the server, and the others leave it to that one. None mistakes
 * a pool's connection that is still being closed for a user: a process that uses the server holds a lock.
 */
async function stopUnlessUsed(pgCtl: string, cluster: string, url: string, identity: Identity): Promise<void> {
  const running = serverPid(cluster);
  const stop = async (client: pg.Client) => {
    if (await isUsed(client)) return;
    await runProgram(pgCtl, ["stop", "--mode=fast", "--no-wait", "--silent", `--pgdata=${cluster}`], identity);
    await untilStopped(cluster, running);
  };
  try {
    await againWhile(isLost, () => withClient(url, stop, { application_name: RELEASING }));
  } catch (error) {
    if (!isStopping(error) && serverPid(cluster) === running) throw error;
    await untilStopped(cluster, running); // somebody else stops it
  }
}

/**
 * Whether another process holds the server or is about to stop it, or somebody is connected to it with another program.
 * If not, nobody can begin to use it until `client` has ended.
 */
async function isUsed(client: pg.Client): Promise<boolean> {
  const sql =
    "SELECT NOT pg_try_advisory_lock($1) OR EXISTS (SELECT FROM pg_stat_activity " +
    "WHERE backend_type = 'client backend' AND application_name NOT LIKE 'parquetry%') AS used";
  return (await client.query<{ used: boolean }>(sql, [IN_USE])).rows[0]?.used === true;
}

/** The process that `postmaster.pid` names; undefined if no server is running. */
const serverPid = (cluster: string): string | undefined =>
  textIfThere(join(cluster, "postmaster.pid"))?.split("\n", 1)[0]?.trim();

/**
 * Waits until that server is gone. Another process may already have started the next one, which pg_ctl would wait for
 * until its timeout, because it looks for any server.
 */
async function untilStopped(cluster: string, pid: string | undefined): Promise<void> {
  for (let waited = 0; pid !== undefined && serverPid(cluster) === pid; waited += STOP_POLL_MS) {
    if (waited > STOP_MS) throw new Error(`The embedded PostgreSQL has not stopped within ${STOP_MS / 1000} s.`);
    await sleep(STOP_POLL_MS);
  }
}

const answers = (url: string): Promise<boolean> =>
  withClient(url, (client) => client.query("SELECT 1"), { connectionTimeoutMillis: ANSWER_MS }).then(
    () => true,
    () => false,
  );

async function ensureDatabase(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [DATABASE]);
    if (rowCount) return;
    await client.query(`CREATE DATABASE ${DATABASE}`).catch((error: { code?: string }) => {
      if (error.code !== "42P04" && error.code !== "23505") throw error; // another process was first
    });
  });
}

async function withClient<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
  options: pg.ClientConfig = {},
): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS, ...options });
  client.on("error", () => {}); // its queries fail as well
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
