import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import { connectTo } from "@/lib/testing/raw-socket";

const SCRIPT = `
  import { pino } from "pino";
  import { startListener } from "@/lib/server/listener";
  import { shutDownOnSignals } from "@/lib/server/shutdown";
  const handle = async (req, res) => {
    if (req.url === "/never") return;
    if (req.url === "/begun") res.write("begun, ");
    if (req.url === "/slow" || req.url === "/begun") await new Promise((resume) => setTimeout(resume, 1000));
    res.end("whole reply");
  };
  const logger = pino({ level: "silent" });
  const listener = await startListener({ handle, port: 0, host: "127.0.0.1", settings: { PARQUETRY_TRUSTED_PROXIES: [] \
}, logger });
  shutDownOnSignals(listener, async () => process.stdout.write("released"), 3000);
  process.stdout.write(listener.url + "\\n");`;

let child: ChildProcess | undefined;
afterEach(() => child?.kill("SIGKILL"));

async function startServer(): Promise<{ url: string; server: ChildProcess; output: () => string }> {
  const server = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", SCRIPT], {
    cwd: resolve(import.meta.dirname, "../.."),
    stdio: ["ignore", "pipe", "inherit"],
  });
  child = server;
  let output = "";
  server.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  await expect.poll(() => output, { timeout: 20_000 }).toContain("\n");
  return { url: output.trim(), server, output: () => output };
}

const exitCode = async (server: ChildProcess) => (await once(server, "exit"))[0] as number | null;

test("SIGTERM: the running request ends whole, idle connections go at once, none are accepted, exit 0", async () => {
  const { url, server, output } = await startServer();
  await (await fetch(`${url}/quick`)).text();
  const idle = connectTo(url);
  idle.write("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(idle, "data");
  const running = fetch(`${url}/slow`).then((reply) => reply.text());
  await new Promise((resume) => setTimeout(resume, 200));
  const start = Date.now();
  server.kill("SIGTERM");
  await once(idle, "close");
  expect(Date.now() - start).toBeLessThan(500);
  await expect(fetch(`${url}/quick`)).rejects.toThrow();
  expect(await running).toBe("whole reply");
  expect(await exitCode(server)).toBe(0);
  expect(Date.now() - start).toBeLessThan(2_500);
  expect(output()).toContain("released");
});

test("readiness is 503 where a reply that had begun keeps its connection in use", async () => {
  const { url, server } = await startServer();
  const socket = connectTo(url);
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  socket.write("GET /begun HTTP/1.1\r\nHost: x\r\n\r\n");
  await new Promise((resume) => setTimeout(resume, 200));
  server.kill("SIGTERM");
  await new Promise((resume) => setTimeout(resume, 200));
  socket.write("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(socket, "close");
  expect(received).toContain("begun, ");
  expect(received).toContain("whole reply");
  expect(received).toContain("HTTP/1.1 503");
  expect(received).toContain('{"status":"draining"}');
});

test("a request that never ends is cut after the grace, exit 0", async () => {
  const { url, server } = await startServer();
  const never = fetch(`${url}/never`).catch(() => "cut");
  await new Promise((resume) => setTimeout(resume, 200));
  const start = Date.now();
  server.kill("SIGTERM");
  expect(await never).toBe("cut");
  expect(await exitCode(server)).toBe(0);
  expect(Date.now() - start).toBeGreaterThan(2_500);
});

test("a second signal exits at once", async () => {
  const { url, server } = await startServer();
  void fetch(`${url}/never`).catch(() => undefined);
  await new Promise((resume) => setTimeout(resume, 200));
  const start = Date.now();
  server.kill("SIGTERM");
  setTimeout(() => server.kill("SIGINT"), 100);
  expect(await exitCode(server)).toBe(1);
  expect(Date.now() - start).toBeLessThan(1_000);
});
