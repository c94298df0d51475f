import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import pg from "pg";
import { keepFromLogs } from "@/lib/secret-values";
import { type Identity, type Programs, reachablePrograms, runProgram } from "./postgres-programs";

const DATABASE = "parquetry";
const USER = "postgres";

export interface EmbeddedServer {
  url: string;
  /** Stops the server, unless another process still uses it. */
  release(): Promise<void>;
}

/**
 * Starts, or attaches to, the PostgreSQL that lives in `folder`, on a free loopback port with a generated password.
 * The server is detached: a killed process leaves it running, and the next start attaches to it.
 */
export async function openEmbeddedPostgres(folder: string): Promise<EmbeddedServer> {
  const cluster = join(folder, "cluster");
  const password = keepFromLogs(ensurePassword(folder));
  const identity = await postgresIdentity();
  const programs = await reachablePrograms(folder, identity);
  const { pgCtl } = programs;
  if (!existsSync(join(cluster, "PG_VERSION"))) await initialise(programs, folder, cluster, password, identity);
  const port = await ensureRunning(pgCtl, cluster, password, identity);
  const url = (database: string) => `postgresql://${USER}:${password}@127.0.0.1:${port}/${database}`;
  await ensureDatabase(url(USER));
  const hold = await holdOpen(url(USER));
  const release = async () => {
    await hold.end();
    await stopUnlessUsed(pgCtl, cluster, url(USER), identity);
  };
  return { url: url(DATABASE), release };
}

function ensurePassword(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "password");
  if (!existsSync(path)) {
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, randomBytes(24).toString("hex"), { mode: 0o600 });
    renameSync(draft, path);
  }
  return readFileSync(path, "utf8").trim();
}

/**
 * Makes the cluster under another name and renames it: of two at once the first one's holds, and a killed one leaves
 * nothing half made.
 */
async function initialise(
  { initdb }: Programs,
  folder: string,
  cluster: string,
  password: string,
  identity: Identity,
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
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--locale=C",
    "--encoding=UTF8",
  ];
  try {
    await runProgram(initdb, flags, identity);
    if (!existsSync(cluster)) renameSync(draft, cluster);
  } catch (cause) {
    if (existsSync(join(cluster, "PG_VERSION"))) return;
    const hint = isRoot()
      ? ` As root, the user "${USER}" must be able to reach ${folder}: set PARQUETRY_DATA_DIR to such a folder, ` +
        "or DATABASE_URL to a server."
      : "";
    throw new Error(`The embedded PostgreSQL could not be set up.${hint}`, { cause });
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

const isRoot = () => process.getuid?.() === 0;

/** PostgreSQL refuses to run as root, so root hands it to the user `postgres`. */
async function postgresIdentity(): Promise<Identity> {
  if (!isRoot()) return {};
  const id = async (flag: string) => {
    const number = Number((await runProgram("id", [flag, USER], {})).trim());
    if (!(number > 0)) throw new Error(`The user ${USER} has no id of its own`);
    return number;
  };
  await id("-u").catch(() => runProgram("useradd", ["--system", "--user-group", USER], {}));
  return { uid: await id("-u"), gid: await id("-g") };
}

async function ensureRunning(pgCtl: string, cluster: string, password: string, identity: Identity): Promise<number> {
  let failure: unknown;
  for (let attempt = 0; attempt < 20; attempt++) {
    const port = runningPort(cluster);
    if (port && (await answers(port, password))) return port;
    failure = await start(pgCtl, cluster, await freePort(), identity).catch((error: unknown) => error);
    // a dying or a just starting server still holds the folder
    if (failure) await new Promise((resolve) => setTimeout(resolve, 300));
  }
  throw new Error("The embedded PostgreSQL did not start.", { cause: failure });
}

/** Line 4 of postmaster.pid is the port. */
function runningPort(cluster: string): number | undefined {
  const path = join(cluster, "postmaster.pid");
  if (!existsSync(path)) return undefined;
  return Number(readFileSync(path, "utf8").split("\n")[3]) || undefined;
}

async function start(pgCtl: string, cluster: string, port: number, identity: Identity): Promise<void> {
  const log = join(dirname(cluster), "postgres.log");
  if (!existsSync(log)) writeFileSync(log, "", { mode: 0o600 }); // it may quote what a failed statement was about
  if (identity.uid !== undefined && identity.gid !== undefined) chownSync(log, identity.uid, identity.gid);
  const flags = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=200`;
  await runProgram(
    pgCtl,
    ["start", "--wait", "--timeout=30", "--silent", `--pgdata=${cluster}`, `--log=${log}`, "-o", flags],
    identity,
  );
}

/** A connection that shows other processes that this one still uses the server, however idle it is. */
async function holdOpen(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, keepAlive: true });
  client.on("error", () => {}); // a server that stops breaks it; then there is nothing to hold
  await client.connect();
  return client;
}

async function stopUnlessUsed(pgCtl: string, cluster: string, url: string, identity: Identity): Promise<void> {
  const others = await withClient(url, async (client) => {
    const { rows } = await client.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> " +
        "pg_backend_pid()",
    );
    return (rows[0] as { n: number }).n;
  });
  if (others === 0)
    await runProgram(pgCtl, ["stop", "--mode=fast", "--wait", "--silent", `--pgdata=${cluster}`], identity);
}

async function answers(port: number, password: string): Promise<boolean> {
  return withClient(`postgresql://${USER}:${password}@127.0.0.1:${port}/${USER}`, (client) =>
    client.query("SELECT 1"),
  ).then(
    () => true,
    () => false,
  );
}

async function ensureDatabase(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [DATABASE]);
    if (rowCount) return;
    await client.query(`CREATE DATABASE ${DATABASE}`).catch((error: { code?: string }) => {
      if (error.code !== "42P04" && error.code !== "23505") throw error; // another process was first
    });
  });
}

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === "object" ? resolve(address.port) : reject(new Error("no free port")),
      );
    });
  });
}
