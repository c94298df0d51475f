import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeIsolation, isolation } from "./isolation";
import { runSandbox, type SandboxCall } from "./run-sandbox";

test("the reported limits are those that a child is started with", async () => {
  const { withoutNetwork, hasLimits } = await isolation();
  const said = Object.fromEntries((await describeIsolation()).map(({ name, holds }) => [name, holds]));
  expect(said).toMatchObject({
    files: true,
    network: withoutNetwork !== undefined,
    "address space, file size, processor time": hasLimits,
  });
});

const HOSTILE = `
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { Worker } from "node:worker_threads";
const secret = new URL("../../secret", import.meta.url).pathname;
const attempts = {
  read: () => readFileSync(secret, "utf8"),
  write: () => writeFileSync(secret, "changed"),
  start: () => spawnSync("/bin/cat", [secret], { encoding: "utf8" }).stdout,
  thread: () => new Worker("", { eval: true }),
  own: () => writeFileSync("own", "x"),
};
const outcome = {};
for (const [name, attempt] of Object.entries(attempts))
  try {
    attempt();
    outcome[name] = "allowed";
  } catch (error) {
    outcome[name] = error.code;
  }
writeFileSync("outcome.json", JSON.stringify(outcome));
writeSync(1, JSON.stringify({ done: true }) + "\\n");
`;

test("a program in the sandbox reads, writes and starts nothing outside its run's folder", async () => {
  const root = mkdtempSync(join(tmpdir(), "parquetry-hostile-"));
  try {
    const [programs, folder] = [join(root, ".build", "digest"), join(root, "runs", "1")];
    for (const path of [programs, folder]) mkdirSync(path, { recursive: true });
    writeFileSync(join(root, "secret"), "secret");
    writeFileSync(join(root, "package.json"), '{"type":"module"}');
    writeFileSync(join(programs, "hostile.js"), HOSTILE);
    const plan = { limits: { rows: 1, unpackedBytes: 1, diskMb: 64, seconds: 60 }, engine: { memoryMb: 256 } };
    const call = { folder, plan: plan as unknown as SandboxCall["plan"], program: join(programs, "hostile.js") };
    const outcome = await runSandbox({ ...call, signal: new AbortController().signal, onEvent: () => undefined });
    const denied = "ERR_ACCESS_DENIED";
    expect(outcome).toEqual({ read: denied, write: denied, start: denied, thread: denied, own: "allowed" });
    expect(readFileSync(join(root, "secret"), "utf8")).toBe("secret");
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
