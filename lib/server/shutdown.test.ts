import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import { connectTo } from "@/lib/testing/raw-socket";

const SCRIPT = `
  import { pino } from "pino";
  import { startListener } from "@/lib/server/listener";
  import { shutDownOnSignals } from "@/lib/server/shutdown";
  const handle = async (req, res) => {
    process.stdout.write("[" + req.url + "]");
    if (req.url === "/never") return;
    if (req.url === "/begun") res.write("begun, ");
    if (req.url === "/slow" || req.url === "/begun") await new Promise((resume) => process.once("SIGUSR2", resume));
    res.end("whole reply");
  };
  process.on("SIGUSR2", () => undefined);
  const logger = pino({ level: "silent" });
  const settings = { PARQUETRY_TRUSTED_PROXIES: [] };
  const listener = await startListener({ handle, port: 0, host: "127.0.0.1", settings, logger });
  const [graceMs, delayMs] = process.argv.slice(1).map(Number);
  const release = async () => process.stdout.write("released");
  shutDownOnSignals(listener, release, { graceMs, delayMs });
  process.stdout.write(listener.url + "\\n");`;

let child: ChildProcess | undefined;
afterEach(() => child?.kill("SIGKILL"));

async function startServer(
  graceMs = 600_000,
  delayMs = 0,
): Promise<{ url: string; server: ChildProcess; output: () => string }> {
  const server = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "-e", SCRIPT, ...[graceMs, delayMs].map(String)],
    {
      cwd: resolve(import.meta.dirname, "../.."),
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  child = server;
  let output = "";
  server.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  await expect.poll(() => output).toContain("\n");
  return { url: output.trim(), server, output: () => output };
}

/** Resolves once the handler has a request for this path. */
const handling = (output: () => string, path: string) => expect.poll(output).toContain(`[${path}]`);

const exitCode = async (server: ChildProcess) => (await once(server, "exit"))[0] as number | null;

test("SIGTERM: the running request completes, idle connections close at once, exit 0", async () => {
  const { url, server, output } = await startServer();
  await (await fetch(`${url}/quick`)).text();
  const idle = connectTo(url);
  idle.write("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(idle, "data");
  const running = fetch(`${url}/slow`).then((reply) => reply.text());
  await handling(output, "/slow");
  server.kill("SIGTERM");
  await once(idle, "close");
  await expect(fetch(`${url}/quick`)).rejects.toThrow();
  server.kill("SIGUSR2"); // lets the slow one continue
  expect(await running).toBe("whole reply");
  expect(await exitCode(server)).toBe(0);
  expect(output()).toContain("released");
});

test.each(["SIGTERM", "SIGHUP"] as const)(
  "%s: at first everything is served, as its connection's last",
  async (signal) => {
    const { url, server } = await startServer(3_600_000, 3_600_000);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (path: string) => {
      const [reply] = (await once(get(`${url}${path}`, { agent }), "response")) as [IncomingMessage];
      return [reply.statusCode, reply.headers.connection, (await reply.toArray()).join("")];
    };
    expect(await ask("/quick")).toEqual([200, "keep-alive", "whole reply"]);
    const idle = connectTo(url);
    idle.write("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(idle, "data");
    server.kill(signal);
    await expect.poll(() => ask("/readyz")).toEqual([503, "close", '{"status":"draining"}']);
    expect(await ask("/quick")).toEqual([200, "close", "whole reply"]);
    const last = once(idle, "data");
    idle.write("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(String(await last)).toMatch(/^HTTP\/1.1 200 [\s\S]*Connection: close/);
  },
);

test("after the delay, connections without a request are closed, exit 0", async () => {
  const { url, server, output } = await startServer(600_000, 1_000);
  const idle = connectTo(url);
  idle.write("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(idle, "data");
  server.kill("SIGTERM");
  await once(idle, "close");
  expect(await exitCode(server)).toBe(0);
  expect(output()).toContain("released");
});

test("readiness is 503 while a started reply keeps its connection open", async () => {
  const { url, server, output } = await startServer();
  const socket = connectTo(url);
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  const idle = connectTo(url);
  idle.write("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(idle, "data");
  socket.write("GET /begun HTTP/1.1\r\nHost: x\r\n\r\n");
  await handling(output, "/begun");
  server.kill("SIGTERM");
  await once(idle, "close"); // it drains
  socket.write("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n", () => server.kill("SIGUSR2"));
  await once(socket, "close");
  expect(received).toContain("begun, ");
  expect(received).toContain("whole reply");
  expect(received).toContain("HTTP/1.1 503");
  expect(received).toContain('{"status":"draining"}');
});

test("a request that never ends is cut after the grace period, exit 0", async () => {
  const { url, server, output } = await startServer(1000);
  const never = fetch(`${url}/never`).catch(() => "cut");
  await handling(output, "/never");
  server.kill("SIGTERM");
  expect(await never).toBe("cut");
  expect(await exitCode(server)).toBe(0);
  expect(output()).toContain("released");
});

test("one signal that arrives twice, as npm forwards its own, counts once", async () => {
  const { url, server, output } = await startServer();
  const running = fetch(`${url}/slow`).then((reply) => reply.text());
  await handling(output, "/slow");
  const idle = connectTo(url);
  idle.write("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(idle, "data");
  server.kill("SIGTERM");
  server.kill("SIGTERM");
  await once(idle, "close"); // the first has arrived
  server.kill("SIGTERM");
  server.kill("SIGUSR2"); // lets the slow one continue
  expect(await running).toBe("whole reply");
  expect(await exitCode(server)).toBe(0);
});

test("a second signal exits at once", async () => {
  const { url, server, output } = await startServer();
  const idle = connectTo(url);
  idle.write("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(idle, "data");
  void fetch(`${url}/never`).catch(() => undefined);
  await handling(output, "/never");
  server.kill("SIGTERM");
  await once(idle, "close"); // the first has arrived
  server.kill("SIGINT");
  expect(await exitCode(server)).toBe(1);
  expect(output()).not.toContain("released");
});
