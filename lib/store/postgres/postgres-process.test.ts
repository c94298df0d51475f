import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, superuserUrl } from "@/lib/testing/superuser";
import { openEmbeddedPostgres } from "./embedded-postgres";
import { findRunning } from "./postgres-process";
import { reachablePrograms, runProgram } from "./postgres-programs";

const folder = mkdtempSync(join(tmpdir(), "parquetry-process-"));
const cluster = join(folder, "cluster");
const pidFile = join(cluster, "postmaster.pid");
const DEAD_PID = 4_194_303;

/** Listens as an attacker who waits for the password would, and counts connections. */
const stranger: Server = createServer((socket) => {
  visitors += 1;
  socket.destroy();
});
let visitors = 0;
let port = 0;

beforeAll(async () => {
  chmodSync(folder, 0o755);
  mkdirSync(cluster);
  await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
  port = (stranger.address() as AddressInfo).port;
});
afterAll(() => {
  stranger.close();
  rmSync(folder, { recursive: true, force: true });
});

const lines = (pid: number, socket: string, address: string) =>
  `${[pid, cluster, 0, socket ? 5432 : port, socket, address].join("\n")}\n`;

function socketFolder(mode: number): string {
  const path = mkdtempSync(join(folder, "socket-"));
  chmodSync(path, mode);
  return path;
}

const believed: [name: string, file: () => string, isBelieved: boolean][] = [
  ["a socket in a folder that only its user can enter", () => lines(DEAD_PID, socketFolder(0o700), ""), true],
  ["a socket in a folder that others can enter", () => lines(DEAD_PID, socketFolder(0o755), ""), false],
  ["a socket in a folder that is gone", () => lines(DEAD_PID, join(folder, "gone"), ""), false],
  [
    "a socket behind a link",
    () => {
      symlinkSync(socketFolder(0o700), join(folder, "link"));
      return lines(DEAD_PID, join(folder, "link"), "");
    },
    false,
  ],
  ["a port of a process that has ended", () => lines(DEAD_PID, "", "127.0.0.1"), false],
  ["a port of a process that is another program", () => lines(process.pid, "", "127.0.0.1"), false],
  ["a server that has only begun to start", () => `${process.pid}\n${cluster}\n0\n5432\n\n`, false],
];
if (process.getuid?.() === 0)
  believed.push([
    "a socket in another user's folder",
    () => {
      const path = socketFolder(0o700);
      chownSync(path, 4321, 4321);
      return lines(DEAD_PID, path, "");
    },
    false,
  ]);

test.each(believed)("%s is believed only when nobody else can be there", async (_name, file, isBelieved) => {
  writeFileSync(pidFile, file());
  expect((await findRunning(cluster, {})) !== undefined).toBe(isBelieved);
});

test("nothing that a killed server left behind sends the password to a stranger", async () => {
  const home = join(folder, "home");
  await (await openEmbeddedPostgres(home)).release();
  writeFileSync(join(home, "cluster", "postmaster.pid"), lines(DEAD_PID, "", "127.0.0.1"));
  const server = await openEmbeddedPostgres(home);
  try {
    expect(await ask(server.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(await ask(server.url, "SHOW listen_addresses")).toEqual([{ listen_addresses: "" }]);
    expect(visitors).toBe(0);
  } finally {
    await server.release();
  }
});

test("a server that an earlier version left on a port is used, and the next one listens on a socket", async () => {
  const home = join(folder, "old");
  const first = await openEmbeddedPostgres(home);
  const superuser = superuserUrl(home, "parquetry");
  await ask(superuser, "CREATE TABLE kept AS SELECT 42 AS answer");
  await first.release();
  await startAsBefore(home);
  const second = await openEmbeddedPostgres(home);
  expect(new URL(second.url).searchParams.get("host")).toBe("127.0.0.1");
  expect(await ask(second.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
  await second.release();
  const third = await openEmbeddedPostgres(home);
  expect(new URL(third.url).searchParams.get("host")).toBe(join(home, "socket"));
  expect(await ask(third.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
  await third.release();
});

test("if the data folder's path is too long for a socket, it is in another, equally private folder", async () => {
  const home = join(folder, "long".repeat(30));
  const server = await openEmbeddedPostgres(home);
  const path = new URL(server.url).searchParams.get("host") ?? "";
  try {
    expect(path).toMatch(/parquetry-socket-/);
    expect(await ask(server.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  } finally {
    await server.release();
    rmSync(path, { recursive: true });
  }
});

/** On a loopback port, without a socket. */
async function startAsBefore(home: string): Promise<void> {
  const user = process.getuid?.() === 0 ? Number((await runProgram("id", ["-u", "postgres"])).trim()) : undefined;
  const identity =
    user === undefined ? {} : { uid: user, gid: Number((await runProgram("id", ["-g", "postgres"])).trim()) };
  const { pgCtl } = await reachablePrograms(home, identity);
  stranger.close(); // its port is free, and remains so for this moment
  const flags = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
  const log = `--log=${join(home, "postgres.log")}`;
  await runProgram(
    pgCtl,
    ["start", "--wait", "--silent", `--pgdata=${join(home, "cluster")}`, log, "-o", flags],
    identity,
  );
  expect(
    readFileSync(join(home, "cluster", "postmaster.pid"), "utf8")
      .split("\n")
      .slice(3, 6),
  ).toEqual([String(port), "", "127.0.0.1"]);
}
