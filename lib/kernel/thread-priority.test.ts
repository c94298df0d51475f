import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const PROGRAM = `
import { readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { Worker } from "node:worker_threads";
import { lowerThreads } from "${resolve("lib/kernel/thread-priority.ts")}";
import { stat } from "node:fs/promises";

await stat("/"); // the pool starts with its first task
process.stdout.write(String(lowerThreads("libuv-worker")) + " ");
const worker = new Worker(\`
  const { lowerOwnThread } = require("${resolve("lib/kernel/thread-priority.ts")}");
  const { basename } = require("node:path");
  const { readlinkSync } = require("node:fs");
  lowerOwnThread();
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", () => undefined); // until it is terminated
  parentPort.postMessage(Number(basename(readlinkSync("/proc/thread-self"))));
\`, { eval: true, execArgv: [] });
const id = await new Promise((resolve) => worker.once("message", resolve));
process.stdout.write(String(getPriority(id) - getPriority(process.pid)));
await worker.terminate();
`;

test("libuv's threads, and a thread that lowers itself, have a lower priority than the main thread", () => {
  const args = ["--input-type=module", "--eval", PROGRAM];
  const printed = execFileSync(process.execPath, args, { encoding: "utf8" });
  expect(printed).toMatch(/^\d+ 5$/);
  expect(Number.parseInt(printed, 10)).toBeGreaterThanOrEqual(4);
});
